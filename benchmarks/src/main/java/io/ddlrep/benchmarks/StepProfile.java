package io.ddlrep.benchmarks;

import io.ddlrep.engine.ClientSession;
import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.OriginStatement;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.operation.TriggerEngine;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.testkit.PgNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where the time of a DDL goes: every message of the engine is timed, the client's own included. Messages to several nodes
 * go out side by side, so their times do not add up to that of the operation. Used by one thread; messages may come from
 * any.
 */
final class StepProfile {
    private final PgNode origin;
    private final int rounds;
    private final List<Message> messages = new ArrayList<>();

    StepProfile(PgNode origin, int rounds) {
        this.origin = origin;
        this.rounds = rounds;
    }

    private synchronized void heard(Message message) {
        messages.add(message);
    }

    private synchronized List<Message> takeMessages() {
        List<Message> taken = new ArrayList<>(messages);
        messages.clear();
        taken.sort(Comparator.comparingLong(Message::start));
        return taken;
    }

    /** Runs the DDL again and again, and prints the messages: in the order of the last operation, then by kind. */
    void print(Report report) {
        Connector jdbc = new JdbcConnector(Map.of());
        Connector timing = (address, who, application) -> {
            long start = System.nanoTime();
            NodeSession session = jdbc.open(address, who, application);
            heard(Message.of(address.name(), application, "(connect)", start));
            return new TimingSession(session, application, this::heard);
        };
        Credentials service = LabGroup.service(origin);
        NodeAddress address = new NodeAddress(origin.name(), origin.host(), origin.port(), origin.database());
        EngineConfig config = new EngineConfig(
                OperationSettings.DEFAULT,
                Optional.of(service),
                LabGroup.apply(origin),
                Map.of(),
                timing,
                "benchmarks");
        try (NodeSession client = timing.open(address, service, "client")) {
            Group group = DdlEngine.groupOf(client).orElseThrow();
            try (DdlEngine engine = TriggerEngine.open(config, group, TriggerSubstrate::of);
                    ClientSession session = engine.open(client, timing.as(service), notice -> {})) {
                report(report, client, session);
            }
        }
    }

    private void report(Report report, NodeSession client, ClientSession session) {
        Map<String, Samples> kinds = new LinkedHashMap<>();
        Samples operations = new Samples();
        List<Message> last = List.of();
        long start = 0;
        for (int round = 0; round <= rounds; round++) {
            takeMessages();
            start = System.nanoTime();
            perform(client, session, "ALTER TABLE app.items ADD COLUMN p" + round + " int");
            double millis = Stopwatch.millisSince(start);
            last = takeMessages();
            // The first opens the sessions that all others use.
            if (round > 0) {
                operations.add(millis);
                last.forEach(message -> kinds.computeIfAbsent(message.kind(), kind -> new Samples())
                        .add(message.nanos() / 1e6));
            }
        }
        report.say("  profile of ADD COLUMN on 3 nodes: median " + Samples.number(operations.median()) + " ms ("
                + operations.spread() + ")");
        report.say("  the last operation, message by message (start ms, took ms, node, session, text):");
        for (Message message : last) {
            report.say(String.format(
                    Locale.ROOT,
                    "  %7.2f %7.2f  %-3s %-15s %s",
                    (message.start() - start) / 1e6,
                    message.nanos() / 1e6,
                    message.node(),
                    message.session(),
                    message.head()));
        }
        report.say("  by kind (median ms, messages in one operation):");
        int counted = operations.size();
        kinds.entrySet().stream()
                .sorted(Comparator.comparingDouble(
                        entry -> -entry.getValue().median() * entry.getValue().size()))
                .forEach(entry -> report.say(String.format(
                        Locale.ROOT,
                        "  %7.2f %5.1f  %s",
                        entry.getValue().median(),
                        (double) entry.getValue().size() / counted,
                        entry.getKey())));
    }

    private static void perform(NodeSession client, ClientSession session, String sql) {
        if (SqlParser.parse(sql, ParserOptions.DEFAULT).get(0) instanceof Statement.Ddl ddl) {
            session.performAutocommit(ddl, OriginStatement.of(() -> client.execute(sql), () -> {}));
        } else {
            throw new IllegalArgumentException("no DDL: " + sql);
        }
    }
}
