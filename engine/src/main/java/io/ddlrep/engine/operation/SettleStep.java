package io.ddlrep.engine.operation;

/**
 * Steps {@code settle} and {@code decide}: what would happen at COMMIT happens now, and what it wrote is carried; then the
 * decision row is inserted, in the client's transaction.
 *
 * <p>Crash before, during or after: all transactions are open; the servers roll them back, the decision row too.
 */
final class SettleStep {
    private static final String CONSTRAINTS = "SET CONSTRAINTS ALL IMMEDIATE;"
            + " SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0";

    private final OperationContext context;
    private final boolean marked;

    /**
     * Makes the step.
     *
     * @param marked the client's transaction is marked as part of the operation, since its last statement
     */
    SettleStep(OperationContext context, boolean marked) {
        this.context = context;
        this.marked = marked;
    }

    /**
     * Settles the client's session, carries its last rows and decides.
     *
     * @return SQL that completes the companions: sequences' positions and the mark that the operation is applied
     */
    String run() {
        Link client = context.client();
        if (marked && !context.mayHaveOwnRows() && context.sequences().isEmpty()) {
            // Nothing was written, so no trigger waits for the end of the transaction either: one message does.
            return applied(client.decide(CONSTRAINTS, context.watermark()));
        }
        client.enter("", false, CONSTRAINTS);
        DrainStep drain = new DrainStep(context);
        if (drain.hasOwnRows()) {
            drain.run();
            drain.carry();
        }
        String positions = SequencePositions.sql(client.session(), context.sequences());
        return positions + applied(client.decide("", context.watermark()));
    }

    /** SQL that marks the operation as applied in a companion's transaction. */
    private String applied(Link.Decision decision) {
        context.standbys(decision.standbys());
        return "INSERT INTO ddlrep.applied_operation (op, xid, last_carried_seq) VALUES ('" + context.op() + "', '"
                + Long.parseUnsignedLong(decision.xid()) + "', " + context.watermark() + ")";
    }
}
