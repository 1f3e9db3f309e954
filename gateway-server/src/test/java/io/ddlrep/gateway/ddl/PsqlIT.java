package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.gateway.ClientProgram;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.RequiresProgram;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** psql with DDL of replicated tables prints what it prints on one server, and every node is the same at the end. */
@RequiresProgram("psql")
class PsqlIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static GatewayGroup group;
    private static PgGroup plain;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() {
        group = GatewayGroup.create("psql");
        plain = PgGroup.create("psql_plain", 1);
    }

    @AfterAll
    static void stop() {
        group.close();
        plain.close();
    }

    @AfterEach
    void equalNodes() throws SQLException {
        group.assertEqualNodes();
    }

    /** Exit status and all that was printed, but for what ddlrep has to say and its triggers. */
    private record Outcome(int status, List<String> lines) {}

    private static ProcessBuilder psql(PgNode node, String... arguments) {
        List<String> all = new ArrayList<>(List.of("-X"));
        all.addAll(List.of(arguments));
        return ClientProgram.of(directory, node, "psql", all.toArray(String[]::new));
    }

    private static Outcome run(PgNode node, String... arguments) throws IOException, InterruptedException {
        Process process = psql(node, arguments).start();
        process.getOutputStream().close();
        List<String> lines = new ArrayList<>();
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            in.lines()
                    .filter(line -> !line.matches(".*NOTICE:  ddlrep: .*|Triggers:| +\"!ddlrep_.*"))
                    .forEach(lines::add);
        }
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), lines);
    }

    /** Runs psql on one server and through the gateway. */
    private static Outcome same(String... arguments) throws IOException, InterruptedException {
        Outcome expected = run(plain.node(1), arguments);
        Outcome actual = run(group.through(), arguments);
        assertThat(actual.lines()).isEqualTo(expected.lines());
        assertThat(actual.status()).isEqualTo(expected.status());
        return expected;
    }

    private static String script(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    /** Far more than any buffer on the way holds, in both directions, while a thread has the session. */
    @Test
    void rows_copied_in_the_same_text_as_a_ddl() throws IOException, InterruptedException {
        String row = "x".repeat(1000);
        int count = 40_000;
        try (BufferedWriter rows = Files.newBufferedWriter(directory.resolve("bulk"))) {
            for (int id = 1; id <= count; id++) {
                rows.write(id + "\t" + row + "\n");
            }
        }
        run(group.through(), "-c", "CREATE TABLE bulk (id int PRIMARY KEY, v text)");
        Process in = psql(group.through(), "-c", "ALTER TABLE bulk ADD b int; COPY bulk (id, v) FROM STDIN")
                .redirectInput(directory.resolve("bulk").toFile())
                .redirectOutput(directory.resolve("in").toFile())
                .start();
        assertThat(in.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(directory.resolve("in"))).contains("COPY " + count);
        Process out = psql(group.through(), "-c", "ALTER TABLE bulk DROP b; COPY (TABLE bulk ORDER BY id) TO STDOUT")
                .start();
        long lines;
        try (BufferedReader back = out.inputReader(StandardCharsets.UTF_8)) {
            lines = back.lines().filter(line -> line.endsWith(row)).count();
        }
        assertThat(lines).isEqualTo(count);
        assertThat(out.waitFor(1, TimeUnit.MINUTES)).isTrue();
        run(group.through(), "-c", "DROP TABLE bulk");
    }

    @Test
    void a_script_with_everything() throws IOException, InterruptedException {
        Path rows = Files.writeString(directory.resolve("rows.csv"), "1,one\n2,\"two, or more\"\n");
        Outcome seen = same("-a", "-f", script("everything.sql", """
                \\set ON_ERROR_ROLLBACK on
                CREATE TABLE seen (id int PRIMARY KEY, v text);
                \\copy seen FROM '%s' WITH (FORMAT csv)
                \\d seen
                SELECT * FROM seen \\gdesc
                CREATE INDEX seen_v ON seen (v) \\; ALTER TABLE seen ADD n int \\; SELECT count(n) FROM seen;
                BEGIN;
                ALTER TABLE seen ADD w int DEFAULT 7;
                ALTER TABLE seen ADD w int;
                ALTER TABLE nowhere ADD w int;
                INSERT INTO seen VALUES (1, 'again');
                INSERT INTO seen VALUES (3, 'three');
                SAVEPOINT a;
                DROP TABLE seen;
                ROLLBACK TO a;
                COMMIT;
                SELECT format('ALTER TABLE seen ADD %%I int', 'g' || g) FROM generate_series(1, 3) g \\gexec
                \\copy seen TO STDOUT
                TABLE seen \\gx
                \\d seen
                \\di seen*
                ALTER TABLE seen ADD c int CHECK (nothing > 0);
                CREATE TABLE seen (id int); SELECT 1;
                ALTER TABLE seen ADD nothing nosuchtype;
                ALTER TABLE seen ADD ADD;
                COMMENT ON TABLE seen IS 'gesehen – vu';
                \\d+ seen
                DO $$BEGIN RAISE NOTICE 'noticed' USING HINT = 'a hint'; END$$;
                DROP TABLE seen;
                """.formatted(rows)));
        assertThat(seen.lines())
                .anyMatch(line -> line.contains("already exists"))
                .anyMatch(line -> line.matches(" *\\^"));
    }

    @Test
    void errors_point_at_their_place_in_the_whole_text() throws IOException, InterruptedException {
        Outcome seen = same("-c", "CREATE TABLE pointed (id int); SELECT 'é', id, nothing FROM pointed");
        assertThat(seen.lines())
                .containsSequence("LINE 1: CREATE TABLE pointed (id int); SELECT 'é', id, nothing FROM ...");
        same(
                "-c",
                "CREATE TABLE pointed (id int);\nALTER TABLE pointed ADD b int;\n\nALTER TABLE pointed ADD c nosuchtype");
        same("-c", "SELECT to_regclass('pointed')");
    }

    @Test
    void a_file_in_a_single_transaction_is_all_or_nothing() throws IOException, InterruptedException {
        String[] start = {"-v", "ON_ERROR_STOP=1", "--single-transaction", "-f"};
        String text = """
                CREATE TABLE single (id int PRIMARY KEY);
                INSERT INTO single VALUES (1);
                ALTER TABLE single ADD v text;
                """;
        same(start[0], start[1], start[2], start[3], script("fails.sql", text + "SELECT 1/0;\n"));
        same("-c", "SELECT to_regclass('single')");
        same(start[0], start[1], start[2], start[3], script("works.sql", text));
        Outcome seen = same("-c", "TABLE single");
        assertThat(seen.lines()).contains("(1 row)");
    }

    @Test
    void autocommit_off() throws IOException, InterruptedException {
        same("-f", script("off.sql", """
                \\set AUTOCOMMIT off
                CREATE TABLE off (id int PRIMARY KEY);
                INSERT INTO off VALUES (1);
                ROLLBACK;
                CREATE TABLE off (id int PRIMARY KEY, v text);
                COMMIT;
                ALTER TABLE off ADD w int;
                """));
        Outcome seen = same("-c", "SELECT * FROM off");
        assertThat(seen.lines()).contains(" id | v ");
    }

    private static void interrupt(Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void watching_ends_at_ctrl_c() throws IOException, InterruptedException {
        Process watching = psql(group.through(), "-f", script("watch.sql", "SELECT 'watched' \\watch 0.1\n"))
                .start();
        try (BufferedReader in = watching.inputReader(StandardCharsets.UTF_8)) {
            int seen = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(" watched") && ++seen == 2) {
                    interrupt(watching);
                }
            }
            assertThat(seen).isGreaterThanOrEqualTo(2);
        }
        assertThat(watching.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void ctrl_c_ends_ddl_that_waits_on_a_replica() throws IOException, InterruptedException, SQLException {
        group.through().execute("CREATE TABLE waited (id int PRIMARY KEY)");
        PgNode replica = group.node(2);
        try (Connection holder = replica.connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("LOCK TABLE waited IN ACCESS SHARE MODE");
            Process psql =
                    psql(group.through(), "-c", "ALTER TABLE waited ADD v text").start();
            await("the operation waits for the lock")
                    .atMost(SOON)
                    .until(
                            () -> "t"
                                    .equals(
                                            group.node(1)
                                                    .queryText(
                                                            "SELECT EXISTS (SELECT FROM ddlrep.ddl_operation WHERE finished IS NULL)")));
            interrupt(psql);
            try (BufferedReader in = psql.inputReader(StandardCharsets.UTF_8)) {
                assertThat(in.lines().toList())
                        .contains("Cancel request sent")
                        .anyMatch(line -> line.contains("canceling statement due to user request"));
            }
            assertThat(psql.waitFor()).isEqualTo(1);
        }
        assertThat(group.node(1)
                        .queryText("SELECT count(*) FROM pg_attribute WHERE attrelid = 'waited'::regclass"
                                + " AND attname = 'v'"))
                .isEqualTo("0");
    }
}
