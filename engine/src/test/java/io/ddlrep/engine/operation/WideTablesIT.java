package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.engine.node.NodeException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As many columns as PostgreSQL allows, which leaves none for what a shadow table holds besides. */
class WideTablesIT {
    private static final int MOST = 1_600;

    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("wide");
        group.run("CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s, \"odd\"')");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    private enum Layout {
        KEYED("PRIMARY KEY (c1)", ""),
        WITHOUT_KEY("CHECK (c1 > 0)", ""),
        WITH_A_TRIGGER(
                "PRIMARY KEY (c1)", "CREATE TRIGGER g BEFORE UPDATE ON ${t} FOR EACH ROW EXECUTE FUNCTION keeps()"),
        PARTITIONED(
                "PRIMARY KEY (c1)) PARTITION BY HASH (c1",
                "CREATE TABLE ${t}1 PARTITION OF ${t} FOR VALUES WITH (MODULUS 1, REMAINDER 0)");

        private final String ending;
        private final String also;

        Layout(String ending, String also) {
            this.ending = ending;
            this.also = also;
        }
    }

    private static String columns(int from, int to, String type) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> "c" + i + " " + type)
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void as_many_columns_as_there_may_be(Layout layout) throws Exception {
        String t = layout.name().toLowerCase(Locale.ROOT);
        group.run("CREATE OR REPLACE FUNCTION keeps() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
        group.run("CREATE TABLE " + t + " (" + columns(1, 3, "int") + ", c4 mood, c5 text DEFAULT '\"{}'', '||chr(92), "
                + columns(6, MOST - 10, "int") + ", " + layout.ending + ")");
        group.run(layout.also.replace("${t}", t));
        write(t, "c1590");
        // Its last columns, with which its rows travel otherwise than before.
        group.run("ALTER TABLE " + t + " "
                + IntStream.rangeClosed(MOST - 9, MOST)
                        .mapToObj(i -> "ADD COLUMN c" + i + " int DEFAULT " + i)
                        .collect(Collectors.joining(", ")));
        write(t, "c1600");
        assertThatThrownBy(() -> group.run("ALTER TABLE " + t + " ADD COLUMN c1601 int"))
                .isInstanceOfSatisfying(
                        NodeException.class, e -> assertThat(e.sqlState()).isEqualTo("54011"))
                .hasMessageContaining("tables can have at most 1600 columns");
        group.run("ALTER TABLE " + t
                + " ADD COLUMN IF NOT EXISTS c6 int, ALTER COLUMN c7 TYPE double precision USING random()");
        write(t, "c1600");
        // A dropped column keeps its number, so none may be added; with fewer that live each travels by itself again.
        group.run("ALTER TABLE " + t + " "
                + IntStream.rangeClosed(20, 40)
                        .mapToObj(i -> "DROP COLUMN c" + i)
                        .collect(Collectors.joining(", ")));
        write(t, "c1600");
    }

    private static void write(String t, String last) throws SQLException {
        group.origin()
                .execute(
                        "INSERT INTO " + t + " (c1, c2, c4, " + last
                                + ") SELECT g, -g, 'it''s, \"odd\"', g FROM generate_series(1, 20) g WHERE NOT EXISTS (SELECT FROM "
                                + t + " WHERE c1 = g)",
                        "UPDATE " + t + " SET c3 = c1, c5 = NULL WHERE c1 % 2 = 0",
                        "UPDATE " + t + " SET c1 = c1 + 1000 WHERE c1 % 5 = 0",
                        "DELETE FROM " + t + " WHERE c1 IN (3, 4, 1010)",
                        "COPY " + t + " (c1, c2, c4) FROM PROGRAM 'printf \"4\\t9\\tok\\n\"'");
        group.assertEqualNodes();
    }

    @Test
    void more_columns_of_types_of_ones_own_than_a_call_may_have_arguments() throws Exception {
        group.run("CREATE TABLE moods (id mood[] PRIMARY KEY, " + columns(1, 120, "mood") + ")");
        group.origin()
                .execute(
                        "INSERT INTO moods (id, c1, c120) VALUES ('{ok}', 'sad', 'it''s, \"odd\"'), ('{sad,NULL}', NULL, 'ok')",
                        "UPDATE moods SET c60 = 'ok', id = id || 'ok'::mood WHERE c120 = 'ok'");
        group.assertEqualNodes();
        assertThat(group.node(3).queryText("SELECT count(*) FROM moods WHERE c60 = 'ok'"))
                .isEqualTo("1");
    }
}
