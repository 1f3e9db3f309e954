package io.ddlrep.engine.fingerprint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How one relation's fingerprints differ between nodes. Immutable.
 *
 * @param lines for people, such as {@code n2: column price of public.t1: type numeric(10,2), elsewhere numeric(12,2)};
 *     empty where all are equal
 */
public record FingerprintDiff(List<String> lines) {
    private static final String ABSENT = "\u0000";

    /** Copies the list. */
    public FingerprintDiff {
        lines = List.copyOf(lines);
    }

    /** Whether there is no difference. */
    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /**
     * Compares the fingerprints of one relation.
     *
     * @param byNode one per node
     */
    public static FingerprintDiff of(Map<String, Fingerprint> byNode) {
        if (byNode.values().stream().map(Fingerprint::hash).distinct().count() < 2) {
            return new FingerprintDiff(List.of());
        }
        String relation = byNode.values().iterator().next().relation();
        List<String> lines = new ArrayList<>();
        Map<String, Map<String, String>> present = new LinkedHashMap<>();
        new TreeMap<>(byNode).forEach((node, fingerprint) -> {
            if (fingerprint.exists()) {
                present.put(node, values(fingerprint));
            } else {
                lines.add(node + ": " + relation + " does not exist");
            }
        });
        TreeSet<String> keys = new TreeSet<>();
        present.values().forEach(values -> keys.addAll(values.keySet()));
        for (String key : keys) {
            SortedMap<String, List<String>> nodesByValue = new TreeMap<>();
            present.forEach((node, values) -> nodesByValue
                    .computeIfAbsent(values.getOrDefault(key, ABSENT), value -> new ArrayList<>())
                    .add(node));
            if (nodesByValue.size() > 1) {
                lines.add(line(relation, key, nodesByValue));
            }
        }
        return new FingerprintDiff(lines);
    }

    private static Map<String, String> values(Fingerprint fingerprint) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String fact : fingerprint.facts()) {
            int second = fact.indexOf('\t', fact.indexOf('\t') + 1);
            values.put(fact.substring(0, second), fact.substring(second + 1));
        }
        return values;
    }

    /** The value that most nodes have is what it is elsewhere; the others are named. */
    private static String line(String relation, String key, SortedMap<String, List<String>> nodesByValue) {
        int tab = key.indexOf('\t');
        String object = key.substring(0, tab);
        String property = key.substring(tab + 1);
        String usual = ABSENT;
        int most = 0;
        for (Map.Entry<String, List<String>> entry : nodesByValue.entrySet()) {
            if (entry.getValue().size() > most) {
                most = entry.getValue().size();
                usual = entry.getKey();
            }
        }
        String what = object.equals("relation") ? relation : object + " of " + relation;
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, List<String>> entry : nodesByValue.entrySet()) {
            if (!entry.getKey().equals(usual)) {
                parts.add(String.join(", ", entry.getValue()) + ": " + what + ": " + property + " "
                        + shown(entry.getKey()));
            }
        }
        return String.join("; ", parts) + ", elsewhere " + shown(usual);
    }

    private static String shown(String value) {
        if (value.equals(ABSENT)) {
            return "absent";
        }
        return value.length() > 300 ? value.substring(0, 300) + "…" : value;
    }
}
