package io.ddlrep.benchmarks;

import io.ddlrep.testkit.PgNode;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.postgresql.PGConnection;

/** Makes the tables of a {@link Bank} in one database equal to those in another, by COPY. Stateless. */
final class BankCopy {
    private static final int PIPE = 1 << 20;

    private BankCopy() {}

    static void copy(PgNode from, PgNode to) throws SQLException {
        try (Connection source = from.connect();
                Connection target = to.connect()) {
            for (String table : List.of("branches", "tellers", "accounts", "history", "marker")) {
                try (Statement statement = target.createStatement()) {
                    statement.execute("TRUNCATE app." + table);
                }
                copy(source.unwrap(PGConnection.class), target.unwrap(PGConnection.class), "app." + table);
            }
        }
    }

    private static void copy(PGConnection source, PGConnection target, String table) throws SQLException {
        try (PipedInputStream in = new PipedInputStream(PIPE)) {
            PipedOutputStream out = new PipedOutputStream(in);
            CompletableFuture<Long> sent = CompletableFuture.supplyAsync(() -> {
                try (out) {
                    return source.getCopyAPI().copyOut("COPY " + table + " TO STDOUT (FORMAT binary)", out);
                } catch (SQLException | IOException e) {
                    throw new IllegalStateException("COPY of " + table + " failed", e);
                }
            });
            long received = target.getCopyAPI().copyIn("COPY " + table + " FROM STDIN (FORMAT binary)", in);
            if (sent.get() != received) {
                throw new SQLException(table + ": " + sent.get() + " rows sent, " + received + " received");
            }
        } catch (IOException | ExecutionException e) {
            throw new SQLException("COPY of " + table + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        }
    }
}
