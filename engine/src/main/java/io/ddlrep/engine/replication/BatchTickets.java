package io.ddlrep.engine.replication;

import io.ddlrep.engine.capture.ApplySql;
import io.ddlrep.engine.control.GroupKey;
import io.ddlrep.engine.control.Tickets;
import io.ddlrep.engine.node.NodeSession;
import java.util.HexFormat;

/**
 * Calls apply functions in one apply session, each call with a ticket that the service makes for it. Used by one
 * thread at a time, the one that has the session.
 */
final class BatchTickets {
    private final NodeSession apply;
    private final Tickets issuer;
    private final String backend;
    private String transaction = "";
    private int calls;

    /**
     * Reads the group's key and asks who the session is.
     *
     * @param service a session of the service, on any node
     * @param apply a session of {@code ddlrep_apply}
     */
    BatchTickets(NodeSession service, NodeSession apply) {
        String key = service.query("SELECT pg_catalog.encode(s.key, 'hex') AS key FROM ddlrep.secret s")
                .get(0)
                .text("key");
        this.apply = apply;
        this.issuer = GroupKey.of(HexFormat.of().parseHex(key)).tickets();
        this.backend = apply.query("SELECT ddlrep.backend() AS backend").get(0).text("backend");
    }

    /**
     * What a call of an apply function is about. Immutable.
     *
     * @param xid the session's transaction
     * @param tableId the table
     * @param owner its owner, quoted
     * @param stage the staging table
     */
    record Call(String xid, long tableId, String owner, String stage) {}

    /** Applies what stands in a staging table, and pins the path again, which code of the owner may have set. */
    void apply(Call call) {
        if (!call.xid().equals(transaction)) {
            transaction = call.xid();
            calls = 0;
        }
        calls++;
        String payload = String.join("|", Long.toString(call.tableId()), call.owner(), call.stage());
        apply.query(
                "SELECT ddlrep_apply." + ApplySql.functionName(call.tableId()) + "($1, false, $2, $3); "
                        + NodeAccess.PIN,
                call.stage(),
                calls,
                issuer.issue("apply", call.xid(), calls, backend, payload));
    }
}
