package io.ddlrep.examples.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Seeded;
import io.ddlrep.testkit.server.PgBinaries;
import io.ddlrep.testkit.server.PgServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Mixed ALTERs through {@code jdbc:ddlrep:} while writers change the same tables: nothing that was committed is lost, nothing is
 * doubled, and no writer meets an error that one PostgreSQL would not give. Property {@code ddlrep.load.alters} makes it longer.
 */
class AltersUnderLoadIT {
    private static final int ALTERS = Integer.getInteger("ddlrep.load.alters", 12);
    private static final int WRITERS = 4;
    private static final int COMMITS_BETWEEN = 6;

    @Test
    void alters_while_writers_run_lose_and_double_nothing() throws SQLException, InterruptedException {
        long seed = Seeded.seed();
        try (EmbeddedGroup group = EmbeddedGroup.start(
                "load", Collections.nCopies(3, PgServerOptions.of(PgBinaries.defaultMajor())), Schema::create)) {
            new Run(group, seed).run();
        } catch (SQLException | RuntimeException | AssertionError e) {
            throw new AssertionError("failed with -D" + Seeded.SEED + "=" + seed + ": " + e.getMessage(), e);
        }
    }

    /** One run over one group. */
    private static final class Run {
        private final EmbeddedGroup group;
        private final SplittableRandom random;
        private final SharedShapes shapes = new SharedShapes();
        private final List<Writer> writers = new ArrayList<>();
        private final List<SumReader> readers = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();

        Run(EmbeddedGroup group, long seed) {
            this.group = group;
            this.random = new SplittableRandom(seed);
        }

        void run() throws SQLException, InterruptedException {
            for (int i = 1; i <= WRITERS; i++) {
                boolean plain = i % 2 == 0;
                writers.add(new Writer(
                        () -> plain ? group.origin().connect() : group.connect(""), i, random.split(), shapes));
            }
            group.nodes().stream().skip(1).forEach(node -> readers.add(new SumReader(node, shapes)));
            writers.forEach(w -> start(w, "writer"));
            readers.forEach(r -> start(r, "reader"));
            Alterer alterer;
            try (Connection connection = group.connect("&lockWait=60s")) {
                alterer = new Alterer(connection, random.split(), shapes);
                alter(alterer);
            } finally {
                writers.forEach(Writer::stop);
                readers.forEach(SumReader::stop);
                for (Thread thread : threads) {
                    thread.join(60_000);
                    assertThat(thread.isAlive()).as(thread.getName()).isFalse();
                }
            }
            check(alterer);
        }

        private void start(Runnable work, String name) {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }

        private void alter(Alterer alterer) throws InterruptedException {
            int tries = 0;
            try {
                while (alterer.alters() < ALTERS) {
                    awaitCommits();
                    alterer.operation();
                    assertThat(++tries)
                            .as("operations for %s alters", alterer.alters())
                            .isLessThan(ALTERS * 3);
                }
                awaitCommits();
            } catch (SQLException e) {
                throw new AssertionError(e.getSQLState() + " after:\n" + String.join("\n", alterer.journal()), e);
            }
        }

        private void awaitCommits() {
            long goal = commits() + COMMITS_BETWEEN;
            await("writers go on")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> {
                        writers.forEach(w -> assertThat(w.wrong()).isEmpty());
                        return commits() >= goal;
                    });
        }

        private long commits() {
            return writers.stream().mapToLong(Writer::commits).sum();
        }

        private void check(Alterer alterer) throws SQLException {
            TreeMap<String, Integer> errors = new TreeMap<>();
            for (Writer writer : writers) {
                assertThat(writer.wrong()).isEmpty();
                writer.errors().forEach((error, count) -> errors.merge(error, count, Integer::sum));
            }
            System.out.println(alterer.alters() + " alters, tried again: " + alterer.again() + "; " + commits()
                    + " commits, errors " + errors + "; reads "
                    + readers.stream().map(SumReader::reads).toList());
            group.synchronize();
            String journal = "\n" + String.join("\n", alterer.journal()) + "\n";
            for (SumReader reader : readers) {
                assertThat(reader.wrong()).as(journal).isEmpty();
                assertThat(reader.reads()).isPositive();
            }
            List<Book> books = new ArrayList<>(List.of(alterer.book()));
            writers.forEach(w -> books.add(w.book()));
            Ledger ledger = new Ledger(books, shapes.get());
            for (PgNode node : group.nodes()) {
                assertThat(ledger.differences(node)).as(journal).isEmpty();
            }
            new Consistency(group.nodes()).check(journal);
        }
    }
}
