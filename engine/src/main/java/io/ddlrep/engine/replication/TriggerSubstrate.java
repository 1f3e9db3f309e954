package io.ddlrep.engine.replication;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.capture.ApplySql;
import io.ddlrep.engine.capture.CaptureSql;
import io.ddlrep.engine.capture.RefreshPlanner;
import io.ddlrep.engine.capture.ShapeReader;
import io.ddlrep.engine.capture.TableShape;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.Fan;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.CaptureForm;
import io.ddlrep.engine.substrate.Carried;
import io.ddlrep.engine.substrate.OperationPendingException;
import io.ddlrep.engine.substrate.OperationSession;
import io.ddlrep.engine.substrate.OwnRows;
import io.ddlrep.engine.substrate.Point;
import io.ddlrep.engine.substrate.Refresh;
import io.ddlrep.engine.substrate.RefreshRequest;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.engine.substrate.Standing;
import io.ddlrep.engine.substrate.Substrate;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The substrate of capture triggers and shadow tables, for all publications of one origin. Thread-safe: each call takes
 * sessions of its own and gives them back.
 */
public final class TriggerSubstrate implements Substrate {
    private final Synchronizer synchronizer;
    private final Lanes lanes;
    private final ServiceSessions service;
    private final RefreshPlanner planner;

    /**
     * Makes the substrate; opens nothing yet.
     *
     * @param access opens sessions
     * @param origin the origin's name
     */
    public TriggerSubstrate(NodeAccess access, String origin) {
        this.synchronizer = new Synchronizer(origin);
        this.lanes = new Lanes(access, origin);
        this.service = new ServiceSessions(access, origin);
        this.planner = new RefreshPlanner(
                () -> onOrigin(session -> session.query("SELECT nextval('ddlrep.table_id'::regclass) AS id")
                        .get(0)
                        .number("id")));
    }

    /**
     * The substrate of an engine; as {@code TriggerEngine} wants it.
     *
     * @param group as the origin says
     */
    public static TriggerSubstrate of(EngineConfig config, Group group, Credentials service) {
        Map<String, NodeAddress> addresses = new HashMap<>(group.nodes());
        addresses.putAll(config.addresses());
        return new TriggerSubstrate(
                new NodeAccess(config.connector(), addresses, service, config.apply()), group.self());
    }

    private <T> T onOrigin(Function<NodeSession, T> work) {
        return service.with(work);
    }

    @Override
    public Standing standing(String publication, String replica) {
        return lanes.with(replica, lane -> synchronizer.standing(lane, publication));
    }

    @Override
    public boolean isBehind(String publication, Standing standing) {
        return standing.position()
                .map(position -> onOrigin(session -> synchronizer.isBehind(session, publication, position)))
                .orElse(true);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The snapshot is that of the inserting statement, so the tick's own transaction is above it; its commit is flushed,
     * and with it every commit that the snapshot sees and the use of every xid below it. After a crash no xid below the
     * snapshot can be given out again. Crash rule: a tick that nobody was told of does no harm.
     */
    @Override
    public Point mark() {
        Row row = onOrigin(session -> session.query("INSERT INTO ddlrep.tick (snapshot) VALUES (pg_current_snapshot())"
                        + " RETURNING id, token, snapshot")
                .get(0));
        return new Point(row.number("id"), row.text("token"), row.text("snapshot"));
    }

    /**
     * {@inheritDoc}
     *
     * @throws OperationPendingException when an operation must be finished on the replica first; retryable
     */
    @Override
    public long synchronize(String publication, String replica, Point upTo) {
        return lanes.with(replica, lane -> synchronizer.synchronize(lane, publication, replica, upTo));
    }

    @Override
    public String unhook(Collection<ReplicatedTable> tables) {
        return RefreshPlanner.unhook(tables);
    }

    @Override
    public String release(Collection<String> roles) {
        return ApplySql.release(roles);
    }

    @Override
    public Refresh refresh(NodeSession origin, RefreshRequest request) {
        return planner.plan(origin, request);
    }

    @Override
    public boolean hasOwnRows(OperationSession origin, OwnRows own) {
        return Carrier.hasOwnRows(origin, own);
    }

    @Override
    public Carried carry(OperationSession origin, List<? extends OperationSession> companions, OwnRows own, Fan fan) {
        return Carrier.carry(origin, new Carrier.Companions(companions, fan), own);
    }

    @Override
    public void empty(OperationSession origin, ReplicatedTable table) {
        if (table.capture() != CaptureForm.NONE) {
            origin.run(capture(origin, table).emptied());
        }
    }

    @Override
    public void reimage(OperationSession origin, ReplicatedTable table) {
        // The rows of a partition are among those of the partitioned table.
        if (table.capture() != CaptureForm.NONE) {
            origin.run(capture(origin, table).reimage());
        }
    }

    private static CaptureSql capture(OperationSession origin, ReplicatedTable table) {
        TableShape shape = Objects.requireNonNull(
                ShapeReader.read(origin.session(), List.of(table.relid())).get(table.relid()),
                () -> "no table " + table.quoted());
        return new CaptureSql(shape, table.tableId(), table.generation());
    }

    @Override
    public void close() {
        lanes.close();
        service.close();
    }
}
