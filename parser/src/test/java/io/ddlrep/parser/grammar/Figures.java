package io.ddlrep.parser.grammar;

import java.util.Map;
import java.util.TreeMap;

/** Counts by name. One thread at a time. */
final class Figures {
    private final Map<String, Integer> counts = new TreeMap<>();

    void add(String name, int count) {
        counts.merge(name, count, Integer::sum);
    }

    int of(String name) {
        return counts.getOrDefault(name, 0);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
