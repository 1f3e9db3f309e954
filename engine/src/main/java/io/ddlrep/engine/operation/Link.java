package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.OperationSession;

/**
 * A session inside one operation, with the tickets that it may use. Owned by the operation's thread; during a fan-out by
 * the thread that works on its node.
 */
final class Link implements OperationSession {
    private final NodeSession session;
    private final String backend;
    private final String op;
    private final Tickets tickets;
    private int used;

    /**
     * Makes a link.
     *
     * @param session the session
     * @param backend as {@code ddlrep.backend()} prints it there
     * @param op the operation
     * @param tickets the group's issuer
     */
    Link(NodeSession session, String backend, String op, Tickets tickets) {
        this.session = session;
        this.backend = backend;
        this.op = op;
        this.tickets = tickets;
    }

    @Override
    public String node() {
        return session.node();
    }

    @Override
    public NodeSession session() {
        return session;
    }

    /** The backend behind the session. */
    String backend() {
        return backend;
    }

    private String ticket(String purpose, String payload) {
        used++;
        return tickets.issue(purpose, op, used, backend, payload);
    }

    /** Marks the transaction, in front of more statements of the same message. */
    void enter(boolean companion, String more) {
        String ticket = ticket("enter", Boolean.toString(companion));
        session.update(
                "SELECT ddlrep.enter($1, $2, $3, $4)" + (more.isEmpty() ? "" : "; " + more),
                op,
                used,
                companion,
                ticket);
    }

    /** Takes the mark away: DDL that comes around the engine is seen by the guard again. */
    void leave() {
        session.execute("SET LOCAL ddlrep.marker = ''");
    }

    @Override
    public void run(String sql) {
        if (!sql.isEmpty()) {
            String ticket = ticket("run", sql);
            session.update("SELECT ddlrep.run($1, $2, $3, $4)", op, used, sql, ticket);
        }
    }

    @Override
    public long carry(long tableId, String stage) {
        String ticket = ticket("carry", tableId + "|" + stage);
        return session.query("SELECT ddlrep.carry($1, $2, $3, $4, $5) AS changed", op, used, tableId, stage, ticket)
                .get(0)
                .number("changed");
    }

    /** Inserts the decision row; origin only. */
    String decide(long lastCarriedSeq) {
        String ticket = ticket("decide", Long.toString(lastCarriedSeq));
        return session.query("SELECT ddlrep.decide($1, $2, $3, $4) AS xid", op, used, lastCarriedSeq, ticket)
                .get(0)
                .text("xid");
    }
}
