package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.Quote;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names and values that are SQL themselves: whole operations, and rows, as with any other name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NamesIT {
    private final AttackedGroup group;

    NamesIT() throws SQLException {
        this.group = AttackedGroup.create("names");
    }

    @AfterAll
    void close() throws Exception {
        group.close();
    }

    static List<String> names() {
        return List.of(
                "a\"; ALTER ROLE mallory SUPERUSER; --",
                "it's $f$ $$ $ddlrep$ $ddlrep1$",
                "back\\slash \\' E'\\n' \u00e9\u4e2d\ud83d\ude00",
                "new\nline\ttab /* -- ",
                "%I %s {{target}} $1 ? :x ,a|b",
                "x".repeat(62),
                "\u00fc".repeat(30) + "zz",
                "SELECT",
                " ");
    }

    private static String literal(String text) {
        return Quote.literal(text);
    }

    private static String in(String schema, String name) {
        return Quote.name(schema, name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void operations_and_rows_with_odd_names_and_values(String name) throws SQLException {
        for (String user : List.of("mallory", AttackedGroup.ODD)) {
            String table = in(user, name);
            String q = Quote.name(name);
            Client client = group.client(user);
            client.run("CREATE TYPE " + table + " AS ENUM ('ok')");
            client.run("CREATE TABLE " + in(user, "t" + name) + " (id int PRIMARY KEY, " + q + " " + table
                    + ", txt text DEFAULT " + literal(name) + ")");
            String odd = in(user, "t" + name);
            client.run("ALTER TYPE " + table + " ADD VALUE " + literal(name));
            client.run("CREATE SEQUENCE " + in(user, "s" + name));
            client.run("CREATE INDEX " + Quote.name("i" + name) + " ON " + odd + " (txt, " + q + ")");
            client.run("ALTER TABLE " + odd + " ADD CONSTRAINT " + q + " CHECK (txt <> " + literal("no" + name) + ")");
            client.run("ALTER TABLE " + odd + " ADD COLUMN " + Quote.name("c" + name) + " bigint DEFAULT nextval("
                    + literal(in(user, "s" + name)) + ")");
            group.write(user, "INSERT INTO " + odd + " (id, " + q + ") VALUES (1, " + literal(name) + "), (2, 'ok')");
            client.run("BEGIN; UPDATE " + odd + " SET id = 3 WHERE id = 2; ALTER TABLE " + odd + " DROP CONSTRAINT "
                    + Quote.name(pkey(odd)) + "; COMMENT ON COLUMN " + odd + "." + q + " IS " + literal(name)
                    + "; COMMIT");
            group.write(user, "UPDATE " + odd + " SET txt = 'new' WHERE id = 3");
            group.assertRows(
                    "SELECT count(*) FROM " + odd + " WHERE txt = " + literal(name) + " AND " + q + "::text = "
                            + literal(name),
                    "1");
            group.assertRows("SELECT id, txt FROM " + odd + " WHERE id = 3", "3|new");
            client.run("ALTER TABLE " + odd + " RENAME TO " + Quote.name("u" + name));
            client.run("ALTER TABLE " + in(user, "u" + name) + " ADD PRIMARY KEY (id, " + q + ")");
            group.write(user, "DELETE FROM " + in(user, "u" + name) + " WHERE id = 1");
            group.assertRows("SELECT id, txt FROM " + in(user, "u" + name), "3|new");
            client.run("DROP TABLE " + in(user, "u" + name));
        }
        for (PgNode node : group.nodes().nodes()) {
            assertThat(node.queryRows("SELECT rolname FROM pg_roles WHERE rolsuper"))
                    .containsExactly(node.superuser());
        }
    }

    private String pkey(String table) throws SQLException {
        return String.valueOf(group.origin()
                .queryText("SELECT conname FROM pg_constraint WHERE contype = 'p' AND conrelid = " + literal(table)
                        + "::regclass"));
    }

    @Test
    void a_table_named_like_a_staging_or_shadow_table_is_only_a_table() throws SQLException {
        Client mallory = group.client("mallory");
        for (String name : List.of("stage_1_1", "s1_1", "ddlrep_new", "ddlrep_old", "carry_x_1_1")) {
            mallory.run(
                    "CREATE TABLE mallory." + name + " (op \"char\", seq int PRIMARY KEY, xid int, part int, c1 int)");
            group.write("mallory", "INSERT INTO mallory." + name + " VALUES ('D', 1, 2, 3, 4)");
            group.assertRows("SELECT * FROM mallory." + name, "D|1|2|3|4");
        }
    }
}
