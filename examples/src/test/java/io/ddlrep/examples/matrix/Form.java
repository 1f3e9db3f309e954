package io.ddlrep.examples.matrix;

import java.util.List;

/**
 * One form of a command, and what was seen of it. Immutable.
 *
 * @param sql the text that is sent
 * @param since the first major that knows it, or 0
 * @param until the last major on which it means what is said here, or 0
 * @param setup what is made before it
 * @param after what is written after it, so that capture is seen to follow
 * @param drop what removes what stands outside the form's schema
 * @param seen what the last run that was asked to keep it has seen; empty for a form that never ran
 */
record Form(String sql, int since, int until, List<String> setup, List<String> after, List<String> drop, String seen) {
    /** The major whose run fills the page, unless the form is younger. */
    private static final int REFERENCE = 17;

    Form {
        setup = List.copyOf(setup);
        after = List.copyOf(after);
        drop = List.copyOf(drop);
    }

    Form seen(String now) {
        return new Form(sql, since, until, setup, after, drop, now);
    }

    boolean runsOn(int major) {
        return major >= since && (until == 0 || major <= until);
    }

    /** Whether a run on this major is what the page tells; on others locks and messages may be others. */
    boolean isReference(int major) {
        return major == Math.max(REFERENCE, since) || (until != 0 && until < REFERENCE && major == until);
    }
}
