package io.ddlrep.engine.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The installer on one dedicated server, so that the roles of the server can be watched too. */
@TestInstance(Lifecycle.PER_CLASS)
class ControlInstallerIT {
    private static final String TRACES = """
            SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname LIKE 'ddlrep%'
            UNION ALL SELECT 'event trigger ' || evtname FROM pg_event_trigger
            UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
            UNION ALL SELECT 'role ' || rolname FROM pg_roles WHERE rolname LIKE 'ddlrep%' ORDER BY 1""";

    private final ControlInstaller installer = new ControlInstaller();
    private final PgGroup server = PgGroup.dedicated(1, PgServerOptions.of(PgBinaries.defaultMajor()));
    private int databases;

    @BeforeAll
    void plain_role() throws Exception {
        server.node(1).execute("CREATE ROLE plain LOGIN PASSWORD 'plain'");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private PgNode database() throws Exception {
        PgNode node = server.node(1).withDatabase("control_" + ++databases);
        server.node(1).execute("CREATE DATABASE " + node.database());
        return node;
    }

    private Installation installation(PgNode node, String group) {
        try (NodeSession session = InstalledGroup.open(node)) {
            return new Installation(
                    group,
                    "n1",
                    List.of(new Installation.Member(InstalledGroup.address(node), NodeIdentity.read(session))),
                    GroupKey.random(),
                    Optional.empty());
        }
    }

    private void uninstall(PgNode node) {
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.uninstall(session);
        }
    }

    @Test
    void installs_and_leaves_no_trace_when_it_is_removed() throws Exception {
        PgNode node = database();
        try (NodeSession session = InstalledGroup.open(node)) {
            assertThat(installer.installedVersion(session)).isEmpty();
            installer.install(session, installation(node, "g1"));
            assertThat(installer.installedVersion(session)).hasValue(installer.version());
            assertThat(GroupReader.read(session).orElseThrow().groupId()).isEqualTo("g1");
            session.execute("CREATE TABLE t (id int PRIMARY KEY);"
                    + "CREATE FUNCTION ddlrep_shadow.deny() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
                    + "CREATE TRIGGER \"!deny\" BEFORE INSERT ON t EXECUTE FUNCTION ddlrep_shadow.deny();"
                    + "CREATE TABLE p (id int) PARTITION BY LIST (id); CREATE TABLE p1 PARTITION OF p DEFAULT;"
                    + "CREATE TRIGGER \"!deny\" AFTER INSERT ON p FOR EACH ROW EXECUTE FUNCTION ddlrep_shadow.deny();"
                    + "GRANT SELECT ON t TO ddlrep_apply; SELECT ddlrep.preparer(current_user)");
            assertThat(node.queryRows(TRACES)).hasSizeGreaterThan(8);
            installer.uninstall(session);
            assertThat(node.queryRows(TRACES)).isEmpty();
            installer.uninstall(session);
        }
    }

