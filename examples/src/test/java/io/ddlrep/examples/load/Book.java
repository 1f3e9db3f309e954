package io.ddlrep.examples.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one writer has committed, and what its transaction in progress adds to it: nothing of it comes from a node. One thread
 * at a time.
 */
final class Book {
    private final int writer;
    private final Map<Entity, TreeMap<Long, Long>> rows = new EnumMap<>(Entity.class);
    private final Map<Entity, TreeMap<Long, Long>> hot = new EnumMap<>(Entity.class);
    private final TreeMap<Long, Long> parents = new TreeMap<>();
    private final TreeMap<Long, Long> deletedFromTrig = new TreeMap<>();
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private long balance;

    Book(int writer) {
        this.writer = writer;
        for (Entity entity : Entity.values()) {
            rows.put(entity, new TreeMap<>());
            hot.put(entity, new TreeMap<>());
        }
    }

    int writer() {
        return writer;
    }

    /** Value by id; of {@link Entity#BAG}: number of equal rows by value; of {@link Entity#CUT}: epoch by id. */
    NavigableMap<Long, Long> rows(Entity entity) {
        return Objects.requireNonNull(rows.get(entity));
    }

    /** What this writer added to each hot row. */
    NavigableMap<Long, Long> hot(Entity entity) {
        return Objects.requireNonNull(hot.get(entity));
    }

    /** Account by entry. */
    NavigableMap<Long, Long> parents() {
        return parents;
    }

    /** How often a row with this id was deleted from {@link Entity#TRIG}. */
    NavigableMap<Long, Long> deletedFromTrig() {
        return deletedFromTrig;
    }

    /** Sets or takes away, so that it can be undone. */
    void set(NavigableMap<Long, Long> map, long key, @Nullable Long value) {
        Long old = value == null ? map.remove(key) : map.put(key, value);
        undo.push(() -> {
            if (old == null) {
                map.remove(key);
            } else {
                map.put(key, old);
            }
        });
    }

    void add(NavigableMap<Long, Long> map, long key, long more) {
        long sum = map.getOrDefault(key, 0L) + more;
        set(map, key, sum == 0 ? null : sum);
    }

    /** What the transaction has added to the sum over all tables. */
    long balance() {
        return balance;
    }

    void addBalance(long more) {
        balance += more;
        undo.push(() -> balance -= more);
    }

    int mark() {
        return undo.size();
    }

    void undoTo(int mark) {
        while (undo.size() > mark) {
            undo.pop().run();
        }
    }

    void commit() {
        undo.clear();
        if (balance != 0) {
            throw new IllegalStateException("writer " + writer + " committed a transaction that is not balanced");
        }
    }
}
