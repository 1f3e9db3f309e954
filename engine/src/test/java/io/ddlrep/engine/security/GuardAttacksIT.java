package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DDL and rows that try to get around ddlrep, on the origin and on replicas. */
class GuardAttacksIT {
    private static final List<String> DDL = List.of(
            "ALTER TABLE mallory.t ADD COLUMN x int",
            "ALTER TABLE mallory.t RENAME TO u",
            "ALTER TABLE mallory.t SET SCHEMA public",
            "ALTER TABLE mallory.t DISABLE TRIGGER USER",
            "ALTER TABLE mallory.t DISABLE ROW LEVEL SECURITY",
            "CREATE INDEX ON mallory.t (v)",
            "CREATE TABLE mallory.new (i int)",
            "CREATE TRIGGER z BEFORE INSERT ON mallory.t EXECUTE FUNCTION suppress_redundant_updates_trigger()",
            "CREATE RULE z AS ON INSERT TO mallory.t DO INSTEAD NOTHING",
            "COMMENT ON TABLE mallory.t IS 'x'",
            "GRANT SELECT ON mallory.t TO PUBLIC",
            "DROP TABLE mallory.t",
            "DO $$ BEGIN ALTER TABLE mallory.t ADD COLUMN x int; END $$",
            "DROP OWNED BY mallory");

    private final AttackedGroup group;

