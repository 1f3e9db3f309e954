package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ddlrep doctor} does: looks at everything on the nodes that ddlrep needs and that somebody may have changed, and
 * mends what can be mended without a loss. Used by one thread.
 *
 * <p>Crash before, during or after: each node's repair is one transaction; run it again.
 */
public final class GroupDoctor {
    private static final String PIN = "SET search_path = pg_catalog, pg_temp";
    private static final String NODE = SqlResource.text("sql/doctor_node.sql");
    private static final String LOGINS = SqlResource.text("sql/doctor_logins.sql");
    private static final String CONTROL_ROWS = SqlResource.text("sql/doctor_control_rows.sql");

    /** As the server stores them; anything else is not sent back to one. */
    private static final String VERIFIER =
            "SCRAM-SHA-256\\$\\d+:[A-Za-z0-9+/=]+\\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+|md5[0-9a-f]{32}";

    private final Function<NodeAddress, NodeSession> opener;
    private final ControlInstaller installer;

    /**
     * Makes a doctor.
     *
     * @param opener opens a session of the service role or of a superuser, which the doctor closes
     * @param installer knows what a control schema must be like
     */
    public GroupDoctor(Function<NodeAddress, NodeSession> opener, ControlInstaller installer) {
        this.opener = opener;
        this.installer = installer;
    }

    /**
     * Something that is not as it should be.
     *
     * @param node where
     * @param what what is wrong
     * @param remedy what to do
     * @param isFixable whether {@link #fix} mends it
     * @param isAdvice whether everything works nevertheless
     */
    public record Finding(String node, String what, String remedy, boolean isFixable, boolean isAdvice) {}

    /**
     * What was found.
     *
     * @param mended what was wrong and is not any more
     * @param findings what is wrong
     */
    public record Report(List<String> mended, List<Finding> findings) {
        /** Copies the lists. */
        public Report {
            mended = List.copyOf(mended);
            findings = List.copyOf(findings);
        }

        /** Whether nothing is wrong; there may be advice. */
        public boolean isWell() {
            return findings.stream().allMatch(Finding::isAdvice);
        }
    }

    /** A login role on a node; the verifier is null where there is none, or where it must not be read. */
    private record Login(
            boolean there, boolean superuser, @Nullable String verifier) {}

    /** Looks; changes nothing. */
    public Report examine(Group group) {
        return new Report(List.of(), findings(group));
    }

    /**
     * Mends what can be mended, and looks again.
     *
     * @throws NodeException 42501 without a superuser's rights; what was mended on other nodes before stays mended
     */
    public Report fix(Group group) {
        List<Finding> before = findings(group);
        for (NodeAddress address : new TreeMap<>(group.nodes()).values()) {
            if (before.stream().anyMatch(f -> f.node().equals(address.name()) && f.isFixable())) {
                try (NodeSession session = opener.apply(address)) {
                    installer.upgrade(session);
                }
            }
        }
        copyVerifiers(group);
        List<Finding> after = findings(group);
        List<String> mended = new ArrayList<>();
        before.stream().filter(f -> !after.contains(f)).forEach(f -> mended.add(f.node() + ": " + f.what()));
        return new Report(mended, after);
    }

    private List<Finding> findings(Group group) {
        List<Finding> findings = new ArrayList<>();
        Map<String, String> controlRows = new LinkedHashMap<>();
        for (NodeAddress address : new TreeMap<>(group.nodes()).values()) {
            try (NodeSession session = opener.apply(address)) {
                if (examineSchema(session, address.name(), findings)) {
                    examineNode(session, address.name(), findings);
                    controlRows.put(
                            address.name(), session.query(CONTROL_ROWS).get(0).text("digest"));
                }
            } catch (NodeException e) {
                findings.add(new Finding(
                        address.name(),
                        "cannot be examined: " + e.error().message(),
                        address + "; the doctor logs in as ddlrep_service or as a superuser",
                        false,
                        false));
            }
        }
        compareControlRows(group, controlRows, findings);
        compareLogins(group, findings);
        return findings;
    }

    /** Whether there is a control schema to look at. */
    private boolean examineSchema(NodeSession session, String node, List<Finding> findings) {
        session.execute(PIN);
        OptionalInt version = installer.installedVersion(session);
        if (version.isEmpty()) {
            findings.add(new Finding(
                    node, "has no control schema", "ddlrep uninstall the group, and init it anew", false, false));
            return false;
        }
        int there = version.getAsInt();
        if (there != installer.version()) {
            boolean older = there < installer.version();
            findings.add(new Finding(
                    node,
                    "the control schema has version " + there + ", this ddlrep brings " + installer.version(),
                    older ? "Upgrade it: ddlrep doctor --fix" : "Use a newer ddlrep",
                    older,
                    false));
        }
        return true;
    }

