package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows that the origin has captured and no replica has applied, and a statement that such rows would not survive, or that
 * would not survive them. Nothing replicates here but the operation itself.
 *
 * <p>Triggers that fire on replicas as well write down each row image as it comes, and the shape that the table has then.
 */
class BacklogIT {
    private static final List<Integer> REPLICAS = List.of(2, 3);

    private static TestGroup group;

    /** What is captured, what mends it, and the statement that needs it mended; {@code fails} is how it fails otherwise. */
    enum Trap {
        A_NULL(
                "id integer PRIMARY KEY, v text",
                "INSERT INTO %t VALUES (101, NULL)",
                "UPDATE %t SET v = 'mended' WHERE id = 101",
                "ALTER TABLE %t ALTER COLUMN v SET NOT NULL",
                "23502"),
        A_NULL_IN_A_TABLE_WITHOUT_A_KEY(
                "id integer, v text",
                "UPDATE %t SET v = NULL WHERE id IN (1, 2)",
                "UPDATE %t SET v = 'mended' WHERE v IS NULL",
                "ALTER TABLE %t ALTER COLUMN v SET NOT NULL",
                "23502"),
        A_DUPLICATE(
                "id integer, v text",
                "INSERT INTO %t VALUES (101, 'one'), (101, 'two'), (102, 'other')",
                "UPDATE %t SET id = 103 WHERE v = 'two'",
                "ALTER TABLE %t ADD PRIMARY KEY (id)",
                "23505"),
        A_TWIN(
                "id integer, v text",
                "INSERT INTO %t SELECT * FROM %t WHERE id <= 3",
                "DELETE FROM %t WHERE ctid IN (SELECT max(ctid) FROM %t GROUP BY id HAVING count(*) > 1)",
                "ALTER TABLE %t ADD PRIMARY KEY (id)",
                "23505"),
        A_VALUE_THAT_CANNOT_BE_CAST(
                "id integer PRIMARY KEY, v text",
                "INSERT INTO %t VALUES (101, 'many'), (102, '12')",
                "UPDATE %t SET v = '11' WHERE v = 'many'",
                "ALTER TABLE %t ALTER COLUMN v TYPE integer USING v::integer",
                "22P02"),
        A_VALUE_OF_A_DROPPED_COLUMN(
                "id integer PRIMARY KEY, v text",
                "INSERT INTO %t VALUES (101, 'gone')",
                "UPDATE %t SET v = 'gone again' WHERE id IN (1, 101)",
                "ALTER TABLE %t DROP COLUMN v",
                "");

        private final String columns;
        private final String transience;
        private final String correction;
        private final String ddl;
        private final String fails;

        Trap(String columns, String transience, String correction, String ddl, String fails) {
            this.columns = columns;
            this.transience = transience.replace("%t", table());
            this.correction = correction.replace("%t", table());
            this.ddl = ddl.replace("%t", table());
            this.fails = fails;
        }

        String table() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How the rows, the correction and the statement are spread over transactions. */
    enum Way {
        IN_ONE_TRANSACTION {
            @Override
            void run(Trap trap) throws SQLException {
                group.origin().execute("BEGIN", trap.transience, trap.correction, "COMMIT");
                group.run(trap.ddl);
            }
        },
        IN_TRANSACTIONS_OF_THEIR_OWN {
            @Override
            void run(Trap trap) throws SQLException {
                group.origin().execute(trap.transience, trap.correction);
                group.run(trap.ddl);
            }
        },
        WITH_ROWS_THAT_THE_REPLICAS_HAVE {
            @Override
            void run(Trap trap) throws SQLException {
                group.origin().execute(trap.transience);
                group.synchronize();
                group.origin().execute(trap.correction);
                group.run(trap.ddl);
            }
        },
        CORRECTED_BY_THE_SCRIPT {
            @Override
            void run(Trap trap) throws SQLException {
                group.origin().execute(trap.transience);
                group.run(trap.correction + "; " + trap.ddl);
            }
        },
        CORRECTED_BY_THE_SCRIPT_WITH_ROWS_THAT_THE_REPLICAS_HAVE {
            @Override
            void run(Trap trap) throws SQLException {
                group.origin().execute(trap.transience);
                group.synchronize();
                group.run(trap.correction + "; " + trap.ddl);
            }
        },
        ALL_IN_THE_SCRIPT {
            @Override
            void run(Trap trap) {
                group.run(trap.transience + "; " + trap.correction + "; " + trap.ddl);
            }
        },
        IN_A_TRANSACTION_THAT_HAS_CARRIED_THE_ROWS {
            @Override
            void run(Trap trap) {
                // The first statement carries the transient rows to the replicas, the second one what mends them.
                group.client()
                        .run("BEGIN; " + trap.transience + "; ALTER TABLE " + trap.table() + " SET (fillfactor = 90); "
                                + trap.correction + "; " + trap.ddl + "; COMMIT");
            }
        };

        abstract void run(Trap trap) throws SQLException;
    }

