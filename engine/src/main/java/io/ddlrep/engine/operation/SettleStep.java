package io.ddlrep.engine.operation;

/**
 * Step {@code settle}: what would happen at COMMIT happens now, and what it wrote is carried.
 *
 * <p>Crash before, during or after: all transactions are open; the servers roll them back.
 */
final class SettleStep {
    private final OperationContext context;

    SettleStep(OperationContext context) {
        this.context = context;
    }

    /**
     * Settles the client's session and carries its last rows.
     *
     * @return SQL that completes the companions: sequences' positions and the mark that the operation is applied
     */
    String run() {
        Link client = context.client();
        String constraints = "SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL idle_in_transaction_session_timeout = 0;"
                + " SET LOCAL statement_timeout = 0";
        client.enter("", false, constraints);
        DrainStep drain = new DrainStep(context);
        if (drain.hasOwnRows()) {
            drain.run();
            drain.carry();
        }
        return SequencePositions.sql(client.session(), context.sequences());
    }

    /** SQL that marks the operation as applied in a companion's transaction. */
    String applied(String xid) {
        return "INSERT INTO ddlrep.applied_operation (op, xid, last_carried_seq) VALUES ('" + context.op() + "', '"
                + Long.parseUnsignedLong(xid) + "', " + context.watermark() + ")";
    }
}
