package io.ddlrep.examples.matrix;

import java.util.List;
import java.util.Locale;

/**
 * What a run has seen of a form. Immutable.
 *
 * @param outcome {@code replicated}, {@code rows}, {@code local}, or {@code refused}, the SQLSTATE and the message
 * @param place {@code block} where it runs in a transaction block, {@code alone} where only outside
 * @param origin the strongest lock of each relation that was there before, on the origin
 * @param replicas the same on the replicas
 * @param carried {@code rows} where it sent rows to the replicas
 */
record Seen(String outcome, String place, String origin, String replicas, String carried) {
    static Seen of(String text) {
        List<String> fields = List.of(text.split(" \\| ", -1));
        return new Seen(fields.get(0), fields.get(1), fields.get(2), fields.get(3), fields.get(4));
    }

    String text() {
        return String.join(" | ", outcome.replace(" | ", " "), place, origin, replicas, carried);
    }

    /** The first word of what came of it. */
    String kind() {
        return outcome.split(" ", 2)[0];
    }

    /** {@code AccessExclusiveLock} as LOCK TABLE spells it. */
    static String mode(String lock) {
        return lock.replaceAll("Lock$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toUpperCase(Locale.ROOT);
    }
}
