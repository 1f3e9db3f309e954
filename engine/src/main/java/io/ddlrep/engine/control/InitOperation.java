package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeSession;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Lets a superuser's session change replicated tables without the guard's objection, as an operation does: the session
 * reads the group's key and issues itself a ticket. Stateless.
 */
final class InitOperation {
    private InitOperation() {}

    /** Opens a transaction that the guard lets pass; on a replica it fires no ordinary triggers either. */
    static void begin(NodeSession session, boolean origin) {
        byte[] key = HexFormat.of()
                .parseHex(session.query("SELECT pg_catalog.encode(key, 'hex') AS key FROM ddlrep.secret")
                        .get(0)
                        .text("key"));
        String op = "init-" + UUID.randomUUID();
        String backend =
                session.query("SELECT ddlrep.backend() AS backend").get(0).text("backend");
        boolean companion = !origin;
        String ticket = new Tickets(key).issue("enter", op, 1, backend, Boolean.toString(companion));
        session.execute("BEGIN; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL client_min_messages = warning;"
                + " SET LOCAL check_function_bodies = off; SET LOCAL standard_conforming_strings = on;"
                + " SET LOCAL lock_timeout = '30s'");
        session.query("SELECT ddlrep.enter($1, 1, $2::boolean, $3)", op, companion, ticket);
        session.update("DELETE FROM ddlrep.ticket_used t WHERE t.op = $1", op);
    }
}
