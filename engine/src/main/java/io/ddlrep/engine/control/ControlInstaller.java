package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Installs, upgrades and removes the control schema on one node. Stateless and thread-safe; each call uses the caller's
 * session, which must be a superuser's and outside a transaction, and is one transaction of its own under an advisory
 * lock, so that installers of one node take turns. A lock on a shared catalog makes installers of two nodes in one
 * server take turns too, for the sake of the roles.
 *
 * <p>Fails with {@link NodeException}; nothing is changed then: 42501 without a superuser's rights, 55000 where the node
 * is not in a state for it (a schema newer than this code, a changed migration, another group, operations in doubt),
 * 55P03 where a table could not be locked within half a minute.
 *
 * <p>Crash rule: before the COMMIT nothing has happened, after it everything has.
 */
public final class ControlInstaller {
    /** Key of the advisory lock: "ddlrep" in ASCII. */
    private static final long LOCK = 0x64646c726570L;

    private static final String BEGIN = """
            BEGIN;
            SET LOCAL search_path = pg_catalog, pg_temp;
            SET LOCAL lock_timeout = '30s';
            SET LOCAL statement_timeout = 0;
            SET LOCAL client_min_messages = warning;
            SET LOCAL check_function_bodies = on;
            SET LOCAL default_tablespace = '';
            SET LOCAL default_table_access_method = heap""";

    private final Migrations migrations = Migrations.load();

    /** Makes an installer with the SQL that stands beside this class. */
    public ControlInstaller() {}

    /** The version of the control schema that this code brings. */
    public int version() {
        return migrations.version();
    }

