package io.ddlrep.engine;

import java.time.Duration;
import java.util.Locale;

/** Durations as PostgreSQL's settings spell them: {@code 2min}, {@code 100ms}, {@code 5s}; a bare number is milliseconds. */
public final class Durations {
    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException when it is not one, or is negative
     */
    public static Duration parse(String text) {
        String trimmed = text.strip();
        int digits = 0;
        while (digits < trimmed.length() && Character.isDigit(trimmed.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 12) {
            throw new IllegalArgumentException("not a duration: " + text + " (such as 100ms, 5s, 2min)");
        }
        long number = Long.parseLong(trimmed.substring(0, digits));
        return switch (trimmed.substring(digits).strip().toLowerCase(Locale.ROOT)) {
            case "", "ms" -> Duration.ofMillis(number);
            case "us" -> Duration.ofNanos(number * 1000);
            case "s" -> Duration.ofSeconds(number);
            case "min" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> throw new IllegalArgumentException("not a duration: " + text + " (units: us, ms, s, min, h, d)");
        };
    }
}