    private static void examineNode(NodeSession session, String node, List<Finding> findings) {
        for (Row row : session.query(NODE, node)) {
            findings.add(
                    new Finding(node, row.text("what"), row.text("remedy"), row.flag("fixable"), row.flag("advice")));
        }
    }

    private static void compareControlRows(Group group, Map<String, String> rows, List<Finding> findings) {
        String expected = rows.get(group.self());
        rows.forEach((node, digest) -> {
            if (expected != null && !digest.equals(expected)) {
                findings.add(new Finding(
                        node,
                        "nodes, publications or the group's key are not those of " + group.self(),
                        "Compare ddlrep.node and ddlrep.publication; where the key differs: ddlrep uninstall, and init anew",
                        false,
                        false));
            }
        });
    }

    /** Companions log in on the replicas as the client did on the origin. */
    private void compareLogins(Group group, List<Finding> findings) {
        Map<String, Map<String, Login>> nodes = logins(group);
        Map<String, Login> origin = nodes.get(group.self());
        if (origin == null) {
            findings.add(new Finding(
                    group.self(),
                    "passwords of table owners were not compared",
                    "Only superusers can read verifiers: run it as one",
                    false,
                    true));
            return;
        }
        nodes.forEach((node, logins) -> origin.forEach((role, here) -> {
            Login there = logins.get(role);
            if (there == null || !there.there()) {
                findings.add(new Finding(
                        node,
                        "role " + role + ", which changes replicated tables on " + group.self() + ", is missing",
                        "CREATE ROLE " + role + " LOGIN, with the same password",
                        false,
                        false));
            } else if (!Objects.equals(there.verifier(), here.verifier())) {
                boolean fixable = isCopied(here, there);
                findings.add(new Finding(
                        node,
                        "role " + role + " has another password, or another verifier of it, than on " + group.self(),
                        fixable ? "Copy it: ddlrep doctor --fix" : "Give it the same password on every node",
                        fixable,
                        false));
            }
        }));
    }

    private static boolean isCopied(Login here, Login there) {
        return here.verifier() != null
                && here.verifier().matches(VERIFIER)
                && !here.superuser()
                && !there.superuser()
                && !here.verifier().equals(there.verifier());
    }

    private void copyVerifiers(Group group) {
        Map<String, Map<String, Login>> nodes = logins(group);
        Map<String, Login> origin = nodes.getOrDefault(group.self(), Map.of());
        nodes.forEach((node, logins) -> {
            try (NodeSession session =
                    opener.apply(Objects.requireNonNull(group.nodes().get(node), node))) {
                logins.forEach((role, there) -> {
                    Login here = origin.get(role);
                    if (here != null && there.there() && isCopied(here, there)) {
                        session.execute(session.query(
                                        "SELECT pg_catalog.format('ALTER ROLE %I PASSWORD %L', $1::pg_catalog.text, $2::pg_catalog.text) AS sql",
                                        role, here.verifier())
                                .get(0)
                                .text("sql"));
                    }
                });
            }
        });
    }

    /** Login roles that change replicated tables, by node; empty where verifiers must not be read. */
    private Map<String, Map<String, Login>> logins(Group group) {
        Map<String, Map<String, Login>> nodes = new TreeMap<>();
        List<String> roles = new ArrayList<>();
        List<NodeAddress> originFirst =
                new ArrayList<>(List.of(Objects.requireNonNull(group.nodes().get(group.self()), group.self())));
        new TreeMap<>(group.nodes())
                .values().stream().filter(a -> !a.name().equals(group.self())).forEach(originFirst::add);
        for (NodeAddress address : originFirst) {
            try (NodeSession session = opener.apply(address)) {
                session.execute(PIN);
                if (!session.query("SHOW is_superuser").get(0).text(0).equals("on")) {
                    return Map.of();
                }
                if (roles.isEmpty()) {
                    session.query(LOGINS).forEach(row -> roles.add(row.text("role")));
                }
                Map<String, Login> found = new TreeMap<>();
                for (Row row : session.query(
                        "SELECT n AS role, r.rolname IS NOT NULL AND r.rolcanlogin AS there, coalesce(r.rolsuper, false) AS superuser,"
                                + " r.rolpassword AS verifier FROM unnest($1::text[]) n LEFT JOIN pg_authid r ON r.rolname = n",
                        roles)) {
                    found.put(
                            row.text("role"), new Login(row.flag("there"), row.flag("superuser"), row.get("verifier")));
                }
                nodes.put(address.name(), found);
            } catch (NodeException ignored) {
                // That it cannot be examined was said before.
            }
        }
        return nodes;
    }
}
