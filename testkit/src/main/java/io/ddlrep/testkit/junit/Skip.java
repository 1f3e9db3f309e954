package io.ddlrep.testkit.junit;

import org.opentest4j.TestAbortedException;

/** Skips the running test in JUnit's own, visible way. Stateless; loads JUnit's classes only when it skips. */
public final class Skip {

    private Skip() {}

    /** Ends the test as skipped, with the reason in the report, unless the condition holds. */
    public static void unless(boolean condition, String reason) {
        if (!condition) {
            throw Aborted.because(reason);
        }
    }

    /** Apart, so that code which never skips runs without JUnit on the class path. */
    private static final class Aborted {
        static RuntimeException because(String reason) {
            return new TestAbortedException(reason);
        }
    }
}
