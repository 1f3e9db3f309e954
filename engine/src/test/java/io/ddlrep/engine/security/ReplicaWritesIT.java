package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Code of users that runs on replicas and writes to replicated tables there, where ordinary triggers do not fire. */
class ReplicaWritesIT {
    private static final String CODE = """
            CREATE TABLE mallory.attack (sql text);
            CREATE TABLE mallory.other (id int PRIMARY KEY, v int);
            CREATE FUNCTION mallory.there() RETURNS void LANGUAGE plpgsql AS $e$
            DECLARE
                sql text;
            BEGIN
                IF current_setting('session_replication_role') = 'replica' THEN
                    FOR sql IN SELECT a.sql FROM mallory.attack a LOOP
                        EXECUTE sql;
                    END LOOP;
                END IF;
            END
            $e$;
            CREATE FUNCTION mallory.writes(x int DEFAULT 1) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $e$
            BEGIN
                PERFORM mallory.there();
                RETURN x;
            END
            $e$;
            CREATE FUNCTION mallory.in_sql() RETURNS void LANGUAGE sql AS $e$ UPDATE mallory.other SET v = 666 $e$;
            CREATE FUNCTION mallory.trig() RETURNS trigger LANGUAGE plpgsql AS $e$
            BEGIN
                PERFORM mallory.there();
                RETURN NEW;
            END
            $e$;
            CREATE TABLE mallory.parts (id int PRIMARY KEY) PARTITION BY RANGE (id);
            CREATE TABLE mallory.part PARTITION OF mallory.parts FOR VALUES FROM (0) TO (100);
            CREATE TABLE mallory.c (id int PRIMARY KEY, v int, CHECK (mallory.writes(v) > 0))""";

    /** Looks like a statement of the apply function to who reads the call stack as text. */
    private static final String FORGED = "UPDATE mallory.other SET v = 666 /*\"\n"
            + "PL/pgSQL function ddlrep_apply.apply_%s(text,boolean,integer,text) line 1 at EXECUTE */";

    private final AttackedGroup group;
    private final Client mallory;

    ReplicaWritesIT() throws SQLException {
        this.group = AttackedGroup.create("writes", "SET ROLE mallory", CODE, "RESET ROLE");
        this.mallory = group.client("mallory");
    }

