package io.ddlrep.driver;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as PostgreSQL's settings are written: {@code 100ms}, {@code 5s}, {@code 2min}. Stateless. */
final class DurationText {
    private static final Pattern FORM = Pattern.compile("\\s*(\\d{1,12})\\s*([a-z]*)\\s*");

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "min", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    private DurationText() {}

    /** The duration; a number alone counts milliseconds. */
    static Duration parse(String name, String value) {
        Matcher form = FORM.matcher(value);
        ChronoUnit unit = form.matches() ? UNITS.get(form.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("invalid value \"" + value + "\" for property " + name
                    + ": a duration such as 100ms, 5s or 2min is wanted (units: us, ms, s, min, h, d)");
        }
        return Duration.of(Long.parseLong(form.group(1)), unit);
    }
}
