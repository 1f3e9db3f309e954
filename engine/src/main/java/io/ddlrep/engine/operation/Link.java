package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.OperationSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /**
     * Marks the transaction, in one message with other statements.
     *
     * @param before statements in front, ending with a semicolon; or empty
     * @param companion also stops ordinary triggers
     * @param after statements behind, numbered parameters from $5 on; or empty
     * @param parameters those of {@code after}
     */
    void enter(String before, boolean companion, String after, @Nullable Object... parameters) {
        String ticket = ticket("enter", Boolean.toString(companion));
        List<@Nullable Object> all = new ArrayList<>(Arrays.asList(op, used, companion, ticket));
        all.addAll(Arrays.asList(parameters));
        session.update(
                before + "SELECT ddlrep.enter($1, $2, $3, $4)" + (after.isEmpty() ? "" : "; " + after), all.toArray());
    }

    /**
     * Marks the session, outside a transaction block, in one message with statements behind it.
     *
     * @param companion also stops ordinary triggers
     * @param rebuilds the statement makes indexes anew, rather than new ones
     * @param table qualified, quoted name of the table whose indexes the statement changes
     * @param after statements behind, numbered parameters from $7 on; or empty
     * @param parameters those of {@code after}
     */
    void enterOutside(boolean companion, boolean rebuilds, String table, String after, @Nullable Object... parameters) {
        String ticket = ticket("outside", companion + "|" + rebuilds + "|" + table);
        List<@Nullable Object> all = new ArrayList<>(Arrays.asList(op, used, companion, rebuilds, table, ticket));
        all.addAll(Arrays.asList(parameters));
        session.update(
                // A kept companion still has the role that prepares.
                (companion ? "RESET ROLE; " : "") + "SELECT ddlrep.enter_outside($1, $2, $3, $4, $5, $6)"
                        + (after.isEmpty() ? "" : "; " + after),
                all.toArray());
    }

    /** What the origin keeps of the password of a role; null where there is none. */
    @Nullable
    String roleVerifier(String role) {
        String ticket = ticket("verifier", role);
        return session.query("SELECT ddlrep.role_verifier($1, $2, $3, $4) AS verifier", op, used, role, ticket)
                .get(0)
                .get("verifier");
    }

    /** From here on code of the client may change the schema: its commands are noted. Origin only. */
    void enterCode() {
        String ticket = ticket("code", "");
        session.update("SELECT ddlrep.enter_code($1, $2, $3)", op, used, ticket);
    }

    /** Ends {@link #enterCode}: the commands that code has run, in order. */
    List<Row> endCode() {
        return session.query("SELECT c.statement, c.search_path, c.role FROM ddlrep.end_code($1) c", op);
    }

    @Override
    public void run(String sql) {
        if (!sql.isEmpty()) {
            String ticket = ticket("run", sql);
            session.update("SELECT ddlrep.run($1, $2, $3, $4)", op, used, sql, ticket);
        }
    }

    /** {@link #run} and a query behind it, in one message. */
    List<Row> runAndQuery(String sql, String query, @Nullable Object... parameters) {
        List<@Nullable Object> all = new ArrayList<>(Arrays.asList(parameters));
        String text = query;
        if (!sql.isEmpty()) {
            String ticket = ticket("run", sql);
            int first = all.size() + 1;
            text = "SELECT ddlrep.run($" + first + ", $" + (first + 1) + ", $" + (first + 2) + ", $" + (first + 3)
                    + "); " + query;
            all.addAll(Arrays.asList(op, used, sql, ticket));
        }
        return session.query(text, all.toArray());
    }

    /** {@link #run} with statements before and behind it, in one message. */
    void runBetween(String before, String sql, String after) {
        String ticket = ticket("run", sql);
        session.update(before + "SELECT ddlrep.run($1, $2, $3, $4)" + after, op, used, sql, ticket);
    }

    @Override
    public long carry(long tableId, String stage) {
        String ticket = ticket("carry", tableId + "|" + stage);
        return session.query("SELECT ddlrep.carry($1, $2, $3, $4, $5) AS changed", op, used, tableId, stage, ticket)
                .get(0)
                .number("changed");
    }

    /**
     * What the origin says of the decision.
     *
     * @param xid the transaction's id
     * @param standbys whether a commit there waits for synchronous standbys
     */
    record Decision(String xid, boolean standbys) {}

    /**
     * Inserts the decision row; origin only.
     *
     * @param before statements in front, in the same message; or empty
     */
    Decision decide(String before, long lastCarriedSeq) {
        String ticket = ticket("decide", Long.toString(lastCarriedSeq));
        String sql = "SELECT ddlrep.decide($1, $2, $3, $4) AS xid,"
                + " pg_catalog.current_setting('synchronous_standby_names') OPERATOR(pg_catalog.<>) '' AS standbys";
        Row said = session.query(before.isEmpty() ? sql : before + "; " + sql, op, used, lastCarriedSeq, ticket)
                .get(0);
        return new Decision(said.text("xid"), said.flag("standbys"));
    }
}
