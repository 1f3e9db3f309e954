package io.ddlrep.engine.operation;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.node.TransactionStatus;
import io.ddlrep.engine.substrate.LostHistoryException;
import io.ddlrep.parser.Statement;

/** The errors that an operation makes itself. Stateless. */
final class Errors {
    private Errors() {}

    /** 55000: the group is not in a state for this. */
    static DdlrepException notReady(String message, String detail, String hint) {
        return new DdlrepException(ServerError.of("55000", "ddlrep: " + message).with(detail, hint));
    }

    /** 0A000: ddlrep does not replicate this. */
    static DdlrepException unsupported(String message, String hint) {
        return new DdlrepException(ServerError.of("0A000", "ddlrep: " + message).with(null, hint));
    }

    /** 25001: what the server says of this form of a statement inside a transaction block. */
    static DdlrepException inBlock(Statement.Ddl ddl) {
        String form = ddl.tag().equals("ALTER TABLE") ? "ALTER TABLE ... DETACH" : ddl.tag();
        return new DdlrepException(
                ServerError.of("25001", form + " CONCURRENTLY cannot run inside a transaction block"));
    }

    /** 0A000: what the server says of DROP INDEX CONCURRENTLY of such an index. */
    static DdlrepException partitionedIndex(String name) {
        return new DdlrepException(
                ServerError.of("0A000", "cannot drop partitioned index \"" + name + "\" concurrently"));
    }

    /** Any state. */
    static DdlrepException of(String state, String message, String detail, String hint) {
        return new DdlrepException(ServerError.of(state, "ddlrep: " + message).with(detail, hint));
    }

    /**
     * What the client is told about a failure: the origin's error untouched, another node's with its name in the context
     * and, where the connection was lost, with a state that does not make the client's pool drop its own connection.
     */
    static RuntimeException forClient(RuntimeException failure, String origin, OperationId op) {
        if (failure instanceof LostHistoryException) {
            return new DdlrepException(
                    ServerError.of("55000", "ddlrep: a replica knows more than the origin; rolled back on every node")
                            .with(failure.getMessage(), "The origin lost history. Run: ddlrep recover"),
                    failure);
        }
        if (!(failure instanceof NodeException node) || node.node().equals(origin)) {
            return failure;
        }
        String context = "ddlrep: on node " + node.node() + ", operation " + op + "; rolled back on every node";
        if (node.isConnectionLost()) {
            return new DdlrepException(
                    ServerError.of("55000", "ddlrep: node " + node.node() + " was lost during the operation")
                            .with(node.error().message(), "When the node is back, run: ddlrep recover")
                            .inContext(context),
                    failure);
        }
        return new NodeException(node.node(), node.error().inContext(context), failure);
    }

    /** The same for a statement that the nodes run each for itself. */
    static RuntimeException ofMaintenance(RuntimeException failure, String origin, OperationId op) {
        if (!(failure instanceof NodeException node) || node.node().equals(origin)) {
            return failure;
        }
        String context = "ddlrep: on node " + node.node() + ", operation " + op
                + "; the other nodes were told to stop, and keep what they have done";
        if (node.isConnectionLost()) {
            return new DdlrepException(
                    ServerError.of("55000", "ddlrep: node " + node.node() + " was lost during " + op)
                            .with(node.error().message(), "Send the statement again when the node is back.")
                            .inContext(context),
                    failure);
        }
        return new NodeException(node.node(), node.error().inContext(context), failure);
    }

    /** The same where no operation was open yet. */
    static RuntimeException beforeOperation(RuntimeException failure, String origin) {
        if (!(failure instanceof NodeException node) || node.node().equals(origin)) {
            return failure;
        }
        if (node.isConnectionLost()) {
            return new DdlrepException(
                    ServerError.of("55000", "ddlrep: node " + node.node() + " cannot be reached; nothing was changed")
                            .with(node.error().message(), "Send the statement again when the node is back."),
                    failure);
        }
        return new NodeException(
                node.node(),
                node.error().inContext("ddlrep: on node " + node.node() + "; nothing was changed"),
                failure);
    }

    /** Aborts a session's transaction in the server itself, with this error; does nothing where none is open and sound. */
    static void raise(NodeSession session, ServerError error) {
        if (session.transactionStatus() != TransactionStatus.IN_TRANSACTION) {
            return;
        }
        try {
            session.update(
                    "SELECT ddlrep.raise($1, $2, $3, $4)",
                    error.sqlState(),
                    error.message(),
                    error.detail(),
                    error.hint());
        } catch (NodeException expected) {
            // That it raises is its purpose; a lost session is aborted by the server as well.
        }
    }
}
