package io.ddlrep.testkit.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a server is to run. What stands here is what the server really does: it is asserted after the start. Immutable.
 *
 * @param major PostgreSQL major, 14 to 18
 * @param authentication of connections over TCP
 * @param fsync false is fast and still survives {@code kill -9} (the kernel keeps the pages), but no loss of power
 * @param synchronousCommit value of {@code synchronous_commit}
 * @param maxPreparedTransactions value of {@code max_prepared_transactions}
 * @param maxConnections value of {@code max_connections}
 * @param settings further settings, such as {@code wal_level}, by name
 */
public record PgServerOptions(
        int major,
        Authentication authentication,
        boolean fsync,
        String synchronousCommit,
        int maxPreparedTransactions,
        int maxConnections,
        Map<String, String> settings) {

    /** How {@code pg_hba.conf} lets clients in. The superuser's password is set in both cases. */
    public enum Authentication {
        TRUST,
        SCRAM
    }

    public PgServerOptions {
        settings = Map.copyOf(settings);
    }

    /** Without fsync, {@code synchronous_commit = on}, 50 prepared transactions, 100 connections, trust. */
    public static PgServerOptions of(int major) {
        return new PgServerOptions(major, Authentication.TRUST, false, "on", 50, 100, Map.of());
    }

    /** As {@link #of(int)}, for the major that tests run on. */
    public static PgServerOptions defaults() {
        return of(PgBinaries.defaultMajor());
    }

    public PgServerOptions withAuthentication(Authentication value) {
        return new PgServerOptions(
                major, value, fsync, synchronousCommit, maxPreparedTransactions, maxConnections, settings);
    }

    public PgServerOptions withFsync(boolean value) {
        return new PgServerOptions(
                major, authentication, value, synchronousCommit, maxPreparedTransactions, maxConnections, settings);
    }

    public PgServerOptions withSynchronousCommit(String value) {
        return new PgServerOptions(
                major, authentication, fsync, value, maxPreparedTransactions, maxConnections, settings);
    }

    public PgServerOptions withMaxPreparedTransactions(int value) {
        return new PgServerOptions(major, authentication, fsync, synchronousCommit, value, maxConnections, settings);
    }

    public PgServerOptions withMaxConnections(int value) {
        return new PgServerOptions(
                major, authentication, fsync, synchronousCommit, maxPreparedTransactions, value, settings);
    }

    /**
     * Adds one setting of {@code postgresql.conf}; the last value of a name wins. With {@code port} the server starts on that
     * port or not at all; else a free one is chosen.
     */
    public PgServerOptions withSetting(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new PgServerOptions(
                major, authentication, fsync, synchronousCommit, maxPreparedTransactions, maxConnections, more);
    }

    /** Everything that must be in force, in the words of {@code SHOW} for those with a field of their own. */
    Map<String, String> asked() {
        Map<String, String> asked = new LinkedHashMap<>(settings);
        asked.put("fsync", fsync ? "on" : "off");
        asked.put("synchronous_commit", synchronousCommit);
        asked.put("max_prepared_transactions", Integer.toString(maxPreparedTransactions));
        asked.put("max_connections", Integer.toString(maxConnections));
        return asked;
    }
}
