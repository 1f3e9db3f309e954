package io.ddlrep.engine.node;

/**
 * What a server does about the engine's host when that vanishes without a word, as by a power cut: it ends the session, and with
 * it the locks of an operation, after a minute and a half instead of the two hours of the operating system. Settings that a
 * transport does not have (sockets of the machine itself) are taken and mean nothing. Stateless.
 */
public final class GonePeer {
    /** To be sent in a session that was just opened. */
    public static final String SETTINGS = "SET tcp_keepalives_idle = 60; SET tcp_keepalives_interval = 10;"
            + " SET tcp_keepalives_count = 3; SET tcp_user_timeout = '90s'";

    /** The same for one transaction, as columns of a query. */
    public static final String LOCAL = "pg_catalog.set_config('tcp_keepalives_idle', '60', true),"
            + " pg_catalog.set_config('tcp_keepalives_interval', '10', true),"
            + " pg_catalog.set_config('tcp_keepalives_count', '3', true),"
            + " pg_catalog.set_config('tcp_user_timeout', '90s', true)";

    private GonePeer() {}
}
