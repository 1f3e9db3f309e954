package io.ddlrep.engine.operation;

import io.ddlrep.engine.fingerprint.Fingerprint;
import io.ddlrep.engine.fingerprint.FingerprintDiff;
import io.ddlrep.engine.fingerprint.Fingerprints;
import io.ddlrep.engine.node.NodeSession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Step {@code verify}: after a statement, the fingerprints of what it touched are equal on all nodes.
 *
 * <p>Crash before, during or after: all transactions are open; the servers roll them back.
 */
final class VerifyStep {
    /** Fingerprints of relations as one text, null for no names. $1 names, quoted. */
    static final String HASHES = """
            SELECT pg_catalog.string_agg(n.name OPERATOR(pg_catalog.||) '=' OPERATOR(pg_catalog.||) coalesce(f.hash, 'missing'),
                                         pg_catalog.chr(1) ORDER BY n.name) AS fingerprints
              FROM pg_catalog.unnest($1::pg_catalog.text[]) AS n(name)
              LEFT JOIN ddlrep.fingerprint_hash(
                  ARRAY(SELECT pg_catalog.to_regclass(m)::pg_catalog.oid FROM pg_catalog.unnest($1::pg_catalog.text[]) m)) f
                ON f.relid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(n.name)::pg_catalog.oid
            """;

    private static final int LINES = 20;

    private VerifyStep() {}

    /** Asks the sessions of all nodes for the fingerprints of relations. */
    static Map<String, @Nullable String> ask(OperationContext context, List<String> names) {
        Map<String, @Nullable String> said = new ConcurrentHashMap<>();
        List<Runnable> tasks = new ArrayList<>();
        List<NodeSession> sessions = new ArrayList<>(List.of(context.client().session()));
        context.companions().forEach(c -> sessions.add(c.session()));
        for (NodeSession session : sessions) {
            tasks.add(() -> said.put(
                    session.node(),
                    String.valueOf(session.query(HASHES, names).get(0).get("fingerprints"))));
        }
        context.services().fan().all(tasks);
        return said;
    }

    /** Fails with what differs unless all nodes said the same. */
    static void compare(OperationContext context, Map<String, @Nullable String> said) {
        if (said.values().stream().distinct().count() > 1) {
            throw difference(context, said, "after the statement; rolled back on every node");
        }
    }

    /** The error for nodes that differ: names the facts, read where the difference was seen. */
    static RuntimeException difference(OperationContext context, Map<String, @Nullable String> said, String when) {
        TreeSet<String> names = new TreeSet<>();
        for (String first : said.values()) {
            for (String entry : (first == null ? "" : first).split("\u0001", -1)) {
                for (String second : said.values()) {
                    if (!List.of((second == null ? "" : second).split("\u0001", -1))
                            .contains(entry)) {
                        names.add(entry.substring(0, Math.max(0, entry.lastIndexOf('='))));
                    }
                }
            }
        }
        names.remove("");
        return Errors.of(
                "55000",
                "the nodes differ in " + String.join(", ", names) + " " + when,
                String.join("\n", lines(context, names)),
                "Make the node that is different equal again (DDL of its own: SET ddlrep.replicate = off),"
                        + " then send the statement again.");
    }

    private static List<String> lines(OperationContext context, Collection<String> names) {
        Map<String, List<Fingerprint>> said = new TreeMap<>();
        said.put(context.client().node(), Fingerprints.read(context.client().session(), names));
        for (Companion companion : context.companions()) {
            said.put(companion.node(), Fingerprints.read(companion.session(), names));
        }
        if (context.companions().isEmpty()) {
            context.publications().stream()
                    .flatMap(p -> p.replicas().stream())
                    .forEach(r -> said.computeIfAbsent(r.node(), n -> byService(context, n, names)));
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Map<String, Fingerprint> ofOne = new TreeMap<>();
            for (Map.Entry<String, List<Fingerprint>> node : said.entrySet()) {
                ofOne.put(node.getKey(), node.getValue().get(i));
            }
            lines.addAll(FingerprintDiff.of(ofOne).lines());
        }
        return lines.size() > LINES ? lines.subList(0, LINES) : lines;
    }

    private static List<Fingerprint> byService(OperationContext context, String node, Collection<String> names) {
        NodeSession session = context.services().borrow(node);
        try {
            return Fingerprints.read(session, names);
        } finally {
            context.services().giveBack(session);
        }
    }
}
