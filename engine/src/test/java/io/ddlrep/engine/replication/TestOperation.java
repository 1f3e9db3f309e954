package io.ddlrep.engine.replication;

import io.ddlrep.engine.node.Fan;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.Carried;
import io.ddlrep.engine.substrate.OperationSession;
import io.ddlrep.engine.substrate.OwnRows;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Refresh;
import io.ddlrep.engine.substrate.RefreshRequest;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;

/**
 * A DDL operation reduced to what concerns rows: the order of drain, carry, unhook, statement, refresh, carry, decide and
 * prepare is the protocol's, without its locks, journal and checks. Used by one thread.
 */
final class TestOperation implements AutoCloseable {
    private final RowsGroup group;
    private final String op;
    private final OperationSession client;
    private final List<OperationSession> companions = new ArrayList<>();
    private final Map<Long, ReplicatedTable> tables = new LinkedHashMap<>();
    private long watermark;

    private TestOperation(RowsGroup group, NodeSession session, String user) {
        this.group = group;
        this.op = group.nextOperation();
        session.execute("BEGIN");
        this.client = group.enter(session, op, false);
        for (PgNode replica : group.replicas()) {
            NodeSession companion = group.open(replica, user, replica.password());
            companion.execute("BEGIN");
            companions.add(group.enter(companion, op, true));
        }
        group.tables(session).forEach(table -> tables.put(table.tableId(), table));
    }

    static TestOperation begin(RowsGroup group) {
        return begin(group, group.origin().superuser());
    }

    static TestOperation begin(RowsGroup group, String user) {
        return new TestOperation(
                group, group.open(group.origin(), user, group.origin().password()), user);
    }

    /** From here on only tables with these names are touched. */
    TestOperation touching(String... names) {
        tables.values().removeIf(table -> !List.of(names).contains(table.name()));
        return this;
    }

    String op() {
        return op;
    }

    OperationSession client() {
        return client;
    }

    /** The client's own rows. */
    TestOperation dml(String sql) {
        client.session().execute(sql);
        return this;
    }

    /** One DDL statement on all nodes; tables with these names join. */
    TestOperation ddl(String sql, String... joining) throws SQLException {
        drainAndCarry();
        client.run(group.substrate().unhook(tables.values()));
        client.session().execute(sql);
        companions.forEach(companion -> companion.session().execute(sql));
        List<Long> relids = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        for (String name : joining) {
            relids.add(client.session()
                    .query("SELECT '" + name + "'::regclass::oid AS oid")
                    .get(0)
                    .number("oid"));
            ids.add(Long.valueOf(String.valueOf(group.origin().queryText("SELECT nextval('ddlrep.table_id')"))));
        }
        Refresh refresh = group.substrate()
                .refresh(
                        client.session(),
                        new RefreshRequest(op, List.copyOf(tables.values()), relids, ids, RowsGroup.PUBLICATION));
        client.run(refresh.originSql());
        companions.forEach(companion -> companion.run(refresh.replicaSql()));
        tables.clear();
        refresh.tables().forEach(table -> tables.put(table.tableId(), table));
        return this;
    }

    /** Makes the whole content of a table own rows. */
    TestOperation reimage(String name) {
        ReplicatedTable table = tables.values().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
        group.substrate().reimage(client, table);
        return this;
    }

    Carried drainAndCarry() {
        if (!group.substrate().hasOwnRows(client, own())) {
            group.synchronize();
            return new Carried(0, watermark);
        }
        group.synchronize();
        Carried carried = group.substrate().carry(client, companions, own(), new Fan(ForkJoinPool.commonPool()));
        watermark = carried.lastSeq();
        return carried;
    }

    private OwnRows own() {
        return new OwnRows(op, List.of(RowsGroup.PUBLICATION), watermark);
    }

    /** Decides and prepares; what is left is {@link #commitOrigin} and {@link #commitReplicas}. */
    void prepare() throws SQLException {
        drainAndCarry();
        String xid = client.session()
                .query("SELECT pg_current_xact_id() AS xid")
                .get(0)
                .text("xid");
        group.origin()
                .execute(
                        "INSERT INTO ddlrep.ddl_operation (op, publications, nodes, state, actor, coordinator, client_pid,"
                                + " client_backend_start, search_path, role) VALUES ('" + op
                                + "', '{p}', '{}', 'open', 'test', 'test', 0, now(), '', '')");
        client.run("INSERT INTO ddlrep.decision (op, outcome, xid, last_carried_seq) VALUES ('" + op + "', 'commit', '"
                + xid + "', " + watermark + ")");
        companions.forEach(companion -> {
            companion.run("INSERT INTO ddlrep.applied_operation (op, xid, last_carried_seq) VALUES ('" + op + "', '"
                    + xid + "', " + watermark + ")");
            companion.session().execute("PREPARE TRANSACTION 'ddlrep:test:" + companion.node() + ":" + op + "'");
        });
    }

    void commitOrigin() {
        client.session().execute("COMMIT");
    }

    void commitReplicas() {
        companions.forEach(companion ->
                companion.session().execute("COMMIT PREPARED 'ddlrep:test:" + companion.node() + ":" + op + "'"));
    }

    void commit() throws SQLException {
        prepare();
        commitOrigin();
        commitReplicas();
    }

    void rollback() {
        client.session().execute("ROLLBACK");
        companions.forEach(companion -> companion.session().execute("ROLLBACK"));
    }

    /** A point as of now. */
    Point mark() {
        return group.substrate().mark();
    }

    @Override
    public void close() {
        Stream.concat(Stream.of(client), companions.stream())
                .forEach(s -> s.session().close());
    }
}