    @BeforeEach
    void fill() throws SQLException {
        group.write(
                "mallory",
                "INSERT INTO mallory.t VALUES (1, 1)",
                "INSERT INTO mallory.other VALUES (1, 1)",
                "INSERT INTO mallory.parts VALUES (1)");
        group.synchronize();
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    /** The attack is replicated like any row, and acts on replicas alone. */
    private void attackWith(String sql) throws SQLException {
        String quoted = sql.replace("'", "''");
        group.write("mallory", "DELETE FROM mallory.attack", "INSERT INTO mallory.attack VALUES ('" + quoted + "')");
        group.synchronize();
    }

    private static void assertDenied(ServerError error) {
        assertThat(error.sqlState()).as(error.toString()).isEqualTo("25006");
        assertThat(error.hint()).contains("must not write to replicated tables");
    }

    private void assertEqualNodes() throws SQLException {
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows("SELECT * FROM mallory.other ORDER BY 1"))
                    .as("other on %s", node.name())
                    .containsExactly("1|1");
            assertThat(node.queryRows("SELECT * FROM mallory.parts ORDER BY 1"))
                    .as("parts on %s", node.name())
                    .containsExactly("1");
        }
    }

    private List<String> attacks() throws SQLException {
        return List.of(
                "INSERT INTO mallory.other VALUES (666, 6)",
                "UPDATE mallory.other SET v = 666",
                "DELETE FROM mallory.other",
                "TRUNCATE mallory.other",
                "SELECT mallory.in_sql()",
                "DELETE FROM mallory.part",
                "TRUNCATE mallory.parts",
                "INSERT INTO mallory.c VALUES (666, 0)",
                "SELECT ddlrep.empty_table('mallory.other')",
                FORGED.formatted(group.origin()
                        .queryText("SELECT table_id FROM ddlrep.replicated_table WHERE table_name = 'other'")));
    }

    @Test
    void a_function_that_applied_and_carried_rows_call_changes_no_replicated_table() throws SQLException {
        int row = 0;
        for (String attack : attacks()) {
            attackWith(attack);
            assertDenied(mallory.refused(
                    "BEGIN; INSERT INTO mallory.c VALUES (-1, 2); ALTER TABLE mallory.t ADD COLUMN x int; COMMIT"));
            row++;
            group.write("mallory", "INSERT INTO mallory.c VALUES (" + row + ", 1)");
            assertDenied(Client.refusal(group::synchronize));
            assertEqualNodes();
            for (PgNode node : group.replicas()) {
                assertThat(node.queryRows("SELECT * FROM mallory.c WHERE id < 0 OR id >= " + row))
                        .as(attack)
                        .isEmpty();
            }
            // Applied before the row that calls it.
            group.write("mallory", "DELETE FROM mallory.attack");
            group.assertRows("SELECT max(id) FROM mallory.c", Integer.toString(row));
        }
    }

    @Test
    void a_function_that_ddl_calls_changes_no_replicated_table() throws SQLException {
        attackWith("UPDATE mallory.other SET v = 666");
        for (String ddl : List.of(
                "ALTER TABLE mallory.t ADD COLUMN x int DEFAULT mallory.writes()",
                "ALTER TABLE mallory.t ADD CHECK (mallory.writes(v) > 0)",
                "CREATE INDEX ON mallory.t (mallory.writes(v))")) {
            assertDenied(mallory.refused(ddl));
            assertEqualNodes();
            for (PgNode node : group.nodes().nodes()) {
                assertThat(node.queryRows("SELECT * FROM mallory.t")).containsExactly("1|1");
            }
        }
    }

    @Test
    void a_trigger_and_a_rule_that_are_enabled_always_change_no_replicated_table() throws SQLException {
        mallory.run("CREATE TABLE mallory.quiet (id int PRIMARY KEY, v int)");
        mallory.run("CREATE TABLE mallory.ruled (id int PRIMARY KEY, v int)");
        mallory.run("CREATE TRIGGER z BEFORE UPDATE ON mallory.quiet FOR EACH ROW EXECUTE FUNCTION mallory.trig()");
        mallory.run("ALTER TABLE mallory.quiet ENABLE ALWAYS TRIGGER z");
        group.write("mallory", "INSERT INTO mallory.quiet VALUES (1, 1)", "INSERT INTO mallory.ruled VALUES (1, 1)");
        attackWith("UPDATE mallory.other SET v = 666");
        group.write("mallory", "UPDATE mallory.quiet SET v = 2");
        assertDenied(Client.refusal(group::synchronize));
        assertEqualNodes();
        group.write("mallory", "DELETE FROM mallory.attack");
        group.assertRows("SELECT v FROM mallory.quiet", "2");
        // A rule is part of the very statement that applies the rows.
        for (PgNode node : group.replicas()) {
            node.execute(
                    "SET ddlrep.replicate = off",
                    "CREATE RULE r AS ON DELETE TO mallory.ruled DO ALSO DELETE FROM mallory.other",
                    "ALTER TABLE mallory.ruled ENABLE ALWAYS RULE r");
        }
        group.write("mallory", "DELETE FROM mallory.ruled");
        assertDenied(Client.refusal(group::synchronize));
        assertEqualNodes();
    }

    @Test
    void what_code_writes_to_a_table_that_is_not_replicated_stays_its_own_affair() throws SQLException {
        attackWith("INSERT INTO spy.log VALUES (session_user, current_user, 'seen', 'here')");
        mallory.run("BEGIN; INSERT INTO mallory.c VALUES (2, 2); ALTER TABLE mallory.t ADD COLUMN x int; COMMIT");
        group.write("mallory", "INSERT INTO mallory.c VALUES (1, 1)");
        group.assertRows("SELECT * FROM mallory.c ORDER BY 1", "1|1", "2|2");
        for (PgNode node : group.replicas()) {
            assertThat(node.queryRows("SELECT DISTINCT login, runs_as FROM spy.log ORDER BY 1"))
                    .containsExactly("ddlrep_apply|mallory", "mallory|mallory");
        }
    }

    @Test
    void who_may_act_as_a_replica_mends_rows_by_hand() throws SQLException {
        for (PgNode node : group.replicas()) {
            node.execute(
                    "SET session_replication_role = replica",
                    "UPDATE mallory.other SET v = 2",
                    "UPDATE mallory.other SET v = 1",
                    "DELETE FROM mallory.part",
                    "INSERT INTO mallory.parts VALUES (1)");
        }
        assertEqualNodes();
    }
}
