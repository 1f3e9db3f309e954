package io.ddlrep.gateway.admin;

import io.ddlrep.gateway.session.OpenSessions;
import io.ddlrep.gateway.session.SessionView;
import io.ddlrep.gateway.session.Traffic;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a gateway says of itself. Columns are called as PgBouncer's where they mean the same. Stateless. */
public final class GatewayTables {
    private static final List<Column> SERVERS = List.of(
            Column.text("type"),
            Column.text("user"),
            Column.text("database"),
            Column.text("state"),
            Column.text("addr"),
            Column.number("port"),
            Column.text("local_addr"),
            Column.number("local_port"),
            Column.text("connect_time"),
            Column.number("id"),
            Column.number("link"),
            Column.number("remote_pid"),
            Column.text("tls"));
    private static final List<Column> CLIENTS = Stream.concat(
                    SERVERS.stream(), Stream.of(Column.text("application_name"), Column.flag("operating")))
            .toList();
    private static final List<Column> STATS = List.of(
            Column.text("database"),
            Column.number("total_query_count"),
            Column.number("total_received"),
            Column.number("total_sent"),
            Column.number("total_session_count"),
            Column.number("open_sessions"));

    private GatewayTables() {}

    /**
     * The tables.
     *
     * @param sessions the gateway's sessions
     * @param traffic what has passed
     * @param database the origin's database
     * @param state how the gateway is, now
     * @param config with what it runs, now; value and default by name
     * @param version its version
     */
    public static List<AdminTable> of(
            OpenSessions sessions,
            Traffic traffic,
            String database,
            Supplier<Map<String, String>> state,
            Supplier<Map<String, String>> config,
            String version) {
        return List.of(
                new AdminTable("clients", CLIENTS, () -> rows(sessions, GatewayTables::client)),
                new AdminTable("servers", SERVERS, () -> rows(sessions, GatewayTables::server)),
                new AdminTable(
                        "stats",
                        STATS,
                        () -> List.<@Nullable Object[]>of(new Object[] {
                            database,
                            traffic.queries(),
                            traffic.received(),
                            traffic.sent(),
                            traffic.sessions(),
                            (long) sessions.count()
                        })),
                new AdminTable("state", List.of(Column.text("key"), Column.text("value")), () -> pairs(state.get())),
                new AdminTable("config", List.of(Column.text("key"), Column.text("value")), () -> pairs(config.get())),
                new AdminTable(
                        "version",
                        List.of(Column.text("version")),
                        () -> List.<@Nullable Object[]>of(new Object[] {version})));
    }

    private static List<@Nullable Object[]> rows(OpenSessions sessions, Function<SessionView, @Nullable Object[]> row) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        sessions.views().forEach(view -> rows.add(row.apply(view)));
        return rows;
    }

    private static List<@Nullable Object[]> pairs(Map<String, String> map) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        map.forEach((key, value) -> rows.add(new Object[] {key, value}));
        return rows;
    }

    private static @Nullable Object[] client(SessionView view) {
        return link(view, "C", view.client(), view.listener(), view.tls(), view.application(), view.operating());
    }

    private static @Nullable Object[] server(SessionView view) {
        return link(view, "S", view.origin(), view.local(), view.originTls());
    }

    private static @Nullable Object[] link(
            SessionView view, String type, InetSocketAddress peer, InetSocketAddress own, boolean tls, Object... more) {
        List<Object> row = new ArrayList<>(List.of(
                type,
                view.user(),
                view.database(),
                view.state(),
                host(peer),
                (long) peer.getPort(),
                host(own),
                (long) own.getPort(),
                time(view.began()),
                view.id(),
                view.id(),
                (long) view.pid(),
                tls ? "on" : ""));
        row.addAll(List.of(more));
        return row.toArray();
    }

    private static String host(InetSocketAddress address) {
        return address.getAddress() == null
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace('T', ' ')
                .replace("Z", " UTC");
    }
}
