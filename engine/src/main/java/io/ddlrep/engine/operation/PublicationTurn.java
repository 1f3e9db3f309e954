package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeSession;

/**
 * One operation, or recovery, per publication at a time: a session lock of the service on the origin, gone with its
 * session. It only keeps operations from getting in each other's way; what became of one is never decided by it. Stateless.
 */
final class PublicationTurn {
    private PublicationTurn() {}

    /** Takes the turn of publication $1 if it is free; also where the session has it already. */
    static final String TRY =
            "SELECT pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended('ddlrep:' || $1, 0)) AS mine";

    /** Takes the turn if it is free. */
    static boolean tryTake(NodeSession service, String publication) {
        return service.query(TRY, publication).get(0).flag("mine");
    }
}
