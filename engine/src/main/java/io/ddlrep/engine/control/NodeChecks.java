package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What is looked at before a group is made. Stateless. */
final class NodeChecks {
    private static final String FACTS = """
            SELECT pg_catalog.current_setting('server_version_num')::int OPERATOR(pg_catalog./) 10000 AS major,
                pg_catalog.current_setting('server_version') AS version,
                pg_catalog.current_setting('server_encoding') AS encoding,
                pg_catalog.current_setting('max_prepared_transactions')::int AS prepared,
                pg_catalog.pg_is_in_recovery() AS standby,
                (SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) current_user) AS superuser,
                current_user AS who""";

    private NodeChecks() {}

    /**
     * Checks the nodes; changes nothing.
     *
     * @return things to know that stop nothing
     * @throws io.ddlrep.engine.node.NodeException 55000 or 42501
     */
    static List<String> run(List<GroupMember> members, ControlInstaller installer) {
        List<String> notices = new ArrayList<>();
        Map<NodeIdentity, String> identities = new HashMap<>();
        String encoding = "";
        for (GroupMember member : members) {
            String node = member.name();
            NodeSession session = member.session();
            if (!node.matches("[a-z][a-z0-9_]{0,30}")) {
                throw Refused.notReady(
                        node,
                        "\"" + node + "\" is no name for a node",
                        List.of(),
                        "Small letters, digits and underscores, a letter first, at most 31.");
            }
            Row facts = session.query(FACTS).get(0);
            requireUsable(node, facts);
            if (encoding.isEmpty()) {
                encoding = facts.text("encoding");
            } else if (!encoding.equals(facts.text("encoding"))) {
                throw Refused.notReady(
                        node,
                        "node " + node + " has encoding " + facts.text("encoding") + ", the origin " + encoding,
                        List.of(),
                        "The databases of a group share one encoding.");
            }
            OptionalInt version = installer.installedVersion(session);
            if (version.isPresent()) {
                throw Refused.notReady(
                        node,
                        "node " + node + " has a control schema already",
                        List.of(),
                        "ddlrep status shows its group; ddlrep uninstall removes it.");
            }
            String twin = identities.put(NodeIdentity.read(session), node);
            if (twin != null) {
                throw Refused.notReady(
                        node, "nodes " + twin + " and " + node + " are the same database", List.of(), "");
            }
            if (facts.number("prepared") == 0) {
                notices.add(
                        "node " + node + " has max_prepared_transactions = 0: DDL is held open there until the origin"
                                + " has committed, which a crash in that moment can leave for recovery to finish;"
                                + " set it to 10 or more");
            }
        }
        return notices;
    }

    private static void requireUsable(String node, Row facts) {
        long major = facts.number("major");
        if (major < 14 || major > 18) {
            throw Refused.notReady(
                    node,
                    "node " + node + " runs PostgreSQL " + facts.text("version") + "; 14 to 18 are supported",
                    List.of(),
                    "");
        }
        if (facts.flag("standby")) {
            throw Refused.notReady(
                    node, "node " + node + " is a standby in recovery", List.of(), "Give its primary instead.");
        }
        if (!facts.flag("superuser")) {
            throw new NodeException(
                    node,
                    ServerError.of(
                                    "42501",
                                    "ddlrep: role " + facts.text("who") + " of node " + node + " is no superuser")
                            .with(
                                    "Event triggers and roles are made, which takes a superuser.",
                                    "Log in as a superuser."),
                    null);
        }
    }
}
