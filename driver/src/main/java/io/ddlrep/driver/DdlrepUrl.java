package io.ddlrep.driver;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A {@code jdbc:ddlrep:} URL taken apart. Behind the prefix stands whatever pgjdbc allows behind {@code jdbc:postgresql:};
 * a second {@code postgresql:} is allowed too. Immutable.
 *
 * @param postgresqlUrl the same URL for pgjdbc, without the driver's own properties
 * @param own the driver's own properties, by name
 * @param shown the URL as metadata shows it: without passwords
 */
record DdlrepUrl(String postgresqlUrl, Map<String, String> own, String shown) {
    static final String PREFIX = "jdbc:ddlrep:";
    private static final String POSTGRESQL = "postgresql:";

    /** Whether the URL is for this driver at all. */
    static boolean accepts(@Nullable String url) {
        return url != null && url.startsWith(PREFIX);
    }

    /**
     * Takes a URL apart.
     *
     * @return empty for a URL of another driver
     * @throws IllegalArgumentException for a property that is not written right
     */
    static Optional<DdlrepUrl> parse(@Nullable String url) {
        if (url == null || !accepts(url)) {
            return Optional.empty();
        }
        String rest = url.substring(PREFIX.length());
        if (rest.startsWith(POSTGRESQL)) {
            rest = rest.substring(POSTGRESQL.length());
        }
        int question = rest.indexOf('?');
        String place = withHost(question < 0 ? rest : rest.substring(0, question));
        Map<String, String> own = new LinkedHashMap<>();
        StringJoiner passed = new StringJoiner("&", "?", "").setEmptyValue("");
        StringJoiner shown = new StringJoiner("&", "?", "").setEmptyValue("");
        String query = question < 0 ? "" : rest.substring(question + 1);
        for (String argument : query.split("&", -1)) {
            int equals = argument.indexOf('=');
            String name = decode(equals < 0 ? argument : argument.substring(0, equals));
            String value = equals < 0 ? "" : decode(argument.substring(equals + 1));
            if (DriverProperty.of(name).isPresent()) {
                own.put(name, value);
            } else if (!argument.isEmpty()) {
                passed.add(argument);
            }
            if (!argument.isEmpty() && !name.toLowerCase(Locale.ROOT).contains("password")) {
                shown.add(argument);
            }
        }
        return Optional.of(
                new DdlrepUrl("jdbc:" + POSTGRESQL + place + passed, Map.copyOf(own), PREFIX + place + shown));
    }

    /** No host means localhost also in the two forms of which pgjdbc documents the one and misreads the other. */
    private static String withHost(String place) {
        if (place.equals("/")) {
            return "//";
        }
        return place.startsWith("///") && place.length() > 3 ? "//localhost/" + place.substring(3) : place;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return shown;
    }
}
