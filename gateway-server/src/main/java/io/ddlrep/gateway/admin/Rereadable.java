package io.ddlrep.gateway.admin;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/**
 * Rows that Calcite reads once, as they come, or, in a nested loop, over and over: then they are kept from the second time on,
 * so that nobody is asked for them once for each row of another table. Every row is a place where a cancel takes effect. One
 * statement's; used by one thread.
 */
final class Rereadable extends AbstractEnumerable<@Nullable Object[]> {
    private final Supplier<Iterator<@Nullable Object[]>> source;
    private final NodeSessions sessions;
    private @Nullable List<@Nullable Object[]> kept;
    private boolean readOnce;

    /**
     * Makes it.
     *
     * @param source begins to read
     * @param sessions knows whether the statement is cancelled
     */
    Rereadable(Supplier<Iterator<@Nullable Object[]>> source, NodeSessions sessions) {
        this.source = source;
        this.sessions = sessions;
    }

    @Override
    public Enumerator<@Nullable Object[]> enumerator() {
        if (!readOnce) {
            readOnce = true;
            return Linq4j.iterableEnumerator(() -> checked(source.get()));
        }
        List<@Nullable Object[]> rows = kept;
        if (rows == null) {
            rows = new ArrayList<>();
            for (Iterator<@Nullable Object[]> left = checked(source.get()); left.hasNext(); ) {
                rows.add(left.next());
            }
            kept = rows;
        }
        List<@Nullable Object[]> again = rows;
        return Linq4j.iterableEnumerator(() -> checked(again.iterator()));
    }

    private Iterator<@Nullable Object[]> checked(Iterator<@Nullable Object[]> rows) {
        return new Iterator<@Nullable Object[]>() {
            @Override
            public boolean hasNext() {
                sessions.check();
                return rows.hasNext();
            }

            @Override
            public @Nullable Object[] next() {
                return rows.next();
            }
        };
    }
}
