package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Message by message: what a client is answered through the gateway is what one PostgreSQL answers, and all nodes are equal. */
class SameAsDirectIT {
    private static GatewayGroup group;
    private static PgGroup plain;

    @BeforeAll
    static void start() {
        group = GatewayGroup.create("samegw");
        plain = PgGroup.create("sameplain", 1);
    }

    @AfterAll
    static void stop() {
        group.close();
        plain.close();
    }

    private static final String SHOW = "SELECT * FROM t ORDER BY id";

    private static void queries(WireClient client, String... texts) {
        for (String text : texts) {
            client.query(text);
        }
        client.query(SHOW);
    }

    private static Consumer<WireClient> texts(String... texts) {
        return client -> queries(client, texts);
    }

    /** One pipeline of statements, with one Sync. */
    private static void pipeline(WireClient client, String... statements) {
        for (String statement : statements) {
            client.run(statement);
        }
        client.sync();
    }

    private static Consumer<WireClient> pipelines(String[]... all) {
        return client -> {
            for (String[] each : all) {
                pipeline(client, each);
            }
            client.query(SHOW);
        };
    }

    private static String[] of(String... statements) {
        return statements;
    }

    private static final Map<String, Consumer<WireClient>> SCENARIOS = Map.ofEntries(
            Map.entry(
                    "one statement",
                    texts(
                            "ALTER TABLE t ADD b int",
                            "ALTER TABLE t ADD b int",
                            "/* é */ ALTER TABLE t ADD c nonsense",
                            "ALTER TABLE t ADD c int,, ADD d int",
                            "CREATE INDEX ON t (a); ",
                            "ALTER TABLE nothing ADD b int",
                            "DROP TABLE IF EXISTS nothing")),
            Map.entry(
                    "several in a text",
                    texts(
                            "INSERT INTO t VALUES (4, 'd'); ALTER TABLE t ADD b int DEFAULT 5; SELECT b FROM t",
                            "ALTER TABLE t ADD c int; ALTER TABLE t ADD d nonsense",
                            "SELECT 'é'; /* é */ ALTER TABLE t ADD c int; SELECT nothing FROM t",
                            ";; ALTER TABLE t ADD e int ;;",
                            "",
                            "-- nothing",
                            ";",
                            "ALTER TABLE t ADD f int; UPDATE t SET f = id; DELETE FROM t WHERE f = 1")),
            Map.entry(
                    "transactions",
                    texts(
                            "BEGIN",
                            "ALTER TABLE t ADD b int",
                            "SAVEPOINT one",
                            "ALTER TABLE t ADD c int",
                            "INSERT INTO t VALUES (7, 'g', 1, 2)",
                            "ROLLBACK TO one",
                            "ALTER TABLE t ADD d int",
                            "RELEASE one",
                            "COMMIT",
                            "BEGIN",
                            "ALTER TABLE t ADD e int",
                            "ROLLBACK",
                            "BEGIN ISOLATION LEVEL REPEATABLE READ",
                            "ALTER TABLE t ADD f int",
                            "COMMIT AND CHAIN",
                            "SHOW transaction_isolation",
                            "ALTER TABLE t ADD g int",
                            "ROLLBACK AND CHAIN",
                            "ABORT",
                            "COMMIT")),
            Map.entry(
                    "failed transactions",
                    texts(
                            "BEGIN",
                            "ALTER TABLE t ADD b int",
                            "ALTER TABLE t ADD b int",
                            "ALTER TABLE t ADD c int",
                            "SELECT 1; ALTER TABLE t ADD c int",
                            "COMMIT",
                            "BEGIN",
                            "ALTER TABLE t ADD b int",
                            "SAVEPOINT one",
                            "SELECT 1/0",
                            "ROLLBACK TO SAVEPOINT one",
                            "ALTER TABLE t ADD c int; SELECT 1/0",
                            "ROLLBACK TO one; ALTER TABLE t ADD d int",
                            "END",
                            "BEGIN; SELECT 1/0",
                            "ALTER TABLE t ADD x int",
                            "ROLLBACK")),
            Map.entry(
                    "transaction control in a text",
                    texts(
                            "BEGIN; ALTER TABLE t ADD b int; COMMIT",
                            "ALTER TABLE t ADD c int; COMMIT; ALTER TABLE t ADD d int",
                            "ALTER TABLE t ADD e int; ROLLBACK; ALTER TABLE t ADD f int",
                            "ALTER TABLE t ADD g int; BEGIN; ALTER TABLE t ADD h int",
                            "ROLLBACK",
                            "ALTER TABLE t ADD i int; START TRANSACTION READ WRITE; SHOW transaction_read_only",
                            "COMMIT",
                            "BEGIN; ALTER TABLE t ADD j int; COMMIT; ALTER TABLE t ADD j int",
                            "BEGIN; ALTER TABLE t ADD k int; SAVEPOINT a; ALTER TABLE t ADD l int; ROLLBACK TO a; COMMIT",
                            "BEGIN; BEGIN; ALTER TABLE t ADD m int; END; END")),
            Map.entry(
                    "transaction control that needs a block",
                    texts(
                            "ALTER TABLE t ADD b int; SAVEPOINT a",
                            "ALTER TABLE t ADD b int; ROLLBACK TO a",
                            "ALTER TABLE t ADD b int; RELEASE a",
                            "ALTER TABLE t ADD b int; COMMIT AND CHAIN",
                            "ALTER TABLE t ADD b int; ROLLBACK AND CHAIN",
                            "ALTER TABLE t ADD b int; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                            "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; ALTER TABLE t ADD c int;"
                                    + " SHOW transaction_isolation")),
            Map.entry(
                    "outside of a block",
                    texts(
                            "ALTER TABLE t ADD b int; VACUUM t",
                            "BEGIN; VACUUM t",
                            "ROLLBACK",
                            "VACUUM t",
                            "ALTER TABLE t ADD b int; CREATE INDEX CONCURRENTLY ON t (a)",
                            "BEGIN; DROP INDEX CONCURRENTLY t_pkey",
                            "ROLLBACK")),
            Map.entry(
                    "indexes made and dropped concurrently",
                    texts(
                            "CREATE INDEX CONCURRENTLY i ON t (a)",
                            "CREATE INDEX CONCURRENTLY i ON t (a)",
                            "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a)",
                            "CREATE INDEX CONCURRENTLY ON nowhere.t (a)",
                            "DROP INDEX CONCURRENTLY i",
                            "DROP INDEX CONCURRENTLY i",
                            "DROP INDEX CONCURRENTLY IF EXISTS i")),
            Map.entry(
                    "temporary tables",
                    texts(
                            "CREATE TEMP TABLE own (id int)",
                            "ALTER TABLE own ADD b int",
                            "CREATE TEMP TABLE two AS SELECT 1 AS one; ALTER TABLE t ADD b int; SELECT * FROM two",
                            "DROP TABLE own, two")),
            Map.entry(
                    "settings and notices",
                    texts(
                            "SET application_name = 'mine'; ALTER TABLE t ADD b int",
                            "DO $$BEGIN RAISE NOTICE 'one'; END$$; ALTER TABLE t ADD c int;"
                                    + " DO $$BEGIN RAISE WARNING 'two' USING HINT = 'h'; END$$",
                            "BEGIN; SET LOCAL search_path = nowhere, play; ALTER TABLE t ADD d int; COMMIT",
                            "SET standard_conforming_strings = off",
                            "ALTER TABLE t ADD e text DEFAULT 'it\\'s'; ALTER TABLE t ADD f int")),
            Map.entry("a copy in a text", client -> {
                client.query("ALTER TABLE t ADD b int; COPY t TO STDOUT; SELECT 1");
                client.message('Q', "ALTER TABLE t ADD c int; COPY t FROM STDIN; SELECT count(*) FROM t\0")
                        .send()
                        .until('G');
                client.copyData("11\tk\t1\t2\n")
                        .copyData("12\tl\t\\N\t\\N\n")
                        .copyDone()
                        .send()
                        .ready();
                client.message('Q', "ALTER TABLE t ADD d int; COPY t FROM STDIN\0")
                        .send()
                        .until('G');
                client.copyData("13\tk\t1\t2\t3\n").copyFail("no more").send().ready();
                // All at once, as a client may that knows what comes.
                client.message('Q', "ALTER TABLE t ADD e int; COPY t FROM STDIN\0")
                        .copyData("14\tk\t1\t2\t3\n")
                        .copyData("wrong\n")
                        .copyDone()
                        .send()
                        .ready();
                client.query(SHOW);
            }),
            Map.entry(
                    "pipelines",
                    pipelines(
                            of("ALTER TABLE t ADD b int"),
                            of("ALTER TABLE t ADD b int"),
                            of("INSERT INTO t VALUES (5, 'e', 1)", "ALTER TABLE t ADD c int", "SELECT * FROM t"),
                            of("ALTER TABLE t ADD d int", "INSERT INTO t VALUES (6, 'f', 1, 2, 3)", "SELECT 1"),
                            of("ALTER TABLE t ADD e int", "SELECT nothing", "ALTER TABLE t ADD f int", "SELECT 1"),
                            of("SELECT 1/0", "ALTER TABLE t ADD f int"),
                            of("ALTER TABLE t ADD f int", "ALTER TABLE t ADD g int", "ALTER TABLE t ADD f int"),
                            of("ALTER TABLE t ADD f int", "ALTER TABLE t ADD g int"),
                            of(""),
                            of("DROP TABLE IF EXISTS nothing", "SELECT 1"))),
            Map.entry(
                    "transactions in pipelines",
                    pipelines(
                            of("BEGIN", "ALTER TABLE t ADD b int", "COMMIT"),
                            of("BEGIN", "ALTER TABLE t ADD c int"),
                            of("ALTER TABLE t ADD d int", "SAVEPOINT one", "ALTER TABLE t ADD e int"),
                            of("ROLLBACK TO one", "ALTER TABLE t ADD f int", "COMMIT", "ALTER TABLE t ADD g int"),
                            of("BEGIN", "ALTER TABLE t ADD b int", "SELECT 1"),
                            of("ALTER TABLE t ADD h int"),
                            of("COMMIT"),
                            of("BEGIN", "ALTER TABLE t ADD h int", "SAVEPOINT one", "ALTER TABLE t ADD b int"),
                            of("ROLLBACK TO one", "COMMIT AND CHAIN", "ALTER TABLE t ADD i int"),
                            of("ROLLBACK"),
                            of("BEGIN", "ALTER TABLE t ADD i int", "ROLLBACK", "SELECT 1"),
                            of("ALTER TABLE t ADD i int", "BEGIN", "ALTER TABLE t ADD j int"),
                            of("COMMIT"),
                            of("ALTER TABLE t ADD k int", "COMMIT", "ALTER TABLE t ADD l int"),
                            of("ALTER TABLE t ADD m int", "ROLLBACK", "SELECT 1"),
                            of("ALTER TABLE t ADD m int", "SAVEPOINT x"))),
            Map.entry("named statements and portals", client -> {
                client.parse("add", "ALTER TABLE t ADD b int")
                        .describe('S', "add")
                        .parse("drop", "ALTER TABLE t DROP b")
                        .sync();
                for (int i = 0; i < 3; i++) {
                    client.bind("", "add").describe('P', "").execute("").sync();
                    client.bind("mine", "drop")
                            .execute("mine")
                            .close('P', "mine")
                            .sync();
                }
                client.bind("one", "add")
                        .execute("one")
                        .bind("two", "drop")
                        .execute("two")
                        .sync();
                client.close('S', "add").bind("", "add").execute("").sync();
                client.parse("drop", "SELECT 1").sync();
                client.close('S', "drop")
                        .parse("drop", "SELECT $1::text")
                        .bind("", "drop", "x")
                        .execute("")
                        .sync();
                // The unnamed statement outlives an operation.
                client.parse("", "SELECT 'unnamed'").sync();
                client.parse("ddl", "ALTER TABLE t ADD z int")
                        .bind("p", "ddl")
                        .execute("p")
                        .bind("", "")
                        .execute("")
                        .sync();
                client.query(SHOW);
            }),
            Map.entry(
                    "what runs in no transaction block",
                    pipelines(
                            of("DROP DATABASE IF EXISTS ddlrep_no_such"),
                            of("SELECT 1", "DROP DATABASE IF EXISTS ddlrep_no_such"),
                            of("DROP DATABASE IF EXISTS ddlrep_no_such", "SELECT 1"),
                            of("BEGIN", "DROP DATABASE IF EXISTS ddlrep_no_such"),
                            of("ROLLBACK"),
                            of(SHOW))),
            Map.entry("a Flush that is none", client -> {
                client.message('H', "more")
                        .message('Q', "ALTER TABLE t ADD b int\0")
                        .sync();
                client.message('S', "more")
                        .message('Q', "ALTER TABLE t ADD c int\0")
                        .send()
                        .ready()
                        .ready();
                client.query(SHOW);
            }),
            Map.entry("queries in a pipeline that has failed", client -> {
                client.bind("", "nothing")
                        .message('Q', "SELECT 1\0")
                        .message('Q', "ALTER TABLE t ADD b int\0")
                        .parse("named", "ALTER TABLE t ADD c int")
                        .sync();
                client.bind("", "named").execute("").sync();
                client.run("SELECT 2")
                        .message('Q', "ALTER TABLE nothing ADD b int\0")
                        .send()
                        .ready();
                client.query(SHOW);
            }),
            // The server gives such a session up.
            Map.entry(
                    "a statement right behind a COPY",
                    client -> client.message('Q', "COPY t FROM STDIN\0")
                            .message('Q', "ALTER TABLE t ADD b int\0")
                            .send()
                            .ready()),
            Map.entry("a statement in the middle of a COPY", client -> {
                client.message('Q', "COPY t FROM STDIN\0").send().until('G');
                client.message('Q', "ALTER TABLE t ADD b int\0").send().ready();
            }),
            Map.entry(
                    "errors that speak of a connection",
                    texts(
                            "CREATE FUNCTION lost() RETURNS int LANGUAGE plpgsql AS"
                                    + " $$BEGIN RAISE 'gone' USING ERRCODE = '08006'; END$$",
                            "CREATE FUNCTION ended() RETURNS int LANGUAGE plpgsql AS"
                                    + " $$BEGIN RAISE 'ended' USING ERRCODE = '57P01'; END$$",
                            "CREATE TABLE u AS SELECT lost() AS a",
                            "CREATE TABLE u AS SELECT ended() AS a",
                            "BEGIN; ALTER TABLE t ADD x int; CREATE TABLE u AS SELECT ended() AS a",
                            "ROLLBACK",
                            SHOW)),
            Map.entry("names that are refused", client -> {
                client.parse("a", "SELECT 'a'")
                        .parse("b", "ALTER TABLE t ADD b int")
                        .sync();
                // Each name is taken already: it keeps its meaning.
                client.parse("a", "ALTER TABLE t ADD c int").syncLater();
                client.parse("b", "SELECT 'b'").sync().ready();
                client.bind("", "a").execute("").bind("", "b").execute("").sync();
                // What comes behind an error is skipped, and what comes behind the Sync is not.
                client.run("SELECT 1/0")
                        .close('S', "b")
                        .parse("c", "ALTER TABLE t ADD c int")
                        .syncLater()
                        .bind("", "c")
                        .execute("")
                        .syncLater()
                        .parse("c", "SELECT 'c'")
                        .bind("", "c")
                        .execute("")
                        .syncLater()
                        .bind("", "b")
                        .execute("")
                        .sync();
                client.ready().ready().ready();
                client.parse("d", "ALTER TABLE t ADD d int")
                        .close('S', "d")
                        .parse("d", "ALTER TABLE t ADD e int")
                        .bind("p", "d")
                        .bind("p", "d")
                        .execute("p")
                        .sync();
                client.bind("", "d").execute("").sync();
                client.query(SHOW);
            }),
            Map.entry("several pipelines at once", client -> {
                client.run("ALTER TABLE t ADD b int")
                        .syncLater()
                        .run("SELECT nothing FROM t")
                        .run("ALTER TABLE t ADD c int")
                        .syncLater()
                        .run("ALTER TABLE t ADD d int")
                        .run("SELECT 1")
                        .syncLater()
                        .run("SELECT 2")
                        .sync();
                client.ready().ready().ready();
                client.run("ALTER TABLE t ADD e int").flush().send().until('C');
                client.run("SELECT 3").flush().send().until('C');
                client.run("ALTER TABLE t ADD f int").sync();
                client.query(SHOW);
            }),
            Map.entry("a query in a pipeline", client -> {
                client.run("ALTER TABLE t ADD b int").query("SELECT 1");
                client.run("INSERT INTO t VALUES (8, 'h', 1)").query("ALTER TABLE t ADD c int");
                client.run("ALTER TABLE t ADD d int").query("ALTER TABLE t ADD e int; SELECT 1");
                client.query(SHOW);
            }),
            Map.entry("byte by byte", client -> {
                client.run("ALTER TABLE t ADD b int")
                        .run("SELECT 1")
                        .syncLater()
                        .sendInPieces();
                client.ready();
                client.message('Q', "ALTER TABLE t ADD c int; SELECT 2\0").sendInPieces();
                client.ready();
                client.query(SHOW);
            }),
            Map.entry("code that runs DDL", client -> {
                widens(client);
                queries(
                        client,
                        "SELECT widens('b')",
                        "/* é */ SELECT id, widens('c') FROM t WHERE id = 1 ",
                        "CALL calls('d')",
                        "INSERT INTO t VALUES (4, widens('e')) RETURNING *",
                        "SELECT id FROM t WHERE id = length(widens('f'))",
                        // What the first run answered before its error is answered once; what fails again says so.
                        "SELECT widens('b')",
                        "/* é */ SELECT widens('g'), nothing()",
                        "SELECT 'g'::integer + length(widens('g'))",
                        "SELECT set_config('datestyle', 'German', false), widens('h')",
                        "SELECT current_date::text LIKE '__.__.____'",
                        "SELECT widens('i') UNION ALL SELECT (1 / 0)::text",
                        "SELECT 1 / (SELECT count(*) FROM t WHERE widens('i') = '')");
            }),
            Map.entry("code that runs DDL in pipelines", client -> {
                widens(client);
                client.parse("s", "SELECT widens($1), $2")
                        .describe('S', "s")
                        .bind("", "s", "b", "x")
                        .describe('P', "")
                        .execute("")
                        .close('P', "")
                        .sync();
                client.bind("p", "s", "c", "y").execute("p").sync();
                client.bind("p", "s", "c", "again").execute("p").sync();
                client.parse("", "SELECT widens($1)")
                        .bind("", "", "d")
                        .execute("")
                        .sync();
                client.bind("", "", "e").describe('P', "").execute("").sync();
                client.run("CALL calls('f')").sync();
                client.run("INSERT INTO t VALUES (4, widens('g'))")
                        .close('S', "s")
                        .sync();
                client.bind("p", "s", "none", "").execute("p").sync();
                client.run("SELECT widens('h')").syncLater().sendInPieces();
                client.ready();
                client.message('Q', "SELECT widens('i')\0").sendInPieces();
                client.ready();
            }),
            Map.entry("habits of clients", client -> {
                // A Sync before anything else, and a Flush that has nothing to flush.
                client.sync().flush().sync();
                // Copied data outside of a COPY, as a client sends that hopes for one.
                client.copyData("31\tx\n").copyDone().copyFail("none").sync();
                client.run("ALTER TABLE t ADD b int")
                        .copyData("31\tx\t1\n")
                        .copyDone()
                        .sync();
                // Closing what a failed Parse did not make.
                client.parse("none", "ALTER TABLE t ADD c nonsense").sync();
                client.parse("none", "ALTER TABEL t").sync();
                client.close('S', "none").close('P', "none").sync();
                // A portal that is read in portions, before and behind DDL of its transaction.
                client.query("BEGIN")
                        .parse("", "SELECT id FROM t ORDER BY id")
                        .bind("p", "")
                        .message('E', "p\0\0\0\0\1")
                        .sync();
                client.run("CREATE TABLE u (id int PRIMARY KEY)").sync();
                client.message('E', "p\0\0\0\0\1").sync();
                client.execute("p").sync();
                // abs(5) by FunctionCall.
                client.message('F', "\0\0\5u\0\1\0\1\0\1\0\0\0\4\0\0\0\5\0\1")
                        .send()
                        .ready();
                client.query("COMMIT");
                client.query(SHOW);
            }),
            Map.entry("a copy in a pipeline", client -> {
                client.run("ALTER TABLE t ADD b int")
                        .run("COPY t FROM STDIN")
                        .flush()
                        .send()
                        .until('G');
                client.copyData("21\tu\t1\n")
                        .copyDone()
                        .run("SELECT count(*) FROM t")
                        .sync();
                client.query(SHOW);
            }));

