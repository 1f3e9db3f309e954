package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.ServerError;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerifyIT {
    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("verify");
        group.run("CREATE TABLE parent (id integer PRIMARY KEY)");
        group.run("CREATE TABLE t (id integer PRIMARY KEY, v varchar(10) DEFAULT 'x', n integer NOT NULL,"
                + " p integer REFERENCES parent)");
        group.run("CREATE INDEX t_n ON t (n)");
        group.run("CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
        group.run("CREATE TRIGGER touched BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch()");
        group.synchronize();
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ALTER TABLE t ALTER v SET DEFAULT 'y' | ALTER TABLE t ALTER v SET DEFAULT 'x' | 'y'",
                "ALTER TABLE t ALTER n DROP NOT NULL | ALTER TABLE t ALTER n SET NOT NULL | n",
                "ALTER TABLE t ALTER v TYPE varchar(20) | ALTER TABLE t ALTER v TYPE varchar(10) | character varying(20)",
                "ALTER TABLE t ADD stray integer | ALTER TABLE t DROP stray | stray",
                "CREATE INDEX stray ON t (v) | DROP INDEX stray | stray",
                "DROP INDEX t_n | CREATE INDEX t_n ON t (n) | t_n",
                "ALTER TABLE t ADD CONSTRAINT stray CHECK (n > 0) | ALTER TABLE t DROP CONSTRAINT stray | stray",
                "ALTER TABLE t DROP CONSTRAINT t_p_fkey | ALTER TABLE t ADD FOREIGN KEY (p) REFERENCES parent | t_p_fkey",
                "DROP TRIGGER touched ON t | CREATE TRIGGER touched BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch() | touched",
                "ALTER TABLE t SET (fillfactor = 50) | ALTER TABLE t RESET (fillfactor) | fillfactor",
                "GRANT SELECT ON t TO ddlrep_local | REVOKE SELECT ON t FROM ddlrep_local | ddlrep_local",
                "COMMENT ON COLUMN t.v IS 'stray' | COMMENT ON COLUMN t.v IS NULL | stray",
                "ALTER TABLE t ENABLE ROW LEVEL SECURITY | ALTER TABLE t DISABLE ROW LEVEL SECURITY | n2",
                "ALTER TABLE t ALTER n SET STATISTICS 7 | ALTER TABLE t ALTER n SET STATISTICS -1 | 7"
            })
    void a_fact_that_differs_on_a_replica_stops_the_next_operation(String change, String restore, String named)
            throws Exception {
        group.local(2, change);
        try (TestClient client = group.client()) {
            Map<String, List<String>> before = group.state();
            ServerError error = client.refused("ALTER TABLE t ADD COLUMN z integer");
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.message()).contains("\"public\".\"t\"");
            assertThat(error.detail()).contains("n2").contains(named);
            group.assertUnchanged(before);
            group.local(2, restore);
            client.run("COMMENT ON TABLE t IS '" + named.replace("'", "") + "'");
            assertThat(group.lastOperation()).isEqualTo("committed");
        }
        group.assertEqualNodes();
    }

    @Test
    void a_table_that_is_missing_on_a_replica_stops_the_next_operation() throws Exception {
        group.run("CREATE TABLE m (id integer PRIMARY KEY)");
        group.local(3, "ALTER TABLE m RENAME TO away");
        try (TestClient client = group.client()) {
            ServerError error = client.refused("ALTER TABLE m ADD COLUMN z integer");
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.message() + error.detail()).contains("m").contains("n3");
            group.local(3, "ALTER TABLE away RENAME TO m");
            client.run("ALTER TABLE m ADD COLUMN z integer");
        }
        group.assertEqualNodes();
    }

    @Test
    void a_statement_that_means_something_else_on_a_replica_is_rolled_back_everywhere() throws Exception {
        group.run("CREATE TYPE kind AS ENUM ('a', 'b')");
        group.local(2, "ALTER TYPE kind ADD VALUE 'c'");
        Map<String, List<String>> before = group.state();
        try (TestClient client = group.client()) {
            ServerError error = client.refused("ALTER TABLE t ADD COLUMN k kind");
            assertThat(error.sqlState()).isEqualTo("55000");
            assertThat(error.detail()).contains("n2");
        }
        group.assertUnchanged(before);
        group.local(2, "DROP TYPE kind", "CREATE TYPE kind AS ENUM ('a', 'b')");
        group.run("ALTER TABLE t ADD COLUMN k kind; ALTER TABLE t DROP COLUMN k; DROP TYPE kind");
        group.assertEqualNodes();
    }
}