    GuardAttacksIT() throws SQLException {
        this.group = AttackedGroup.create("guard", "GRANT CREATE ON SCHEMA public TO mallory");
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write("mallory", "INSERT INTO mallory.t VALUES (1, 1)");
        group.synchronize();
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    private static ServerError refused(NodeSession session, String sql, String state) {
        ServerError error = Client.refusal(() -> session.execute(sql));
        assertThat(error.sqlState()).as("%s: %s", sql, error.message()).isEqualTo(state);
        return error;
    }

    @Test
    void ddl_around_ddlrep_is_refused_to_owners_and_superusers_on_every_node() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            List<String> own = new ArrayList<>(List.of(
                    "DROP TRIGGER \"!ddlrep_deny\" ON mallory.t",
                    "ALTER TABLE mallory.t DISABLE TRIGGER \"!ddlrep_deny\""));
            if (node.name().equals("n1")) {
                own = List.of(
                        "DROP TRIGGER \"!ddlrep_1i\" ON mallory.t",
                        "ALTER TABLE mallory.t DISABLE TRIGGER \"!ddlrep_1i\"");
            }
            List<NodeSession> sessions = List.of(group.session(node, "mallory"), group.session(node));
            try (NodeSession superuser = sessions.get(1)) {
                for (NodeSession session : sessions) {
                    for (String ddl : DDL) {
                        boolean code = ddl.startsWith("DO ") && node.name().equals("n1");
                        ServerError error = refused(session, ddl, code ? "55D02" : "55D01");
                        assertThat(error.hint())
                                .contains("jdbc:ddlrep://" + group.origin().host() + ":"
                                        + group.origin().port());
                    }
                    own.forEach(ddl -> refused(session, ddl, "55D01"));
                }
                superuser.execute("SELECT 1");
            }
        }
    }

    @Test
    void only_members_of_ddlrep_local_keep_ddl_local_and_it_is_recorded() throws SQLException {
        NodeSession mallory = group.session(group.node(2), "mallory");
        mallory.execute("SET ddlrep.replicate = off");
        refused(mallory, "COMMENT ON TABLE mallory.t IS 'x'", "55D01");
        refused(mallory, "SET ROLE ddlrep_local", "42501");
        group.node(2).execute("GRANT ddlrep_local TO mallory");
        try {
            mallory.execute("COMMENT ON TABLE mallory.t IS 'x'");
            assertThat(group.node(2).queryRows("SELECT actor, tag, object FROM ddlrep.drift_event"))
                    .containsExactly("mallory|COMMENT|table mallory.t");
            refused(mallory, "DELETE FROM ddlrep.drift_event", "42501");
        } finally {
            group.node(2).execute("REVOKE ddlrep_local FROM mallory");
        }
    }

    @Test
    void an_ordinary_user_cannot_take_the_guard_down() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            NodeSession mallory = group.session(node, "mallory");
            for (String attack : List.of(
                    "ALTER EVENT TRIGGER ddlrep_guard_end DISABLE",
                    "DROP EVENT TRIGGER ddlrep_guard_drop",
                    "ALTER EVENT TRIGGER ddlrep_guard_start OWNER TO mallory",
                    "CREATE OR REPLACE FUNCTION ddlrep.guard_end() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'",
                    "DROP FUNCTION ddlrep.guard_end() CASCADE",
                    "DROP SCHEMA ddlrep CASCADE",
                    "SET session_replication_role = replica",
                    "ALTER TABLE mallory.t DISABLE TRIGGER ALL",
                    "UPDATE ddlrep.publication SET scope = 'tables'",
                    "DELETE FROM ddlrep.replicated_table",
                    "UPDATE ddlrep.self SET database_oid = 0")) {
                assertThat(Client.refusal(() -> mallory.execute(attack)).sqlState())
                        .as(attack)
                        .isIn("42501", "55D01");
            }
        }
    }

    @Test
    void rows_written_to_a_replica_are_refused_in_every_way() throws SQLException {
        Client mallory = group.client("mallory");
        mallory.run("CREATE VIEW mallory.v AS SELECT * FROM mallory.t");
        mallory.run("CREATE TABLE mallory.parts (id int PRIMARY KEY, v int) PARTITION BY RANGE (id)");
        mallory.run("CREATE TABLE mallory.part1 PARTITION OF mallory.parts FOR VALUES FROM (0) TO (100)");
        int major = Integer.parseInt(String.valueOf(group.origin().queryText("SHOW server_version_num"))) / 10000;
        for (PgNode node : group.replicas()) {
            try (NodeSession superuser = group.session(node)) {
                for (NodeSession session : List.of(group.session(node, "mallory"), superuser)) {
                    List<String> writes = new ArrayList<>(List.of(
                            "INSERT INTO mallory.t VALUES (2, 2)",
                            "INSERT INTO mallory.t VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET v = 9",
                            "UPDATE mallory.t SET v = 2",
                            "DELETE FROM mallory.t",
                            "DELETE FROM mallory.t WHERE false",
                            "TRUNCATE mallory.t",
                            "WITH w AS (DELETE FROM mallory.t RETURNING *) SELECT * FROM w",
                            "INSERT INTO mallory.v VALUES (2, 2)",
                            "UPDATE mallory.v SET v = 2",
                            "INSERT INTO mallory.parts VALUES (1, 1)",
                            "INSERT INTO mallory.part1 VALUES (1, 1)",
                            "DELETE FROM mallory.part1",
                            "TRUNCATE mallory.parts",
                            "TRUNCATE mallory.part1"));
                    if (major >= 15) {
                        writes.add("MERGE INTO mallory.t USING (SELECT 2 AS i) s ON t.id = s.i"
                                + " WHEN NOT MATCHED THEN INSERT VALUES (s.i, 2)");
                    }
                    writes.forEach(sql -> refused(session, sql, "25006"));
                    ServerError copy = Client.refusal(() -> {
                        try (NodeSession.CopySink sink = session.copyIn("COPY mallory.t FROM STDIN")) {
                            sink.write("7\t7\n".getBytes(StandardCharsets.UTF_8));
                            sink.finish();
                        }
                    });
                    assertThat(copy.sqlState()).isEqualTo("25006");
                }
            }
        }
        group.assertRows("SELECT * FROM mallory.t", "1|1");
    }

    @Test
    void triggers_disabled_through_ddlrep_leave_capture_and_deny_on() throws SQLException {
        Client mallory = group.client("mallory");
        mallory.run("CREATE TABLE mallory.parts (id int PRIMARY KEY, v int) PARTITION BY RANGE (id)");
        mallory.run("CREATE TABLE mallory.part1 PARTITION OF mallory.parts FOR VALUES FROM (0) TO (100)");
        for (String table : List.of("mallory.t", "mallory.parts")) {
            mallory.run("ALTER TABLE " + table + " DISABLE TRIGGER USER");
            group.client().run("ALTER TABLE " + table + " DISABLE TRIGGER ALL");
            group.write(
                    "mallory",
                    "INSERT INTO " + table + " VALUES (7, 7)",
                    "UPDATE " + table + " SET v = 8 WHERE id = 7");
            group.assertRows("SELECT v FROM " + table + " WHERE id = 7", "8");
            for (PgNode node : group.replicas()) {
                refused(group.session(node, "mallory"), "DELETE FROM " + table, "25006");
                refused(group.session(node, "mallory"), "TRUNCATE " + table, "25006");
            }
        }
        mallory.run("ALTER TABLE mallory.part1 DISABLE TRIGGER USER");
        group.write("mallory", "UPDATE mallory.part1 SET v = 9", "INSERT INTO mallory.part1 VALUES (8, 8)");
        group.assertRows("SELECT * FROM mallory.parts ORDER BY 1", "7|9", "8|8");
        refused(group.session(group.node(2), "mallory"), "DELETE FROM mallory.part1", "25006");
    }

    @Test
    void a_trigger_with_the_name_of_ours_does_not_take_its_place() throws SQLException {
        Client mallory = group.client("mallory");
        mallory.run("CREATE FUNCTION mallory.nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
        for (String name : List.of("\"!ddlrep_1i\"", "\"!ddlrep_0k\"", "\"!ddlrep_deny\"")) {
            for (String attack : List.of(
                    "CREATE TRIGGER %s AFTER INSERT ON mallory.t FOR EACH ROW EXECUTE FUNCTION mallory.nothing()",
                    "CREATE OR REPLACE TRIGGER %s AFTER INSERT ON mallory.t FOR EACH ROW EXECUTE FUNCTION mallory.nothing()",
                    "DROP TRIGGER IF EXISTS %s ON mallory.t",
                    "ALTER TRIGGER %s ON mallory.t RENAME TO x",
                    "ALTER TABLE mallory.t DISABLE TRIGGER %s",
                    "COMMENT ON TRIGGER %s ON mallory.t IS 'x'")) {
                ServerError error = mallory.refused(attack.formatted(name));
                assertThat(error.sqlState()).as(attack).isEqualTo("42939");
            }
        }
        group.write("mallory", "INSERT INTO mallory.t VALUES (2, 2)", "UPDATE mallory.t SET id = 3 WHERE id = 2");
        group.assertRows("SELECT * FROM mallory.t ORDER BY 1", "1|1", "3|2");
        for (PgNode node : group.replicas()) {
            refused(group.session(node, "mallory"), "DELETE FROM mallory.t", "25006");
        }
    }
}
