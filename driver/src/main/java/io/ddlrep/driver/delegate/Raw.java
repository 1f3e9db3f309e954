package io.ddlrep.driver.delegate;

import java.sql.Array;
import org.jspecify.annotations.Nullable;

/** Gives pgjdbc its own objects back when the client hands in one of ours. Stateless. */
final class Raw {
    private Raw() {}

    static @Nullable Array of(@Nullable Array value) {
        return value instanceof DdlrepArray ours ? ours.delegate : value;
    }

    static @Nullable Object of(@Nullable Object value) {
        return value instanceof DdlrepArray ours ? ours.delegate : value;
    }
}
