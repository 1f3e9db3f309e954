package io.ddlrep.engine.replication;

import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.OperationSession;

/** An operation's session as the engine's own is: each privileged call carries a ticket. Used by one thread. */
final class TicketedSession implements OperationSession {
    private final NodeSession session;
    private final Tickets tickets;
    private final String op;
    private final String backend;
    private int number;

    TicketedSession(NodeSession session, Tickets tickets, String op, boolean companion) {
        this.session = session;
        this.tickets = tickets;
        this.op = op;
        this.backend =
                session.query("SELECT ddlrep.backend() AS backend").get(0).text("backend");
        number++;
        session.query(
                "SELECT ddlrep.enter($1, $2, $3, $4)",
                op,
                number,
                companion,
                tickets.issue("enter", op, number, backend, Boolean.toString(companion)));
    }

    @Override
    public String node() {
        return session.node();
    }

    @Override
    public NodeSession session() {
        return session;
    }

    @Override
    public void run(String sql) {
        if (sql.isEmpty()) {
            return;
        }
        number++;
        session.query(
                "SELECT ddlrep.run($1, $2, $3, $4)", op, number, sql, tickets.issue("run", op, number, backend, sql));
    }

    @Override
    public long carry(long tableId, String stage) {
        number++;
        return session.query(
                        "SELECT ddlrep.carry($1, $2, $3, $4, $5) AS rows",
                        op,
                        number,
                        tableId,
                        stage,
                        tickets.issue("carry", op, number, backend, tableId + "|" + stage))
                .get(0)
                .number("rows");
    }
}