    private static void widens(WireClient client) {
        client.query("CREATE FUNCTION widens(name text) RETURNS text LANGUAGE plpgsql AS"
                + " $$BEGIN EXECUTE format('ALTER TABLE t ADD %I int DEFAULT 7', name); RETURN name; END$$");
        client.query("CREATE PROCEDURE calls(INOUT name text) LANGUAGE plpgsql AS $$BEGIN name := widens(name); END$$");
    }

    static Stream<String> names() {
        return SCENARIOS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("names")
    void is_answered_as_by_one_server(String name) throws SQLException {
        List<String> expected = play(plain.node(1), name);
        List<String> actual = play(group.through(), name);
        assertThat(actual).isEqualTo(expected);
        group.assertEqualNodes();
    }

    private static List<String> play(PgNode node, String name) {
        try (WireClient client = WireClient.connect(node)) {
            client.query("SET client_min_messages = warning");
            client.query("DROP SCHEMA IF EXISTS play CASCADE");
            client.query("CREATE SCHEMA play");
            client.query("SET search_path = play");
            client.query("CREATE TABLE t (id int PRIMARY KEY, a text)");
            client.query("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
            client.query("RESET client_min_messages");
            assertThat(client.lines()).as("prepared").noneMatch(line -> line.startsWith("E "));
            client.lines().clear();
            Objects.requireNonNull(SCENARIOS.get(name)).accept(client);
            return List.copyOf(client.lines());
        }
    }
}
