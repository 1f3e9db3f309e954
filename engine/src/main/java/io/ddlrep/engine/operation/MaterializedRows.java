package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.DdlRewriter;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Materialized views that a statement fills: each node computes the rows by itself, from tables that are locked and equal, and
 * then all must have the same. Stateless.
 */
final class MaterializedRows {
    private static final String SOURCES = SqlResource.text("sql/view_sources.sql");
    private static final String ROWS = "SELECT pg_catalog.count(*) AS rows,"
            + " coalesce(pg_catalog.sum(pg_catalog.hashtextextended(r::pg_catalog.text, 0)::pg_catalog.numeric), 0) AS sum"
            + " FROM ";

    private MaterializedRows() {}

    /** Whether a statement fills a materialized view. */
    static boolean isFilled(Statement.Ddl ddl) {
        return ddl.tag().endsWith("MATERIALIZED VIEW")
                && ddl.facts().contains(DdlFact.ROWS_FROM_QUERY)
                && !ddl.facts().contains(DdlFact.WITH_NO_DATA);
    }

    /** The tables that the query reads, as far as the catalogs tell: what functions read does not stand there. */
    static List<Long> sources(NodeSession client, Statement.Ddl ddl, Resolution resolution) {
        List<String> named = new ArrayList<>();
        long filled = 0;
        for (Resolution.Named name : resolution.named()) {
            if (name.relation().isPresent()) {
                long relid = name.relation().get().relid();
                named.add(Long.toString(relid));
                filled = name.relation().get().kind() == 'm' && ddl.tag().startsWith("REFRESH") ? relid : filled;
            }
        }
        return named.isEmpty()
                ? List.of()
                : client.query(SOURCES, named, filled).stream()
                        .map(row -> row.number("relid"))
                        .toList();
    }

    /**
     * The form for the replicas: what runs CONCURRENTLY makes a temporary table, so that its transaction could not be
     * prepared.
     */
    static String onReplicas(Statement.Ddl ddl) {
        return isFilled(ddl) && ddl.facts().contains(DdlFact.CONCURRENTLY)
                ? DdlRewriter.withoutConcurrently(ddl).text()
                : ddl.text();
    }

    /**
     * Compares the rows on all nodes.
     *
     * @param names quoted names of the materialized views
     * @throws io.ddlrep.engine.DdlrepException 55000 where they differ
     */
    static void compare(OperationContext context, List<String> names) {
        for (String name : names) {
            Map<String, String> said = new ConcurrentSkipListMap<>();
            List<Runnable> tasks = new ArrayList<>();
            tasks.add(() ->
                    said.put(context.client().node(), rows(context.client().session(), name)));
            context.companions().forEach(c -> tasks.add(() -> said.put(c.node(), rows(c.session(), name))));
            context.services().fan().all(tasks);
            if (new HashSet<>(said.values()).size() > 1) {
                throw Errors.notReady(
                        "the rows of materialized view " + name
                                + " differ between the nodes; rolled back on every node",
                        "Rows, and a digest of them: " + new TreeMap<>(said),
                        "A query gives the same rows on every node where it reads replicated tables and calls no volatile"
                                + " function, nor one of the current time. Else fill the view on each node by itself: SET"
                                + " ddlrep.replicate = off.");
            }
        }
    }

    private static String rows(NodeSession session, String name) {
        try {
            Row row = session.query(ROWS + name + " r").get(0);
            return row.text("rows") + "/" + row.text("sum");
        } catch (NodeException e) {
            throw e.sqlState().equals("42501") ? unreadable(e, name) : e;
        }
    }

    /** From 17 on a role may fill a view that it may not read. */
    private static NodeException unreadable(NodeException e, String name) {
        return new NodeException(
                e.node(),
                e.error()
                        .with(
                                "ddlrep compares the rows that each node has filled it with, as the role that fills it.",
                                "Grant the role SELECT on " + name + "."),
                e);
    }
}
