package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * The journal in the control schema of the origin, written by the service session. Stateless; the session is the caller's.
 */
final class Journal {
    private static final String INTENT = """
            INSERT INTO ddlrep.ddl_operation (op, publications, nodes, state, actor, client_address, coordinator,
                client_pid, client_backend_start, search_path, role, statements, settings)
            SELECT $1, $2::text[], $3::text[], 'open', $4, $5, $6, $7::int,
                   pg_catalog.to_timestamp($8::numeric / 1000000), $9, $10, pg_catalog.jsonb_build_array($11::text),
                   pg_catalog.jsonb_build_object('outside', $13::bool)
            """;

    private static final String COMPANIONS = """
            INSERT INTO ddlrep.ddl_step (op, node, step, state, pid, backend_start)
            SELECT $1, n, 'companion', 'open', split_part(b, '/', 1)::int,
                   pg_catalog.to_timestamp(split_part(b, '/', 2)::numeric / 1000000)
              FROM unnest($3::text[], $12::text[]) AS c(n, b)
            """;

    /** Operations of publications $1 that have no result. */
    static final String OPEN = """
            SELECT op, pg_catalog.array_to_string(nodes, pg_catalog.chr(1)) AS nodes, coordinator, client_pid,
                   coalesce((settings ->> 'outside')::bool, false) AS outside,
                   started::text AS started
              FROM ddlrep.ddl_operation
             WHERE state IN ('open', 'unresolved') AND publications && $1::text[] ORDER BY started
            """;

    private static final String FINISH = """
            UPDATE ddlrep.ddl_operation SET state = $2, result = $3, finished = pg_catalog.clock_timestamp(),
                   statements = coalesce((SELECT pg_catalog.jsonb_agg(s) FROM unnest($4::text[]) s), statements)
             WHERE op = $1 AND state IN ('open', 'unresolved')
            """;

    private Journal() {}

    /**
     * Commits the intent and the companions' backends.
     *
     * <p>Crash before: nothing is known, nothing was done. Crash after: recovery finds an open operation without a
     * decision, fences it and rolls back.
     *
     * @param outside the statement runs outside a transaction block: the origin has something to take back then, too
     */
    static void intent(NodeSession service, OperationContext context, String statement, boolean outside) {
        ClientState state = context.state();
        String[] backend = state.backend().split("/", 2);
        List<String> nodes = new ArrayList<>();
        List<String> backends = new ArrayList<>();
        for (Companion companion : context.companions()) {
            nodes.add(companion.node());
            backends.add(companion.link().backend());
        }
        if (outside) {
            nodes.add(context.client().node());
            backends.add(state.backend());
        }
        service.update(
                "BEGIN; SET LOCAL synchronous_commit = 'on'; " + INTENT + "; " + COMPANIONS + "; COMMIT",
                context.op().text(),
                context.publicationNames(),
                nodes,
                state.sessionUser(),
                state.address(),
                context.services().coordinator(),
                backend[0],
                backend[1],
                state.searchPath(),
                state.role(),
                statement,
                backends,
                outside);
    }

    /** Notes that a companion has another backend than the intent says. */
    static void companion(NodeSession service, OperationId op, Companion companion) {
        String[] backend = companion.link().backend().split("/", 2);
        service.update(
                "UPDATE ddlrep.ddl_step SET pid = $3::int, backend_start = pg_catalog.to_timestamp($4::numeric / 1000000)"
                        + " WHERE op = $1 AND node = $2 AND step = 'companion'",
                op.text(),
                companion.node(),
                backend[0],
                backend[1]);
    }

    /**
     * Writes the result and gives up the publications' turn. Not flushed: if it is lost, recovery finds the decision and writes it again.
     *
     * @param state committed, rolled_back or unresolved
     */
    static void finish(NodeSession service, OperationContext context, String state, String result) {
        service.update(
                "BEGIN; SET LOCAL synchronous_commit = 'off'; " + FINISH
                        + "; COMMIT; SELECT pg_catalog.pg_advisory_unlock_all()",
                context.op().text(),
                state,
                result,
                context.statementTexts());
    }

    /** Operations of these publications that have no result. */
    static List<Row> open(NodeSession service, List<String> publications) {
        return service.query(OPEN, publications);
    }

    /** Marks a replica dirty for publications, unless it is already. */
    static void dirty(NodeSession service, List<String> publications, String node, String reason) {
        service.update(
                "UPDATE ddlrep.publication_node SET state = 'dirty', reason = $3, since = pg_catalog.clock_timestamp()"
                        + " WHERE publication = ANY ($1::text[]) AND node = $2 AND state <> 'dirty'",
                publications,
                node,
                reason);
    }
}
