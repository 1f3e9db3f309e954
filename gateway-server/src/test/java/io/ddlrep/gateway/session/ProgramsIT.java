package io.ddlrep.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.gateway.ClientProgram;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.RequiresProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL's own programs do through the gateway what they do without it. */
class ProgramsIT {
    private static GatewayFixture fixture;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void create() {
        fixture = GatewayFixture.create("programs");
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /** Exit status and all that was printed. */
    private record Outcome(int status, String text) {}

    private static Outcome run(PgNode node, String program, String... arguments)
            throws IOException, InterruptedException {
        Process process = ClientProgram.of(directory, node, program, arguments).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), text);
    }

    private static Path script(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    @RequiresProgram("psql")
    void psql_prints_what_it_prints_without_a_gateway() throws IOException, InterruptedException, SQLException {
        Path rows = script("rows.csv", "1,one\n2,\"two, or more\"\n");
        Path script = script("script.sql", """
                \\set ON_ERROR_ROLLBACK on
                CREATE TABLE seen (id int PRIMARY KEY, v text);
                \\copy seen FROM '%s' WITH (FORMAT csv)
                \\d seen
                SELECT * FROM seen \\gdesc
                SELECT 1 AS a \\; SELECT 2 AS b;
                SELECT nothing FROM seen;
                BEGIN;
                INSERT INTO seen VALUES (1, 'again');
                INSERT INTO seen VALUES (3, 'three');
                COMMIT;
                \\copy seen TO STDOUT
                SELECT count(*) FROM generate_series(1, 100000) g \\g
                DO $$BEGIN RAISE NOTICE 'noticed' USING HINT = 'a hint'; END$$;
                """.formatted(rows));
        fixture.direct().execute("DROP TABLE IF EXISTS seen");
        Outcome expected = run(fixture.direct(), "psql", "-X", "-a", "-f", script.toString());
        fixture.direct().execute("DROP TABLE seen");
        Outcome actual = run(fixture.through(), "psql", "-X", "-a", "-f", script.toString());
        assertThat(expected.text()).contains("three").contains("noticed").contains("duplicate key");
        assertThat(actual).isEqualTo(expected);
    }

    @Test
    @RequiresProgram("psql")
    void a_file_in_a_single_transaction_fails_as_a_whole() throws IOException, InterruptedException, SQLException {
        Path script = script("single.sql", "CREATE TABLE single (id int);\nSELECT 1/0;\n");
        String[] arguments = {"-X", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", script.toString()};
        assertThat(run(fixture.through(), "psql", arguments)).isEqualTo(run(fixture.direct(), "psql", arguments));
        assertThat(fixture.direct().queryText("SELECT to_regclass('single')")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "prepared"})
    @RequiresProgram("pgbench")
    void pgbench_runs_in_every_mode(String mode) throws IOException, InterruptedException {
        Outcome filled = run(fixture.through(), "pgbench", "-i", "-s", "1", "-q");
        assertThat(filled.status()).as(filled.text()).isZero();
        Outcome ran = run(fixture.through(), "pgbench", "-M", mode, "-c", "8", "-j", "2", "-t", "200");
        assertThat(ran.status()).as(ran.text()).isZero();
        assertThat(ran.text()).contains("number of transactions actually processed: 1600/1600");
    }
}