    /** The version of a node's control schema; empty where there is none. Any role may ask. */
    public OptionalInt installedVersion(NodeSession session) {
        if (session.query("SELECT pg_catalog.to_regclass('ddlrep.schema_version') AS found")
                        .get(0)
                        .get("found")
                == null) {
            return OptionalInt.empty();
        }
        String version = session.query("SELECT pg_catalog.max(version) AS version FROM ddlrep.schema_version")
                .get(0)
                .get("version");
        return version == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(version));
    }

    /**
     * Installs the control schema, or upgrades it and renews the rows of nodes where this node is in the group already.
     *
     * @param session a superuser's, outside a transaction
     * @param installation what the node is told
     */
    public void install(NodeSession session, Installation installation) {
        inTransaction(session, () -> {
            refuseOtherGroup(session, installation);
            migrate(session);
            NodeIdentity identity = NodeIdentity.read(session);
            session.update(
                    "INSERT INTO ddlrep.self (group_id, node, system_identifier, database_oid) VALUES ($1, $2, $3, $4::bigint::oid)"
                            + " ON CONFLICT (only_row) DO UPDATE SET system_identifier = excluded.system_identifier,"
                            + " database_oid = excluded.database_oid",
                    installation.groupId(),
                    installation.node(),
                    identity.systemIdentifier(),
                    identity.databaseOid());
            GroupKey key = installation.key();
            session.update(
                    "INSERT INTO ddlrep.secret (key, inner_pad, outer_pad) VALUES ($1, $2, $3)"
                            + " ON CONFLICT (only_row) DO UPDATE SET key = excluded.key, inner_pad = excluded.inner_pad,"
                            + " outer_pad = excluded.outer_pad",
                    key.bytes(),
                    key.innerPad(),
                    key.outerPad());
            installation.members().forEach(member -> writeMember(session, member));
            setPassword(session, "ddlrep_apply", installation.verifiers().apply());
            setPassword(session, "ddlrep_service", installation.verifiers().service());
        });
    }

    private static void setPassword(NodeSession session, String role, Optional<ScramVerifier> verifier) {
        verifier.ifPresent(v -> session.execute("ALTER ROLE " + role + " PASSWORD '" + v.sql() + "'"));
    }

    /**
     * Upgrades a node's control schema to this code's version; its rows are kept. Does nothing but renew the functions
     * where the version is the same.
     *
     * @param session a superuser's, outside a transaction
     */
    public void upgrade(NodeSession session) {
        inTransaction(session, () -> {
            if (installedVersion(session).isEmpty()) {
                throw refused(session, "ddlrep: this database has no control schema", "ddlrep init makes one.");
            }
            migrate(session);
            NodeIdentity identity = NodeIdentity.read(session);
            session.update(
                    "UPDATE ddlrep.node SET major = $1 WHERE name = (SELECT s.node FROM ddlrep.self s)",
                    identity.major());
        });
    }

    /**
     * Removes everything of ddlrep from a node: event triggers, triggers on tables, schemas, and the roles when no other
     * database of the server uses them. Does nothing where there is nothing.
     *
     * @param session a superuser's, outside a transaction
     * @throws NodeException 55000 while an operation is in doubt: prepared or unfinished
     */
    public void uninstall(NodeSession session) {
        inTransaction(session, () -> {
            if (installedVersion(session).isPresent()) {
                refuseInDoubt(session);
            }
            session.execute("LOCK TABLE pg_catalog.pg_db_role_setting IN SHARE ROW EXCLUSIVE MODE");
            session.execute(SqlResource.text("control/uninstall.sql"));
        });
    }

    /**
     * Refuses while an operation is in doubt on a node; reads only.
     *
     * @throws NodeException 55000 with the operations
     */
    public void requireNothingInDoubt(NodeSession session) {
        if (installedVersion(session).isPresent()) {
            refuseInDoubt(session);
        }
    }

    private void migrate(NodeSession session) {
        session.execute("LOCK TABLE pg_catalog.pg_db_role_setting IN SHARE ROW EXCLUSIVE MODE");
        migrations.first().forEach(session::execute);
        Map<Integer, String> done = new HashMap<>();
        if (installedVersion(session).isPresent()) {
            for (Row row : session.query("SELECT version, checksum FROM ddlrep.schema_version")) {
                done.put((int) row.number("version"), row.text("checksum"));
            }
        }
        int newest = done.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
        if (newest > version()) {
            throw refused(
                    session,
                    "ddlrep: the control schema has version " + newest + ", this program knows " + version(),
                    "Use a newer ddlrep.");
        }
        for (Migrations.Numbered migration : migrations.numbered()) {
            String checksum = done.get(migration.version());
            if (checksum == null) {
                session.execute(migration.sql());
                session.update(
                        "INSERT INTO ddlrep.schema_version (version, checksum) VALUES ($1, $2)",
                        migration.version(),
                        migration.checksum());
            } else if (!checksum.equals(migration.checksum())) {
                throw refused(
                        session,
                        "ddlrep: migration " + migration.file() + " is not the one that was run on this node",
                        "The control schema was made by another build of ddlrep.");
            }
        }
        migrations.repeatable().forEach(session::execute);
    }

    private static void writeMember(NodeSession session, Installation.Member member) {
        session.update(
                "INSERT INTO ddlrep.node (name, host, port, database, system_identifier, database_oid, major)"
                        + " VALUES ($1, $2, $3, $4, $5, $6::bigint::oid, $7) ON CONFLICT (name) DO UPDATE SET"
                        + " host = excluded.host, port = excluded.port, database = excluded.database,"
                        + " system_identifier = excluded.system_identifier, database_oid = excluded.database_oid,"
                        + " major = excluded.major",
                member.address().name(),
                member.address().host(),
                member.address().port(),
                member.address().database(),
                member.identity().systemIdentifier(),
                member.identity().databaseOid(),
                member.identity().major());
    }

    private void refuseOtherGroup(NodeSession session, Installation installation) {
        if (installedVersion(session).isEmpty()) {
            return;
        }
        for (Row row : session.query("SELECT group_id, node FROM ddlrep.self")) {
            if (!row.text("group_id").equals(installation.groupId())
                    || !row.text("node").equals(installation.node())) {
                throw refused(
                        session,
                        "ddlrep: this database is node " + row.text("node") + " of group " + row.text("group_id")
                                + " already",
                        "ddlrep uninstall takes it out of that group.");
            }
        }
    }

    private static void refuseInDoubt(NodeSession session) {
        List<Row> doubts = session.query("""
                SELECT 'operation ' || o.op || ' is ' || o.state AS what FROM ddlrep.ddl_operation o
                WHERE o.state IN ('open', 'unresolved')
                UNION ALL SELECT 'transaction ' || x.gid || ' is prepared' FROM pg_catalog.pg_prepared_xacts x, ddlrep.self s
                WHERE x.database = pg_catalog.current_database() AND pg_catalog.starts_with(x.gid, 'ddlrep:' || s.group_id || ':')
                ORDER BY 1""");
        if (!doubts.isEmpty()) {
            ServerError error = ServerError.of("55000", "ddlrep: operations of this node are not finished")
                    .with(
                            String.join(
                                    "\n",
                                    doubts.stream().map(row -> row.text("what")).toList()),
                            "ddlrep recover finishes them.");
            throw new NodeException(session.node(), error, null);
        }
    }

    private static void refuseWithoutSuperuser(NodeSession session) {
        Row row = session.query("SELECT rolsuper, rolname FROM pg_catalog.pg_roles WHERE rolname = current_user")
                .get(0);
        if (!row.flag("rolsuper")) {
            ServerError error = ServerError.of(
                            "42501", "ddlrep: role " + row.text("rolname") + " may not install or remove ddlrep")
                    .with("Event triggers and roles are made, which takes a superuser.", "Log in as a superuser.");
            throw new NodeException(session.node(), error, null);
        }
    }

    private static NodeException refused(NodeSession session, String message, String hint) {
        return new NodeException(
                session.node(), ServerError.of("55000", message).with(null, hint), null);
    }

    private static void inTransaction(NodeSession session, Runnable work) {
        if (session.transactionStatus() != TransactionStatus.IDLE) {
            throw new IllegalStateException("the installer's session is in a transaction");
        }
        session.execute(BEGIN);
        boolean done = false;
        try {
            refuseWithoutSuperuser(session);
            session.query("SELECT pg_catalog.pg_advisory_xact_lock($1)", LOCK);
            work.run();
            session.execute("COMMIT");
            done = true;
        } finally {
            if (!done) {
                rollback(session);
            }
        }
    }

    private static void rollback(NodeSession session) {
        try {
            session.execute("ROLLBACK");
        } catch (NodeException ignored) {
            // The session is gone, and its transaction with it; the first failure is the one to tell.
        }
    }
}
