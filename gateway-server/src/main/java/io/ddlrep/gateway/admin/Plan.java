package io.ddlrep.gateway.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that is ready to run. Used by one thread; closed once. */
interface Plan extends AutoCloseable {
    /** What its rows have; empty where it returns none. */
    List<Column> columns();

    /** Types of its parameters, in the order of their numbers. */
    List<ColumnType> parameters();

    /**
     * Runs it.
     *
     * @param values of its parameters
     */
    Rows run(List<@Nullable Object> values);

    /** Ends the run from another thread, if there is one. */
    default void cancel() {}

    @Override
    void close();
}
