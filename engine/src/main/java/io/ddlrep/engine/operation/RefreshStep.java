package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.Refresh;
import io.ddlrep.engine.substrate.RefreshRequest;
import io.ddlrep.engine.substrate.ReplicatedTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Steps {@code refresh} and {@code verify}: triggers, functions, shadow generation and control rows are rebuilt in the
 * same transactions; then the fingerprints are compared.
 *
 * <p>Crash before, during or after: all transactions are open; the servers roll them back, triggers included.
 */
final class RefreshStep {
    private static final String MISSING = "SELECT n AS name FROM pg_catalog.unnest($1::pg_catalog.text[]) n"
            + " WHERE pg_catalog.to_regclass(n) IS NULL";
    private static final String NEW_TABLES = SqlResource.text("sql/new_tables.sql");

    private final OperationContext context;

    RefreshStep(OperationContext context) {
        this.context = context;
    }

    /** Whether tables may have been made that are to be replicated from now on. */
    enum Joining {
        /** The statement makes none. */
        NONE,
        /** As the statement says. */
        OF_DDL,
        /** By what code has run, which may be statements of which no event trigger is told. */
        OF_CODE
    }

    /** EXPLAIN ANALYZE of CREATE TABLE AS and its kind make a table that no replica has got. */
    private void refuseUnseen(Collection<Row> made) {
        if (made.isEmpty() || context.companions().isEmpty()) {
            return;
        }
        List<Row> missing = context.companions()
                .get(0)
                .session()
                .query(MISSING, made.stream().map(row -> row.text("quoted")).toList());
        if (!missing.isEmpty()) {
            throw Errors.unsupported(
                    "code has made " + missing.get(0).text("name")
                            + " by a statement that no event trigger sees, such as EXPLAIN ANALYZE",
                    "Make the table by a statement of its own.");
        }
    }

    private Map<Long, Row> made(Group.Publication publication) {
        if (publication.scope() == Group.Scope.TABLES) {
            return Map.of();
        }
        boolean all = publication.scope() == Group.Scope.DATABASE;
        Map<Long, Row> found = tables(context.client().session(), all, publication.schemas());
        if (!found.isEmpty()) {
            // The service sees what is committed.
            tables(context.service(), all, publication.schemas()).keySet().forEach(found::remove);
        }
        return found;
    }

    /**
     * Tables that the operation has put into a publication's scope, and that are not replicated yet. One that stood there
     * before was kept to this node by somebody who said so.
     *
     * @return their names, as schema.table, by oid
     * @throws io.ddlrep.engine.DdlrepException 0A000 for a table that cannot be replicated
     */
    private Map<Long, String> newTables(Group.Publication publication, Joining joining) {
        if (joining == Joining.NONE) {
            return Map.of();
        }
        Map<Long, Row> made = made(publication);
        if (joining == Joining.OF_CODE) {
            refuseUnseen(made.values());
        }
        Map<Long, String> names = new LinkedHashMap<>();
        made.forEach((relid, row) -> {
            if (row.text("persistence").equals("u")) {
                throw Errors.unsupported(
                        "table " + row.text("name")
                                + " is UNLOGGED, which cannot be replicated: a crash empties it unseen",
                        "Make it an ordinary table. Or make it on each node by itself: SET ddlrep.replicate = off, as a member of ddlrep_local.");
            }
            names.put(relid, row.text("name"));
        });
        return names;
    }

    private static Map<Long, Row> tables(NodeSession session, boolean all, List<String> schemas) {
        Map<Long, Row> tables = new LinkedHashMap<>();
        session.query(NEW_TABLES, all, schemas).forEach(row -> tables.put(row.number("relid"), row));
        return tables;
    }

    /**
     * Rebuilds and compares.
     *
     * @param before tables that the statement may have changed
     * @param joins whether it may have made tables
     * @param names quoted names of other relations to compare
     * @return the tables as they are now
     */
    List<ReplicatedTable> run(Collection<ReplicatedTable> before, Joining joins, Collection<String> names) {
        List<ReplicatedTable> after = new ArrayList<>();
        List<Refresh> refreshes = new ArrayList<>();
        List<ReplicatedTable> known = new ArrayList<>(before);
        for (Group.Publication publication : context.publications()) {
            List<ReplicatedTable> own = new ArrayList<>(before.stream()
                    .filter(t -> t.publication().equals(publication.name()))
                    .toList());
            Map<Long, String> joining = newTables(publication, joins);
            if (!joining.isEmpty()) {
                // Their rows would stand in the way of the new ones.
                List<ReplicatedTable> gone =
                        context.tables().gone(context.service(), publication.name(), joining.values());
                own.addAll(gone);
                known.addAll(gone);
            }
            if (own.isEmpty() && joining.isEmpty()) {
                continue;
            }
            Refresh refresh = context.services()
                    .substrate()
                    .refresh(
                            context.client().session(),
                            new RefreshRequest(
                                    context.op().text(),
                                    own,
                                    List.copyOf(joining.keySet()),
                                    tableIds(joining.size()),
                                    publication.name()));
            refreshes.add(refresh);
            after.addAll(refresh.tables());
        }
        context.tables().follow(known, after);
        List<String> compared = new ArrayList<>(names);
        after.stream()
                .map(ReplicatedTable::quoted)
                .filter(n -> !compared.contains(n))
                .forEach(compared::add);
        rebuildAndCompare(refreshes, compared);
        return after;
    }

    private void rebuildAndCompare(List<Refresh> refreshes, List<String> names) {
        Map<String, @Nullable String> said = new ConcurrentHashMap<>();
        List<Runnable> tasks = new ArrayList<>();
        String originSql = refreshes.stream().map(Refresh::originSql).collect(Collectors.joining(";\n"));
        String replicaSql = refreshes.stream().map(Refresh::replicaSql).collect(Collectors.joining(";\n"));
        Link origin = context.client();
        tasks.add(() -> said.put(origin.node(), rebuild(origin, originSql, names)));
        for (Companion companion : context.companions()) {
            tasks.add(() -> said.put(companion.node(), rebuild(companion.link(), replicaSql, names)));
        }
        context.services().fan().all(tasks);
        VerifyStep.compare(context, said);
    }

    private static String rebuild(Link link, String sql, List<String> names) {
        if (names.isEmpty()) {
            link.run(sql);
            return "";
        }
        String fingerprints =
                link.runAndQuery(sql, VerifyStep.HASHES, names).get(0).get("fingerprints");
        return fingerprints == null ? "" : fingerprints;
    }

    private List<Long> tableIds(int count) {
        List<Long> ids = new ArrayList<>();
        if (count > 0) {
            for (Row row : context.service()
                    .query(
                            "SELECT pg_catalog.nextval('ddlrep.table_id') AS id FROM pg_catalog.generate_series(1, $1::int)",
                            count)) {
                ids.add(row.number("id"));
            }
        }
        return ids;
    }
}
