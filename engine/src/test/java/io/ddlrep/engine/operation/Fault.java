package io.ddlrep.engine.operation;

import java.sql.SQLException;

/** An event trigger that fails DDL on one node alone; not replicated, and in a schema that dumps leave out. */
final class Fault implements AutoCloseable {
    static final String STATE = "P0F01";
    static final String MESSAGE = "the disk is on fire";
    static final String DETAIL = "It burns.";
    static final String HINT = "Fetch water.";

    private final TestGroup group;
    private final int node;

    private Fault(TestGroup group, int node) {
        this.group = group;
        this.node = node;
    }

    /** From now on statements whose text holds {@code fragment} fail on the node. */
    static Fault on(TestGroup group, int node, String fragment) throws SQLException {
        group.local(
                node,
                "CREATE SCHEMA ddlrep_fault",
                "CREATE FUNCTION ddlrep_fault.fail() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF position('" + fragment
                        + "' IN current_query()) > 0 THEN RAISE EXCEPTION USING ERRCODE = '"
                        + STATE + "', MESSAGE = '" + MESSAGE + "', DETAIL = '" + DETAIL + "', HINT = '" + HINT
                        + "'; END IF; END $$",
                "CREATE EVENT TRIGGER fault ON ddl_command_start EXECUTE FUNCTION ddlrep_fault.fail()",
                "ALTER EVENT TRIGGER fault ENABLE ALWAYS");
        return new Fault(group, node);
    }

    @Override
    public void close() throws SQLException {
        group.local(node, "DROP EVENT TRIGGER fault", "DROP SCHEMA ddlrep_fault CASCADE");
    }
}