    @Test
    void every_object_has_a_comment() throws Exception {
        PgNode node = database();
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.install(session, installation(node, "g1"));
        }
        assertThat(node.queryRows("""
                        SELECT 'table ' || oid::regclass FROM pg_class WHERE relnamespace = 'ddlrep'::regnamespace
                            AND relkind IN ('r', 'v') AND obj_description(oid, 'pg_class') IS NULL
                        UNION ALL SELECT 'sequence ' || oid::regclass FROM pg_class c WHERE relnamespace = 'ddlrep'::regnamespace
                            AND relkind = 'S' AND obj_description(oid, 'pg_class') IS NULL
                            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i')
                        UNION ALL SELECT 'function ' || oid::regprocedure FROM pg_proc WHERE pronamespace = 'ddlrep'::regnamespace
                            AND obj_description(oid, 'pg_proc') IS NULL
                        UNION ALL SELECT 'event trigger ' || evtname FROM pg_event_trigger
                            WHERE obj_description(oid, 'pg_event_trigger') IS NULL""")).isEmpty();
        uninstall(node);
    }

    @Test
    void roles_stay_while_another_database_of_the_server_uses_them() throws Exception {
        PgNode one = database();
        PgNode two = database();
        for (PgNode node : List.of(one, two)) {
            try (NodeSession session = InstalledGroup.open(node)) {
                installer.install(session, installation(node, "g1"));
            }
        }
        uninstall(one);
        assertThat(one.queryRows(TRACES))
                .containsExactly("role ddlrep_apply", "role ddlrep_local", "role ddlrep_owner", "role ddlrep_service");
        uninstall(two);
        assertThat(two.queryRows(TRACES)).isEmpty();
    }

    @Test
    void installers_of_one_node_and_of_two_nodes_in_one_server_take_turns() throws Exception {
        PgNode one = database();
        PgNode two = database();
        Installation first = installation(one, "g1");
        Installation second = installation(two, "g1");
        List<CompletableFuture<Void>> all = Stream.of(one, two, one, two)
                .map(node -> CompletableFuture.runAsync(() -> {
                    try (NodeSession session = InstalledGroup.open(node)) {
                        installer.install(session, node.equals(one) ? first : second);
                    }
                }))
                .toList();
        all.forEach(CompletableFuture::join);
        assertThat(one.queryText("SELECT count(*) FROM ddlrep.node")).isEqualTo("1");
        uninstall(one);
        uninstall(two);
    }

    @Test
    void a_role_without_superuser_rights_is_refused_with_42501() throws Exception {
        PgNode node = database();
        try (NodeSession session = InstalledGroup.open(node, "plain", "plain")) {
            assertThatThrownBy(() -> installer.install(session, installation(node, "g1")))
                    .isInstanceOfSatisfying(
                            NodeException.class, e -> assertThat(e.sqlState()).isEqualTo("42501"));
            assertThatThrownBy(() -> installer.uninstall(session)).hasMessageContaining("may not install");
        }
        assertThat(node.queryRows(TRACES)).isEmpty();
    }

    @Test
    void a_newer_schema_and_a_changed_migration_are_refused() throws Exception {
        PgNode node = database();
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.install(session, installation(node, "g1"));
            session.execute("INSERT INTO ddlrep.schema_version VALUES (999, 'x')");
            assertThatThrownBy(() -> installer.upgrade(session)).isInstanceOfSatisfying(NodeException.class, e -> {
                assertThat(e.sqlState()).isEqualTo("55000");
                assertThat(e.getMessage()).contains("has version 999");
            });
            session.execute("DELETE FROM ddlrep.schema_version WHERE version = 999;"
                    + "UPDATE ddlrep.schema_version SET checksum = 'x' WHERE version = 1");
            assertThatThrownBy(() -> installer.upgrade(session)).hasMessageContaining("V001__tables.sql");
        }
        uninstall(node);
    }

    @Test
    void an_older_schema_is_upgraded_and_keeps_its_rows() throws Exception {
        PgNode node = database();
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.install(session, installation(node, "g1"));
            session.execute(
                    "ALTER TABLE ddlrep.node DROP COLUMN major; DROP TABLE ddlrep.batch_used, ddlrep.outside, ddlrep.code_statement;"
                            + "DELETE FROM ddlrep.schema_version WHERE version > 1;"
                            + "DROP FUNCTION ddlrep.guarded_schema(text);"
                            + "INSERT INTO ddlrep.publication VALUES ('kept', 'n1', 'tables')");
            installer.upgrade(session);
            assertThat(installer.installedVersion(session)).hasValue(installer.version());
        }
        assertThat(node.queryText("SELECT name FROM ddlrep.publication")).isEqualTo("kept");
        assertThat(node.queryText("SELECT major FROM ddlrep.node"))
                .isEqualTo(Integer.toString(PgBinaries.defaultMajor()));
        uninstall(node);
    }

    @Test
    void a_node_of_another_group_is_refused() throws Exception {
        PgNode node = database();
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.install(session, installation(node, "g1"));
            assertThatThrownBy(() -> installer.install(session, installation(node, "g2")))
                    .hasMessageContaining("node n1 of group g1 already");
        }
        uninstall(node);
    }

    @Test
    void removal_is_refused_while_an_operation_is_in_doubt() throws Exception {
        PgNode node = database();
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.install(session, installation(node, "g1"));
            session.execute(
                    "INSERT INTO ddlrep.ddl_operation (op, publications, nodes, state, actor, coordinator, client_pid,"
                            + " client_backend_start, search_path, role) VALUES ('op1', '{}', '{}', 'unresolved', 'a', 'c', 1, now(), '', '')");
            assertThatThrownBy(() -> installer.uninstall(session)).isInstanceOfSatisfying(NodeException.class, e -> {
                assertThat(e.sqlState()).isEqualTo("55000");
                assertThat(e.error().detail()).isEqualTo("operation op1 is unresolved");
            });
            session.execute("UPDATE ddlrep.ddl_operation SET state = 'committed'");
            session.execute("BEGIN; CREATE TABLE x (); PREPARE TRANSACTION 'ddlrep:g1:n1:op2'");
            assertThatThrownBy(() -> installer.uninstall(session))
                    .isInstanceOfSatisfying(
                            NodeException.class,
                            e -> assertThat(e.error().detail()).isEqualTo("transaction ddlrep:g1:n1:op2 is prepared"));
            session.execute("ROLLBACK PREPARED 'ddlrep:g1:n1:op2'");
            installer.uninstall(session);
        }
        assertThat(node.queryRows(TRACES)).isEmpty();
    }

    @Test
    void tickets_made_in_java_are_good_in_the_server_and_work_once() throws Exception {
        PgNode node = database();
        Installation installation = installation(node, "g1");
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.install(session, installation);
            String backend =
                    session.query("SELECT ddlrep.backend() AS b").get(0).text("b");
            String ticket = installation.key().tickets().issue("enter", "op1", 1, backend, "false");
            session.execute("BEGIN");
            session.query("SELECT ddlrep.enter('op1', 1, false, $1)", ticket);
            assertThat(session.query("SELECT ddlrep.in_operation() AS op")
                            .get(0)
                            .get("op"))
                    .isEqualTo("op1");
            assertThatThrownBy(() -> session.query("SELECT ddlrep.enter('op1', 1, false, $1)", ticket))
                    .hasMessageContaining("used before");
            session.execute("ROLLBACK");
        }
        uninstall(node);
    }

    @Test
    void ddlrep_apply_gets_its_password_as_a_verifier_that_logs_in() throws Exception {
        PgNode node = database();
        Installation plain = installation(node, "g1");
        ScramVerifier verifier = ScramVerifier.of("s e cr'et");
        try (NodeSession session = InstalledGroup.open(node)) {
            installer.install(
                    session,
                    new Installation(
                            plain.groupId(), plain.node(), plain.members(), plain.key(), Optional.of(verifier)));
        }
        assertThat(node.queryText("SELECT rolpassword FROM pg_authid WHERE rolname = 'ddlrep_apply'"))
                .isEqualTo(verifier.sql());
        try (NodeSession apply = InstalledGroup.open(node, "ddlrep_apply", "s e cr'et")) {
            assertThat(apply.query("SHOW session_replication_role").get(0).get(0))
                    .isEqualTo("replica");
            assertThat(apply.query("SHOW search_path").get(0).get(0)).isEqualTo("pg_catalog, pg_temp");
        }
        uninstall(node);
    }

    @Test
    void the_list_of_migrations_names_every_file() throws IOException {
        Path directory = Path.of(System.getProperty("ddlrep.root", "."))
                .resolve("engine/src/main/resources/io/ddlrep/engine/control");
        List<String> listed = SqlResource.text("control/migrations.txt")
                .lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.matches("(V\\d+|R)__.*\\.sql")))
                    .containsExactlyInAnyOrderElementsOf(listed);
        }
    }
}
