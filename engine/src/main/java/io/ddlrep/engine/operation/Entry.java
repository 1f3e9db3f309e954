package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.GonePeer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is said in the client's session before a statement of an operation: the transaction is marked, and no limit of the
 * client's runs while the engine works. Immutable.
 *
 * @param begin opens the transaction: the statement is one in autocommit
 * @param lockTimeoutMillis what is left of lock_wait
 */
record Entry(boolean begin, int lockTimeoutMillis) {
    /** The first parameter that is free for statements behind. */
    static final int FREE = 6;

    /** A client whose host vanished gives its locks back as soon as companions do; see {@link GonePeer}. */
    private static final String SQL = "SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL jit = off;"
            + " SELECT pg_catalog.set_config('lock_timeout', $5, true), " + GonePeer.LOCAL;

    /** Says it. */
    void enter(Link client) {
        enter(client, "");
    }

    /**
     * Says it, and more in the same message.
     *
     * @param after statements, with parameters from {@link #FREE} on; or empty
     */
    void enter(Link client, String after, Object... parameters) {
        List<Object> all = new ArrayList<>();
        all.add(Integer.toString(lockTimeoutMillis));
        all.addAll(Arrays.asList(parameters));
        client.enter(begin ? "BEGIN; " : "", false, after.isEmpty() ? SQL : SQL + "; " + after, all.toArray());
    }
}
