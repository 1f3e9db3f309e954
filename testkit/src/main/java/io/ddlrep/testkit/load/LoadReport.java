package io.ddlrep.testkit.load;

import java.time.Duration;
import java.util.Map;

/**
 * What writers have done so far. Immutable.
 *
 * @param commits transactions whose COMMIT was acknowledged
 * @param unknown transactions whose COMMIT was sent and never answered
 * @param statements statements and commits that ended, well or not
 * @param errors count of failed transactions by SQLSTATE
 * @param longestWait of any statement so far
 */
public record LoadReport(long commits, long unknown, long statements, Map<String, Long> errors, Duration longestWait) {

    public LoadReport {
        errors = Map.copyOf(errors);
    }
}
