package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.substrate.Refresh;
import io.ddlrep.engine.substrate.RefreshRequest;
import io.ddlrep.engine.substrate.Substrate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Makes and drops publications of a group. Used by one thread; sessions are the members'.
 *
 * <p>Crash rule: a publication that was being made is seen by its rows on some nodes; {@link #drop} takes it away on every
 * node, and it can be made again.
 */
public final class PublicationMaker {
    private final List<GroupMember> members;
    private final Substrate substrate;
    private final InitialRows rows;

    /**
     * Makes a maker.
     *
     * @param members all nodes, the publication's origin first
     * @param substrate knows how rows of new tables are captured, denied and applied
     * @param rows makes the rows of the replicas those of the origin
     */
    public PublicationMaker(List<GroupMember> members, Substrate substrate, InitialRows rows) {
        this.members = List.copyOf(members);
        this.substrate = substrate;
        this.rows = rows;
    }

    /**
     * Makes a publication of all nodes. On failure it is taken away again on every node.
     *
     * @return the qualified names of its tables
     * @throws NodeException 55000 with all reasons where tables cannot be replicated or differ between the nodes; 42710
     *     where there is such a publication
     */
    public List<String> create(NewPublication publication) {
        GroupMember origin = members.get(0);
        if (!origin.session()
                .query("SELECT 1 FROM ddlrep.publication p WHERE p.name OPERATOR(pg_catalog.=) $1", publication.name())
                .isEmpty()) {
            throw new NodeException(
                    origin.name(),
                    ServerError.of("42710", "ddlrep: publication " + publication.name() + " exists already"),
                    null);
        }
        TableSelection tables = TableSelection.of(origin.session(), publication);
        // Names of the command line were the only thing to look up by the role's own path.
        members.forEach(member -> member.session().execute("SET search_path = pg_catalog, pg_temp"));
        tables.requireEqual(members, publication);
        try {
            members.forEach(member -> register(member, publication, origin.name()));
            adopt(publication, tables);
            for (GroupMember replica : members.subList(1, members.size())) {
                rows.start(publication.name(), replica.name());
            }
            SequenceStart.copy(origin.session(), members.subList(1, members.size()), publication.name());
            return tables.names();
        } catch (RuntimeException e) {
            takeBack(publication.name(), e);
            throw e;
        }
    }

    private void takeBack(String publication, RuntimeException failure) {
        for (GroupMember member : members) {
            try {
                member.session().execute("ROLLBACK");
                drop(member, publication);
            } catch (NodeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /**
     * Takes a publication away on every node; tables and their rows stay.
     *
     * @return how many tables it had
     * @throws NodeException 42704 where there is no such publication; 55000 while an operation is not finished
     */
    public long drop(String publication) {
        NodeSession origin = members.get(0).session();
        if (origin.query("SELECT 1 FROM ddlrep.publication p WHERE p.name OPERATOR(pg_catalog.=) $1", publication)
                .isEmpty()) {
            throw new NodeException(
                    members.get(0).name(),
                    ServerError.of("42704", "ddlrep: there is no publication " + publication),
                    null);
        }
        List<Row> open = origin.query(
                "SELECT o.op FROM ddlrep.ddl_operation o WHERE o.state IN ('open', 'unresolved') AND $1 = ANY (o.publications)",
                publication);
        if (!open.isEmpty()) {
            throw Refused.notReady(
                    members.get(0).name(),
                    "operations of publication " + publication + " are not finished",
                    open.stream().map(row -> "operation " + row.text("op")).toList(),
                    "ddlrep recover finishes them.");
        }
        long tables = 0;
        for (GroupMember member : members) {
            tables = Math.max(tables, drop(member, publication));
        }
        return tables;
    }

    private static long drop(GroupMember member, String publication) {
        NodeSession session = member.session();
        InitOperation.begin(session, member.name().equals(originOf(session, publication, member.name())));
        try {
            long tables = session.query("SELECT ddlrep.forget_publication($1) AS tables", publication)
                    .get(0)
                    .number("tables");
            session.execute("COMMIT");
            return tables;
        } catch (NodeException e) {
            session.execute("ROLLBACK");
            throw e;
        }
    }

    private static String originOf(NodeSession session, String publication, String otherwise) {
        List<Row> rows = session.query(
                "SELECT p.origin FROM ddlrep.publication p WHERE p.name OPERATOR(pg_catalog.=) $1", publication);
        return rows.isEmpty() ? otherwise : rows.get(0).text("origin");
    }

    private void register(GroupMember member, NewPublication publication, String origin) {
        NodeSession session = member.session();
        session.execute("BEGIN");
        session.update(
                "INSERT INTO ddlrep.publication (name, origin, scope, schemas) VALUES ($1, $2, $3, $4::pg_catalog.text[])",
                publication.name(),
                origin,
                publication.scope().name().toLowerCase(Locale.ROOT),
                publication.schemas());
        for (GroupMember replica : members.subList(1, members.size())) {
            session.update(
                    "INSERT INTO ddlrep.publication_node (publication, node) VALUES ($1, $2)",
                    publication.name(),
                    replica.name());
        }
        session.execute("COMMIT");
    }

    /** Replicas first: from then on they deny writes, and nothing is captured that they would not get. */
    private void adopt(NewPublication publication, TableSelection tables) {
        NodeSession origin = members.get(0).session();
        if (tables.relids().isEmpty()) {
            return;
        }
        List<Long> ids = new ArrayList<>();
        for (Row row : origin.query(
                "SELECT pg_catalog.nextval('ddlrep.table_id') AS id FROM pg_catalog.generate_series(1, $1)",
                tables.relids().size())) {
            ids.add(row.number("id"));
        }
        Refresh refresh = substrate.refresh(
                origin, new RefreshRequest("init", List.of(), tables.relids(), ids, publication.name()));
        for (GroupMember member : members.subList(1, members.size())) {
            runAsOperation(member.session(), refresh.replicaSql(), false);
        }
        runAsOperation(origin, refresh.originSql(), true);
    }

    private static void runAsOperation(NodeSession session, String sql, boolean origin) {
        InitOperation.begin(session, origin);
        session.execute(sql);
        session.execute("COMMIT");
    }
}