    @BeforeAll
    static void start() throws SQLException {
        group = TestGroup.create("backlog");
        for (PgNode node : group.nodes().nodes()) {
            node.execute(
                    "SET ddlrep.replicate = off",
                    "CREATE SCHEMA ddlrep_seen",
                    "CREATE TABLE ddlrep_seen.image (name text, image jsonb, shape text)",
                    "CREATE FUNCTION ddlrep_seen.shape(regclass) RETURNS text LANGUAGE sql AS $$ SELECT"
                            + " string_agg(attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull"
                            + " THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY attnum) FROM pg_catalog.pg_attribute"
                            + " WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped $$");
        }
        group.run("CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO ddlrep_seen.image"
                + " SELECT TG_TABLE_NAME, to_jsonb(i), ddlrep_seen.shape(TG_RELID) FROM image i; RETURN NULL; END $$");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    /** A table for each trap, with twenty rows that all nodes have; what comes from now on is noted. */
    @BeforeEach
    void tables() throws SQLException {
        StringBuilder make = new StringBuilder("DROP TABLE IF EXISTS ")
                .append(Arrays.stream(Trap.values()).map(Trap::table).collect(Collectors.joining(", ")))
                .append("; ");
        List<String> fill = new ArrayList<>();
        for (Trap trap : Trap.values()) {
            String t = trap.table();
            make.append("CREATE TABLE " + t + " (" + trap.columns + ");"
                    + " CREATE TRIGGER i AFTER INSERT ON " + t + " REFERENCING NEW TABLE AS image"
                    + " EXECUTE FUNCTION note(); CREATE TRIGGER u AFTER UPDATE ON " + t
                    + " REFERENCING NEW TABLE AS image EXECUTE FUNCTION note(); ALTER TABLE " + t
                    + " ENABLE ALWAYS TRIGGER i, ENABLE ALWAYS TRIGGER u; ");
            fill.add("INSERT INTO " + t + " SELECT g, g::text FROM generate_series(1, 20) g");
        }
        group.run(make.toString());
        group.origin().execute(fill.toArray(String[]::new));
        group.synchronize();
        for (int replica : REPLICAS) {
            group.node(replica).execute("TRUNCATE ddlrep_seen.image");
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "IN_ONE_TRANSACTION",
                "WITH_ROWS_THAT_THE_REPLICAS_HAVE",
                "CORRECTED_BY_THE_SCRIPT_WITH_ROWS_THAT_THE_REPLICAS_HAVE",
                "ALL_IN_THE_SCRIPT"
            })
    void what_was_mended_before_the_statement_does_not_stop_it_anywhere(Way way) throws SQLException {
        mendedRowsStopNothing(way);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "IN_TRANSACTIONS_OF_THEIR_OWN",
                "CORRECTED_BY_THE_SCRIPT",
                "IN_A_TRANSACTION_THAT_HAS_CARRIED_THE_ROWS"
            })
    @Tag("long")
    void neither_does_it_in_other_orders(Way way) throws SQLException {
        mendedRowsStopNothing(way);
    }

    private static void mendedRowsStopNothing(Way way) throws SQLException {
        List<String> writes = new ArrayList<>();
        for (Trap trap : Trap.values()) {
            String shape = shape(group.origin(), trap);
            way.run(trap);
            assertThat(group.lastOperation()).as("%s", trap).isEqualTo("committed");
            assertThat(shape(group.origin(), trap)).as("%s", trap).isNotEqualTo(shape);
            List<String> rows = rows(group.origin(), trap);
            for (int replica : REPLICAS) {
                // Not synchronized since: what a replica has now, the operation has brought.
                assertThat(rows(group.node(replica), trap))
                        .as("%s, rows of n%d", trap, replica)
                        .isEqualTo(rows);
                assertThat(group.node(replica)
                                .queryRows("SELECT DISTINCT shape FROM ddlrep_seen.image WHERE name = '" + trap.table()
                                        + "'"))
                        .as("%s, the shape of the table when rows came to n%d", trap, replica)
                        .isSubsetOf(shape)
                        .hasSizeGreaterThanOrEqualTo(trap == Trap.A_TWIN ? 0 : 1);
            }
            writes.add("UPDATE " + trap.table() + " SET id = id + 1000 WHERE id % 2 = 0");
            writes.add("DELETE FROM " + trap.table() + " WHERE id < 5");
        }
        group.origin().execute(writes.toArray(String[]::new));
        group.assertEqualNodes();
    }

    @Test
    void without_the_correction_nothing_is_changed_and_with_it_the_statement_can_be_sent_again() throws SQLException {
        try (TestClient client = group.client()) {
            for (Trap trap : Trap.values()) {
                String shape = shape(group.origin(), trap);
                group.origin().execute(trap.transience);
                if (!trap.fails.isEmpty()) {
                    assertThat(client.refused(trap.ddl).sqlState())
                            .as("%s", trap)
                            .isEqualTo(trap.fails);
                    for (PgNode node : group.nodes().nodes()) {
                        assertThat(shape(node, trap)).isEqualTo(shape);
                    }
                }
                group.origin().execute(trap.correction);
                client.run(trap.ddl);
                assertThat(shape(group.node(3), trap)).as("%s", trap).isNotEqualTo(shape);
            }
        }
        group.assertEqualNodes();
    }

    private static List<String> rows(PgNode node, Trap trap) throws SQLException {
        return node.queryRows("SELECT t::text FROM " + trap.table() + " t ORDER BY 1");
    }

    private static String shape(PgNode node, Trap trap) throws SQLException {
        return node.queryRows("SELECT ddlrep_seen.shape('" + trap.table() + "'::regclass)")
                .get(0);
    }
}
