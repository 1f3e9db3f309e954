package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.NodeSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts what is sent over sessions, by their purpose and node. Thread-safe. */
final class MessageCounts {
    private static final Set<String> MESSAGES = Set.of("execute", "update", "query", "queryEach", "copyIn", "copyOut");

    private final Map<String, Integer> counts = new TreeMap<>();

    Connector counting(Connector connector) {
        return (address, credentials, application) ->
                counting(application, connector.open(address, credentials, application));
    }

    /** A session whose messages count for {@code purpose} on its node. */
    NodeSession counting(String purpose, NodeSession session) {
        return (NodeSession) Proxy.newProxyInstance(
                MessageCounts.class.getClassLoader(), new Class<?>[] {NodeSession.class}, (self, method, arguments) -> {
                    if (MESSAGES.contains(method.getName())) {
                        count(purpose + " " + session.node());
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private synchronized void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    synchronized void clear() {
        counts.clear();
    }

    /** What was counted since {@link #clear} or the last call, by purpose and node, in their order. */
    synchronized Map<String, Integer> take() {
        Map<String, Integer> taken = new TreeMap<>(counts);
        counts.clear();
        return taken;
    }
}
