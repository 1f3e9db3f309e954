package io.ddlrep.gateway.admin;

import java.util.Iterator;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What a statement answers. Used by one thread; closed once. */
interface Rows extends AutoCloseable {
    /** The next row; null behind the last. */
    @Nullable
    Object @Nullable [] next();

    /**
     * The command tag.
     *
     * @param rows how many there were
     */
    String tag(long rows);

    @Override
    void close();

    /** Some that are there already. */
    static Rows of(List<@Nullable Object[]> rows, LongFunction<String> tag) {
        Iterator<@Nullable Object[]> left = rows.iterator();
        return new Rows() {
            @Override
            public @Nullable Object @Nullable [] next() {
                return left.hasNext() ? left.next() : null;
            }

            @Override
            public String tag(long count) {
                return tag.apply(count);
            }

            @Override
            public void close() {}
        };
    }

    /** None. */
    static Rows none(String tag) {
        return of(List.of(), count -> tag);
    }
}
