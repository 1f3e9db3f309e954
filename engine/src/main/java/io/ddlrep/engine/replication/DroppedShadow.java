package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import java.util.function.BooleanSupplier;

/**
 * A closed generation may be dropped between the look at which there are and the read of it: whoever purges has seen that
 * every replica has all of it. Such a read is made again, or left out; nothing was to be had there. Stateless.
 */
final class DroppedShadow {
    private static final String UNDEFINED_TABLE = "42P01";

    /** Generations are dropped once a second at most; each try is made with a fresh list. */
    private static final int TRIES = 5;

    private DroppedShadow() {}

    /** Whether the origin said that a table is not there. */
    static boolean isMeant(NodeException e, NodeSession origin) {
        return e.sqlState().equals(UNDEFINED_TABLE) && e.node().equals(origin.node());
    }

    /**
     * Looks into shadow tables, and again where one was dropped meanwhile.
     *
     * @param origin the session that looks, outside a transaction
     * @param look lists the generations and reads them
     */
    static boolean lookAgain(NodeSession origin, BooleanSupplier look) {
        for (int left = TRIES; ; left--) {
            try {
                return look.getAsBoolean();
            } catch (NodeException e) {
                if (left == 1 || !isMeant(e, origin)) {
                    throw e;
                }
            }
        }
    }
}
