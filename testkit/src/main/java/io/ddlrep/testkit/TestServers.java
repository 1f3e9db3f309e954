package io.ddlrep.testkit;

import io.ddlrep.testkit.server.PgServer;
import io.ddlrep.testkit.server.PgServerOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers that the tests of one JVM share, started when first asked for and stopped with the JVM. The static state is
 * the purpose: starting three servers per test class would cost seconds each. Tests must leave settings and roles of a
 * shared server as they found them; what needs other settings or kills servers takes {@link PgGroup#dedicated}.
 * Thread-safe.
 */
public final class TestServers {

    private static final Map<Integer, List<PgServer>> SHARED = new ConcurrentHashMap<>();

    private TestServers() {}

    /** Three servers of the major with {@link PgServerOptions#of} settings. */
    public static List<PgServer> shared(int major) {
        return shared(major, 3);
    }

    /** The first {@code count} shared servers of the major. */
    public static List<PgServer> shared(int major, int count) {
        return SHARED.compute(major, (key, running) -> {
                    List<PgServer> servers = new ArrayList<>(running == null ? List.of() : running);
                    if (servers.size() < count) {
                        servers.addAll(start(Collections.nCopies(count - servers.size(), PgServerOptions.of(major))));
                    }
                    return List.copyOf(servers);
                })
                .subList(0, count);
    }

    /** Starts servers side by side; when one fails, none is left. */
    static List<PgServer> start(List<PgServerOptions> options) {
        List<PgServer> started = Collections.synchronizedList(new ArrayList<>());
        try {
            return options.parallelStream()
                    .map(each -> {
                        PgServer server = PgServer.start(each);
                        started.add(server);
                        return server;
                    })
                    .toList();
        } catch (RuntimeException e) {
            started.forEach(PgServer::close);
            throw e;
        }
    }
}
