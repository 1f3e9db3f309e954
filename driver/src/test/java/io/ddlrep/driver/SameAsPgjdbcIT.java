package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same inputs through pgjdbc and through the driver with an engine in between: same results, counts, warnings, errors
 * with their positions, and the same state of the session.
 */
class SameAsPgjdbcIT {
    private static PgGroup group;
    private static final LocalEngine ENGINE = new LocalEngine();
    private static final DdlrepDriver DRIVER = new DdlrepDriver(ENGINE);

    /** What is done in a fresh schema with a table t(id, a) of three rows. */
    interface Scenario {
        void play(Transcript transcript) throws SQLException;
    }

    @BeforeAll
    static void two_databases() throws SQLException {
        group = PgGroup.create("same", 2);
        Databases.alone(group.node(2));
    }

    @AfterAll
    static void gone() {
        group.close();
    }

    private static final Map<String, Scenario> SCENARIOS = Map.ofEntries(
            Map.entry(
                    "ddl_alone",
                    t -> t.execute("ALTER TABLE t ADD b int")
                            .update("ALTER TABLE t ADD c int")
                            .largeUpdate("/* x */ ALTER TABLE t ADD d int; -- end")
                            .query("ALTER TABLE t ADD e int")
                            .query("SELECT * FROM t ORDER BY id")
                            .execute("ALTER TABLE t ADD b int")
                            .execute("CREATE TABLE u AS SELECT * FROM t")
                            .execute("CREATE TABLE IF NOT EXISTS u (x int)")
                            .execute("DROP TABLE IF EXISTS nowhere")
                            .execute("ALTER TABLE t ALTER a TYPE nonsense")),
            Map.entry(
                    "prepared_ddl",
                    t -> t.prepared("ALTER TABLE t ADD b int")
                            .prepared("BEGIN; ALTER TABLE t ADD c int; COMMIT")
                            .prepared("ALTER TABLE t ADD b int")
                            .prepared("SELECT count(*) FROM t")),
            Map.entry(
                    "script",
                    t -> t.execute("INSERT INTO t VALUES (4, 'd'); ALTER TABLE t ADD b int; SELECT * FROM t")
                            .execute("SELECT 1; ALTER TABLE t ADD c int; UPDATE t SET b = 1; SELECT 2")
                            .update("UPDATE t SET b = 2; ALTER TABLE t ADD d int; ")
                            .query("ALTER TABLE t ADD e int; SELECT 1")
                            .update("ALTER TABLE t ADD f int; SELECT 1")
                            .query("SELECT 1; ALTER TABLE t ADD g int")
                            .execute("CREATE TABLE u (id int);; ;CREATE INDEX ON u (id); INSERT INTO u VALUES (1), (2)")
                            .query("SELECT count(*) FROM u")),
            Map.entry(
                    "script_fails",
                    t -> t.execute("INSERT INTO t VALUES (4, 'd'); ALTER TABLE t ADD a int")
                            .execute("SELECT count(*) FROM t")
                            .execute("ROLLBACK")
                            .execute("ALTER TABLE t ADD b int; SELECT nonsense FROM t")
                            .execute("SELECT count(*) FROM t")
                            .execute("ROLLBACK")
                            .execute(
                                    "ALTER TABLE t ADD b int; /* a ; comment */ -- and ; another\n SELECT\n 1 +; SELECT 1")
                            .execute("ROLLBACK")
                            .execute("ALTER TABLE t ADD é int; SELECT 'ö', nonsense")
                            .execute("ROLLBACK")
                            .execute("SELECT * FROM t")),
            Map.entry(
                    "script_with_block",
                    t -> t.execute("BEGIN; ALTER TABLE t ADD b int; COMMIT; SELECT 1")
                            .execute("INSERT INTO t VALUES (5, 'e'); BEGIN; ALTER TABLE t ADD c int")
                            .execute("SAVEPOINT s; ALTER TABLE t ADD d int; ROLLBACK TO s; RELEASE s")
                            .execute("ROLLBACK")
                            .execute("SELECT * FROM t ORDER BY id")
                            .execute("BEGIN; ALTER TABLE t ADD a int; COMMIT")
                            .execute("ROLLBACK")
                            .execute("START TRANSACTION ISOLATION LEVEL SERIALIZABLE; ALTER TABLE t ADD x int; END")
                            .execute("ALTER TABLE t ADD y int; BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT 1")
                            .execute("ROLLBACK")),
            Map.entry(
                    "script_heads",
                    t -> t.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; ALTER TABLE t ADD b int;"
                                    + " SHOW transaction_isolation")
                            .execute("ROLLBACK")
                            .execute("COMMIT PREPARED 'nothing'; ALTER TABLE t ADD c int")
                            .execute("ROLLBACK")),
            Map.entry(
                    "script_ends_blocks",
                    t -> t.execute("ALTER TABLE t ADD b int; COMMIT; ALTER TABLE t ADD c int")
                            .execute("ROLLBACK")
                            .execute("ALTER TABLE t ADD d int; ROLLBACK; ALTER TABLE t ADD e int")
                            .execute("ROLLBACK")
                            .execute("SELECT * FROM t ORDER BY id")
                            .execute("ROLLBACK")
                            .execute("ALTER TABLE t ADD f int; SAVEPOINT s")
                            .execute("ROLLBACK")
                            .execute("ALTER TABLE t ADD f int; RELEASE s")
                            .execute("ROLLBACK")
                            .execute("ALTER TABLE t ADD f int; ROLLBACK TO s")
                            .execute("ROLLBACK")
                            .execute("ALTER TABLE t ADD f int; COMMIT AND CHAIN")
                            .execute("ROLLBACK")
                            .execute("SELECT * FROM t ORDER BY id")),
            Map.entry(
                    "text_transactions",
                    t -> t.execute("/* why */ BEGIN")
                            .execute("ALTER TABLE t ADD b int")
                            .execute("-- now\nSAVEPOINT \"S 1\"")
                            .execute("ALTER TABLE t ADD a int")
                            .execute("SELECT 1")
                            .execute("ROLLBACK TO \"S 1\"")
                            .execute("RELEASE \"S 1\"")
                            .execute("/* done */ COMMIT")
                            .execute("BEGIN; ALTER TABLE t ADD c int")
                            .execute("COMMIT AND CHAIN")
                            .execute("ALTER TABLE t ADD d int")
                            .execute("ROLLBACK AND CHAIN")
                            .execute("ROLLBACK")
                            .execute("SELECT * FROM t ORDER BY id")),
            Map.entry("jdbc_transactions", SameAsPgjdbcIT::jdbcTransactions),
            Map.entry(
                    "batches",
                    t -> t.batch("ALTER TABLE t ADD b int", "UPDATE t SET b = 1", "INSERT INTO t VALUES (4, 'd', 1)")
                            .batch("ALTER TABLE t ADD c int", "ALTER TABLE t ADD a int", "UPDATE t SET b = 2")
                            .execute("SELECT count(*) FROM t")
                            .execute("ROLLBACK")
                            .batch("ALTER TABLE t ADD d int", "SELECT 1")
                            .execute("ROLLBACK")
                            .batch("CREATE TABLE u (id int)")
                            .batch()
                            .execute("SELECT * FROM t ORDER BY id")),
            Map.entry(
                    "keys",
                    t -> t.keys("INSERT INTO t VALUES (7, 'x'); ALTER TABLE t ADD b int")
                            .keys("ALTER TABLE t ADD c int; INSERT INTO t VALUES (8, 'x'); UPDATE t SET b = 3")
                            .keys("ALTER TABLE t ADD d int")
                            .execute("SELECT * FROM t ORDER BY id")),
            Map.entry(
                    "outside_blocks",
                    t -> t.execute("CREATE INDEX CONCURRENTLY i ON t (a)")
                            .execute("ROLLBACK")
                            .execute("VACUUM t")
                            .execute("DO $$ BEGIN EXECUTE 'ALTER TABLE t ADD z int'; END $$")));

    private static void jdbcTransactions(Transcript t) throws SQLException {
        t.act("commit", con -> {
                    con.commit();
                    return "";
                })
                .act("autocommit off", con -> {
                    con.setAutoCommit(false);
                    return "";
                })
                .execute("ALTER TABLE t ADD b int")
                .act("savepoints", con -> {
                    var unnamed = con.setSavepoint();
                    con.createStatement().execute("ALTER TABLE t ADD c int");
                    var named = con.setSavepoint("Name d'un");
                    con.createStatement().execute("ALTER TABLE t ADD d int");
                    con.rollback(named);
                    con.releaseSavepoint(named);
                    con.createStatement().execute("ALTER TABLE t ADD d int");
                    con.rollback(unnamed);
                    return unnamed.getSavepointId();
                })
                .act("released", con -> {
                    var savepoint = con.setSavepoint();
                    con.releaseSavepoint(savepoint);
                    con.rollback(savepoint);
                    return "";
                })
                .act("commit", con -> {
                    con.commit();
                    return "";
                })
                .execute("ALTER TABLE t ADD e int")
                .act("rollback", con -> {
                    con.rollback();
                    return "";
                })
                .execute("ALTER TABLE t ADD f int")
                .act("autocommit on", con -> {
                    con.setAutoCommit(true);
                    return "";
                })
                .execute("SELECT * FROM t ORDER BY id")
                .act("autocommit off", con -> {
                    con.setAutoCommit(false);
                    return "";
                })
                .execute("ALTER TABLE t ADD a int")
                .act("commit of a failed transaction", con -> {
                    con.commit();
                    return "";
                })
                .execute("SELECT * FROM t ORDER BY id");
    }

    static Stream<Arguments> cases() {
        return SCENARIOS.keySet().stream()
                .sorted()
                .flatMap(name -> Stream.of("extended", "simple", "extendedForPrepared", "extendedCacheEverything")
                        // pgjdbc sends wrong SQL for keys of several statements in these modes.
                        .filter(mode -> !name.equals("keys") || mode.equals("extended") || mode.endsWith("Everything"))
                        // The head of a pipeline is warned of what it is not, by some versions of the server.
                        .filter(mode -> !name.equals("script_heads") || mode.equals("simple"))
                        .flatMap(mode ->
                                Stream.of(true, false).map(autoCommit -> Arguments.of(name, mode, autoCommit))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void behaves_as_pgjdbc(String name, String mode, boolean autoCommit) throws SQLException {
        Map<String, String> properties = Map.of("preferQueryMode", mode);
        ENGINE.drain();
        List<String> theirs;
        List<String> ours;
        try (Connection plain = Databases.plain(group.node(1), properties)) {
            theirs = play(plain, name, autoCommit);
        }
        try (Connection routed = Databases.connect(DRIVER, group.node(2), properties)) {
            ours = play(routed, name, autoCommit);
        }
        assertThat(ours).isEqualTo(theirs);
        assertThat(ENGINE.drain()).isNotEmpty();
    }

    private static List<String> play(Connection connection, String name, boolean autoCommit) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA IF EXISTS play CASCADE");
            statement.execute("CREATE SCHEMA play");
            statement.execute("SET search_path = play");
            statement.execute("CREATE TABLE t (id int, a text)");
            statement.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
        }
        connection.clearWarnings();
        connection.setAutoCommit(autoCommit);
        Transcript transcript = new Transcript(connection);
        Objects.requireNonNull(SCENARIOS.get(name)).play(transcript);
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return transcript.lines();
    }
}
