package io.ddlrep.testkit;

import org.jspecify.annotations.Nullable;

/** The harness itself failed: no server could be started, a file could not be written. Immutable. */
public final class TestkitException extends RuntimeException {

    public TestkitException(String message) {
        super(message);
    }

    public TestkitException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
