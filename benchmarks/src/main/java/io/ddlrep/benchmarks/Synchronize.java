package io.ddlrep.benchmarks;

import io.ddlrep.engine.substrate.Point;
import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A backlog of a million changes, brought to one replica and to two at once: by {@code synchronize}, and by PostgreSQL's own
 * logical replication from a database without ddlrep, on the same servers.
 */
final class Synchronize implements Benchmark {
    private static final int ROUNDS = 3;
    private static final int CHANGES = 1_000_000;
    private static final int ACCOUNTS = 1_000_000;
    private static final int WARM_UP = 1000;
    private static final double GOAL = 2.5;

    /** The shape of the backlog. */
    private enum Load {
        OLTP,
        BULK
    }

    /** Changes per second of both sides. */
    private record Pair(Samples ours, Samples peer) {}

    private int marker;

    @Override
    public String name() {
        return "synchronize";
    }

    @Override
    public void run(Lab lab, Report report) throws SQLException, InterruptedException {
        Bank bank = new Bank(lab.size().count(ACCOUNTS, 1000));
        int changes = lab.size().count(CHANGES, 1000);
        List<PgNode> plain = new ArrayList<>();
        for (int server = 1; server <= 3; server++) {
            PgNode node = lab.database(server, "sync_plain");
            bank.create(node);
            plain.add(node);
        }
        Map<String, Pair> pairs = new LinkedHashMap<>();
        try (LabGroup group = lab.group("sync_ours", Bank.SCHEMA, bank.rows())) {
            warmUp(bank, group, plain);
            for (int round = 0; round < lab.size().rounds(ROUNDS); round++) {
                for (Load load : Load.values()) {
                    for (int replicas = 1; replicas <= 2; replicas++) {
                        String what = changes + " changes, " + load + ", " + replicas
                                + (replicas == 1 ? " replica" : " replicas at once") + ", changes/s";
                        Pair pair = pairs.computeIfAbsent(what, key -> new Pair(new Samples(), new Samples()));
                        pair.peer().add(peer(bank, load, changes, plain.subList(0, replicas + 1)));
                        pair.ours().add(ours(bank, load, changes, group, replicas));
                        level(group, plain);
                    }
                }
            }
        } finally {
            for (PgNode node : plain) {
                lab.drop(node);
            }
        }
        pairs.forEach((what, pair) -> report.add(name(), what, pair.ours(), pair.peer(), Goal.ratioAtLeast(GOAL)));
    }

    /** The first opens sessions on both sides and compiles what applies rows; that is not what is measured here. */
    private void warmUp(Bank bank, LabGroup group, List<PgNode> plain) throws SQLException, InterruptedException {
        peer(bank, Load.OLTP, WARM_UP, plain);
        ours(bank, Load.OLTP, WARM_UP, group, 2);
        level(group, plain);
    }

    private static int make(Bank bank, Load load, int changes, PgNode node) throws SQLException {
        return switch (load) {
            case OLTP -> bank.oltp(node, changes);
            case BULK -> bank.bulk(node, changes);
        };
    }

    private double ours(Bank bank, Load load, int changes, LabGroup group, int replicas)
            throws SQLException, InterruptedException {
        int made = make(bank, load, changes, group.origin());
        ExecutorService threads = Executors.newFixedThreadPool(replicas);
        try {
            long start = System.nanoTime();
            Point point = group.mark();
            List<Future<Long>> running = new ArrayList<>();
            for (int replica = 1; replica <= replicas; replica++) {
                int number = replica;
                running.add(threads.submit(() -> group.synchronize(number, point)));
            }
            for (Future<Long> each : running) {
                each.get();
            }
            double rate = made / (Stopwatch.millisSince(start) / 1e3);
            for (int replica = 1; replica <= replicas; replica++) {
                requireEqual(group.origin(), group.replica(replica));
            }
            return rate;
        } catch (ExecutionException e) {
            throw new SQLException("synchronize failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private double peer(Bank bank, Load load, int changes, List<PgNode> nodes)
            throws SQLException, InterruptedException {
        PgNode publisher = nodes.get(0);
        List<PgNode> subscribers = nodes.subList(1, nodes.size());
        try (NativeLogical peer = NativeLogical.prepare(publisher, subscribers)) {
            int made = make(bank, load, changes, publisher);
            marker++;
            Bank.mark(publisher, marker);
            long start = System.nanoTime();
            peer.enable();
            peer.awaitMarker(marker);
            double rate = made / (Stopwatch.millisSince(start) / 1e3);
            for (PgNode subscriber : subscribers) {
                requireEqual(publisher, subscriber);
            }
            return rate;
        }
    }

    private static void requireEqual(PgNode origin, PgNode replica) throws SQLException {
        String there = Bank.sums(replica);
        String here = Bank.sums(origin);
        if (!here.equals(there)) {
            throw new SQLException(replica + " has " + there + ", the origin " + here);
        }
    }

    /** Between measurements: the second replica follows, dead rows go, and the peer's second subscriber is made equal. */
    private static void level(LabGroup group, List<PgNode> plain) throws SQLException {
        Point now = group.mark();
        group.synchronize(1, now);
        group.synchronize(2, now);
        group.forgetChanges();
        copyBank(plain.get(0), plain.get(2));
        for (PgNode node : plain) {
            node.execute("VACUUM ANALYZE", "CHECKPOINT");
        }
        for (PgNode node : List.of(group.origin(), group.replica(1), group.replica(2))) {
            node.execute("VACUUM ANALYZE");
        }
    }

    /** The peer's second subscriber has no slot while only the first is measured; it is brought up by a copy. */
    private static void copyBank(PgNode from, PgNode to) throws SQLException {
        if (!Bank.sums(from).equals(Bank.sums(to))) {
            BankCopy.copy(from, to);
        }
    }
}
