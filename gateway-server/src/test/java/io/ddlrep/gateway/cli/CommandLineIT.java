package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.testkit.PgGroup;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as a user meets it, on three nodes. */
class CommandLineIT {
    private final PgGroup group = PgGroup.create("cli", 3);
    private String out = "";
    private String err = "";

    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    void tables() throws Exception {
        group.executeOnAll(
                "CREATE TABLE item (id serial PRIMARY KEY, name text, price numeric(10,2))",
                "CREATE TABLE other (id int PRIMARY KEY)");
        group.node(1).execute("INSERT INTO item (name, price) SELECT 'i' || g, g FROM generate_series(1, 20) g");
    }

    @AfterEach
    void drop() {
        group.close();
    }

    private int run(String... arguments) {
        StringWriter result = new StringWriter();
        StringWriter messages = new StringWriter();
        int code = Main.run(new PrintWriter(result, true), new PrintWriter(messages, true), arguments);
        out = result.toString();
        err = messages.toString();
        return code;
    }

    private int onGroup(String... arguments) {
        return runAt(1, arguments);
    }

    private int runAt(int node, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--origin");
        all.add(group.node(node).conninfo());
        return run(all.toArray(String[]::new));
    }

    private int init(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "init",
                "--origin",
                group.node(1).conninfo(),
                "--replica",
                "n2=" + group.node(2).conninfo(),
                "--replica",
                group.node(3).conninfo()));
        all.addAll(List.of(more));
        return run(all.toArray(String[]::new));
    }

    @Test
    void from_init_to_uninstall() throws Exception {
        assertThat(init("--table", "public.item")).as(err).isZero();
        assertThat(out)
                .contains("3 nodes, publication default with 1 tables")
                .contains("public.item")
                .contains("jdbc:ddlrep://");
        assertThat(group.node(3).queryText("SELECT count(*) FROM item")).isEqualTo("20");

        group.node(1).execute("UPDATE item SET price = 0 WHERE id < 5");
        assertThat(onGroup("sync", "--wait")).as(out + err).isZero();
        assertThat(group.node(2).queryText("SELECT count(*) FROM item WHERE price = 0"))
                .isEqualTo("4");

        assertThat(onGroup("status")).as(out + err).isZero();
        assertThat(out).contains("node n1").contains("replica n3  active  caught up");
        assertThat(onGroup("status", "--json")).isZero();
        assertThat(out).contains("\"name\":\"default\"").contains("\"behind\":false");

        Path script = directory.resolve("change.sql");
        Files.writeString(
                script,
                "ALTER TABLE item ADD note text DEFAULT 'none';\nSAVEPOINT a; CREATE INDEX item_name ON item (name);"
                        + " UPDATE item SET note = 'x' WHERE id = 1;\n");
        assertThat(onGroup("script", script.toString())).as(out + err).isZero();
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryText("SELECT note FROM item WHERE id = 1"))
                    .isEqualTo("x");
            assertThat(group.node(node).queryText("SELECT count(*) FROM pg_indexes WHERE indexname = 'item_name'"))
                    .isEqualTo("1");
        }
        assertThat(onGroup("verify")).as(out + err).isZero();
        assertThat(out).contains("1 tables: equal on all nodes");
        group.node(3).execute("SET session_replication_role = replica", "UPDATE item SET note = 'y' WHERE id = 1");
        assertThat(onGroup("verify")).as(out + err).isEqualTo(1);
        assertThat(out).contains("n3: table \"public\".\"item\" has 20 rows with checksum");
        group.node(3).execute("SET session_replication_role = replica", "UPDATE item SET note = 'x' WHERE id = 1");

        assertThat(onGroup("publication", "create", "second", "--table", "other"))
                .as(err)
                .isZero();
        assertThat(onGroup("publication", "list", "--json")).isZero();
        assertThat(out).contains("\"name\":\"second\"").contains("\"scope\":\"tables\"");
        assertThat(onGroup("publication", "drop", "second")).as(err).isZero();
        assertThat(onGroup("recover")).as(out + err).isZero();
        assertThat(out).contains("nothing is left to do");

        assertThat(onGroup("uninstall", "--yes")).as(err).isZero();
        assertThat(group.node(2).queryText("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'ddlrep%'"))
                .isEqualTo("0");
        assertThat(onGroup("status")).isEqualTo(1);
        assertThat(err).contains("this database is in no group").contains("ddlrep init makes one");
    }

    @Test
    void given_a_replica_a_command_goes_on_to_the_origin_and_says_so() {
        assertThat(init("--table", "item")).as(err).isZero();
        assertThat(runAt(3, "status")).as(out + err).isZero();
        assertThat(err).contains("n3 is a replica; going on to the origin, n1");
    }

    @Test
    void what_each_node_does_for_an_operation_and_whom_it_waits_for_is_shown() throws Exception {
        assertThat(init("--table", "item")).as(err).isZero();
        Path script = directory.resolve("note.sql");
        Files.writeString(script, "ALTER TABLE item ADD note text;\n");
        try (Connection writer = group.node(2).connect();
                Statement holds = writer.createStatement()) {
            writer.setAutoCommit(false);
            holds.execute("SET application_name = 'holds it'; SET session_replication_role = replica;"
                    + " LOCK TABLE item IN ROW EXCLUSIVE MODE");
            PrintWriter nobody = new PrintWriter(new StringWriter());
            CompletableFuture<Integer> running = CompletableFuture.supplyAsync(() -> Main.run(
                    nobody,
                    nobody,
                    "script",
                    script.toString(),
                    "--origin",
                    group.node(1).conninfo()));
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(onGroup("operations")).as(err).isZero();
                assertThat(out)
                        .contains("  open  ", "ALTER TABLE item ADD note text")
                        .containsPattern("  n2  pid [0-9]+  active  waits for pid [0-9]+ [^\n]*holds it");
            });
            assertThat(onGroup("operations", "--last", "0")).as(err).isZero();
            assertThat(out).contains("  open  ");
            assertThat(onGroup("operations", "--json")).as(err).isZero();
            assertThat(out).contains("\"node\":\"n2\"", "\"blockers\":");
            writer.rollback();
            assertThat(running.join()).isZero();
        }
        assertThat(onGroup("operations", "--last", "1")).as(err).isZero();
        assertThat(out).contains("  committed  ").doesNotContain("  open  ", "pid");
    }

    @Test
    void a_definition_that_differs_is_named() throws Exception {
        assertThat(init("--table", "item")).as(err).isZero();
        group.node(2).execute("SET ddlrep.replicate = off", "ALTER TABLE item ALTER price TYPE numeric(12,2)");
        assertThat(onGroup("verify")).isEqualTo(1);
        assertThat(out).contains("n2: column price of public.item: type numeric(12,2), elsewhere numeric(10,2)");
    }

    @Test
    void refusals_have_message_detail_and_hint_and_no_stack_trace_and_no_password() throws Exception {
        group.node(3).execute("ALTER TABLE item ADD extra int");
        assertThat(init("--table", "item")).isEqualTo(1);
        assertThat(err)
                .contains("ddlrep: error: n1: the nodes do not agree about the tables (SQLSTATE 55000)")
                .contains("DETAIL:  n3: column extra of public.item: type integer, elsewhere absent")
                .contains("HINT:")
                .doesNotContain("Exception");
        assertThat(init("--table", "item", "--debug")).isEqualTo(1);
        assertThat(err).contains("NodeException");
        assertThat(run("status", "--origin", "host=127.0.0.1 port=1 user=u dbname=d password=topsecret"))
                .isEqualTo(1);
        assertThat(err).contains("ddlrep: error:").doesNotContain("topsecret");
        assertThat(group.node(1).queryText("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'ddlrep%'"))
                .isEqualTo("0");
    }

    @Test
    void a_script_stops_at_its_first_error_and_leaves_no_transaction() throws Exception {
        assertThat(init("--table", "item")).as(err).isZero();
        Path script = directory.resolve("bad.sql");
        Files.writeString(script, "ALTER TABLE item ADD x int; ALTER TABLE item ADD x int;");
        assertThat(onGroup("script", script.toString())).isEqualTo(1);
        assertThat(err).contains("42701").contains("already exists");
        for (int node = 1; node <= 3; node++) {
            assertThat(
                            group.node(node)
                                    .queryText(
                                            "SELECT count(*) FROM pg_attribute WHERE attrelid = 'item'::regclass AND attname = 'x'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void a_script_is_read_as_psql_reads_it() throws Exception {
        assertThat(init("--table", "item")).as(err).isZero();
        Path script = directory.resolve("dump.sql");
        Files.writeString(script, """
                \\restrict abc
                \\set col 'note'
                SET standard_conforming_strings = off;
                ALTER TABLE item ADD :col text DEFAULT 'it\\'s; so';
                COPY item (id, name, note) FROM stdin;
                9001\tsemi;colon\t\\N
                9002\tb\tc
                \\.
                UPDATE item SET :"col" = :'col' WHERE id = 9001;
                \\unrestrict abc
                """);
        assertThat(onGroup("script", script.toString())).as(out + err).isZero();
        assertThat(out).contains("4 statements");
        for (int node = 1; node <= 3; node++) {
            assertThat(group.node(node).queryRows("SELECT name, note FROM item WHERE id > 9000 ORDER BY id"))
                    .containsExactly("semi;colon|note", "b|c");
        }
        Files.writeString(script, "ALTER TABLE item DROP note;\n\\d item\n");
        assertThat(onGroup("script", script.toString())).isEqualTo(1);
        assertThat(err).contains(script + ":2: \\d").contains("Nothing was run");
    }

    @Test
    void a_script_with_transaction_control_is_refused_by_file_and_line() throws Exception {
        assertThat(init("--table", "item")).as(err).isZero();
        Path script = directory.resolve("control.sql");
        for (String control : List.of(
                "BEGIN",
                "START TRANSACTION",
                "COMMIT",
                "END",
                "ROLLBACK",
                "ABORT",
                "PREPARE TRANSACTION 'x'",
                "COMMIT PREPARED 'x'",
                "ROLLBACK PREPARED 'x'")) {
            Files.writeString(script, "ALTER TABLE item ADD x int;\n-- a comment\n /* another */ " + control + ";\n");
            assertThat(onGroup("script", script.toString())).as(control).isEqualTo(1);
            assertThat(err).contains(script + ":3: ").contains("Nothing was run");
        }
        assertThat(
                        group.node(1)
                                .queryText(
                                        "SELECT count(*) FROM pg_attribute WHERE attrelid = 'item'::regclass AND attname = 'x'"))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "init",
                "publication create",
                "publication list",
                "publication drop",
                "status",
                "operations",
                "gateway",
                "replicate",
                "sync",
                "script",
                "verify",
                "recover",
                "uninstall"
            })
    void every_command_has_help(String command) {
        String[] words = (command + " --help").split(" ", -1);
        assertThat(run(words)).isZero();
        assertThat(out).contains("Usage: ddlrep " + command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing",
                "status --nothing",
                "status --origin hots=x",
                "status --origin host=a --url jdbc:ddlrep://b",
                "publication"
            })
    void wrong_usage_exits_with_2(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
        assertThat(err).isNotEmpty();
    }
}
