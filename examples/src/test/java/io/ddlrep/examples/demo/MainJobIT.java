package io.ddlrep.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.dump.CatalogDump;
import io.ddlrep.testkit.dump.TableDump;
import io.ddlrep.testkit.load.LoadGenerator;
import io.ddlrep.testkit.load.LoadPlan;
import io.ddlrep.testkit.load.LoadReport;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The script of the issue through {@code jdbc:ddlrep:}, on each PostgreSQL major, while writers run. */
class MainJobIT {
    private static final String SEED = "ALTER TABLE t1 ADD COLUMN c1 integer; CREATE SEQUENCE s1;"
            + " UPDATE t1 SET c1=nextval('s1'); ALTER TABLE t1 ALTER COLUMN c1 SET NOT NULL;"
            + " ALTER TABLE t1 ADD PRIMARY KEY(c1);";

    private static final int ROWS = 3_000;

    private static void schema(PgNode node) throws SQLException {
        String order = node.name().equals("n1") ? "i" : "pg_catalog.md5(i::text || '" + node.name() + "')";
        node.execute(
                "CREATE TABLE t1 (v integer NOT NULL, w text)",
                "CREATE TABLE t2 (id integer PRIMARY KEY, n bigint NOT NULL)",
                "INSERT INTO t1 SELECT i, pg_catalog.md5(i::text) FROM pg_catalog.generate_series(1, " + ROWS
                        + ") i ORDER BY " + order,
                "INSERT INTO t2 SELECT i, 0 FROM pg_catalog.generate_series(1, 200) i ORDER BY " + order);
    }

    private static PgServerOptions options(int major) {
        return PgServerOptions.of(major).withSetting("log_statement", "all");
    }

    @ParameterizedTest
    @ValueSource(ints = {14, 15, 16, 17, 18})
    void the_script_leaves_equal_nodes_while_writers_run(int major) throws SQLException {
        run(Collections.nCopies(3, options(major)), true);
    }

    @Test
    void nodes_of_different_majors_form_one_group() throws SQLException {
        run(List.of(options(17), options(14), options(18)), false);
    }

    private static void run(List<PgServerOptions> options, boolean oneMajor) throws SQLException {
        Logger logger = (Logger) LoggerFactory.getLogger("io.ddlrep");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            runLogged(options, oneMajor);
        } finally {
            logger.detachAppender(log);
            log.stop();
        }
        // The replicator goes on after most troubles, as after SQL that one major does not know.
        synchronized (log) {
            assertThat(log.list)
                    .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                    .isEmpty();
        }
    }

    private static void runLogged(List<PgServerOptions> options, boolean oneMajor) throws SQLException {
        try (EmbeddedGroup group = EmbeddedGroup.start("main_job", options, MainJobIT::schema);
                LoadGenerator writers = writers(group)) {
            writers.awaitCommits(40, Duration.ofMinutes(1));
            try (Connection connection = group.connect("");
                    Statement statement = connection.createStatement()) {
                statement.execute(SEED);
            }
            writers.awaitCommits(20, Duration.ofMinutes(1));
            LoadReport report = writers.stop();
            // What one PostgreSQL would say as well: a row without c1, once the column is NOT NULL.
            assertThat(report.errors().keySet()).isSubsetOf("23502");
            group.synchronize();
            assertRowsEqual(group);
            assertCatalogsEqual(group, oneMajor);
            assertNoDmlTextOnReplicas(group);
        }
    }

    private static LoadGenerator writers(EmbeddedGroup group) {
        return LoadPlan.of(4, 7)
                .add(3, session -> {
                    session.execute(
                            "UPDATE t2 SET n = n + 1 WHERE id = ?",
                            session.random().nextInt(1, 201));
                    session.execute(
                            "INSERT INTO t1 (v, w) VALUES (?, 'new')",
                            session.random().nextInt(1, ROWS));
                })
                .add(
                        2,
                        session -> session.execute(
                                "UPDATE t1 SET w = 'changed' WHERE v = ?",
                                session.random().nextInt(1, ROWS)))
                .add(
                        2,
                        session -> session.execute(
                                "DELETE FROM t1 WHERE v = ?", session.random().nextInt(1, ROWS)))
                .add(
                        2,
                        session -> session.execute(
                                "UPDATE t2 SET n = n + 1 WHERE id = ?",
                                session.random().nextInt(1, 201)))
                .start(() -> group.origin().connect());
    }

    private static void assertRowsEqual(EmbeddedGroup group) throws SQLException {
        for (String table : List.of("t1", "t2")) {
            List<String> checksums = new ArrayList<>();
            for (PgNode node : group.nodes()) {
                try (Connection connection = node.connect()) {
                    checksums.add(TableDump.checksum(connection, table));
                }
            }
            assertThat(checksums).as(table).containsOnly(checksums.get(0));
        }
    }

    private static void assertCatalogsEqual(EmbeddedGroup group, boolean oneMajor) throws SQLException {
        List<CatalogDump> dumps = new ArrayList<>();
        for (PgNode node : group.nodes()) {
            try (Connection connection = node.connect()) {
                dumps.add(oneMajor ? CatalogDump.of(connection) : CatalogDump.portable(connection));
            }
        }
        for (CatalogDump dump : dumps) {
            assertThat(dump.difference(dumps.get(0))).isEmpty();
        }
        assertThat(group.origin().queryText("SELECT pg_catalog.count(*) FROM t1 WHERE c1 IS NULL"))
                .isEqualTo("0");
    }

    private static void assertNoDmlTextOnReplicas(EmbeddedGroup group) {
        assertThat(group.log(1)).contains("UPDATE t1 SET c1=nextval('s1')");
        for (int replica = 2; replica <= group.nodes().size(); replica++) {
            assertThat(group.log(replica)).doesNotContain("UPDATE t1 SET").doesNotContain("INSERT INTO t1 (v, w)");
        }
    }
}
