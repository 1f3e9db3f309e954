package io.ddlrep.driver;

import io.ddlrep.engine.Durations;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values of the driver's own properties, checked. Immutable.
 *
 * @param settings the options of operations
 * @param service the service role, where the URL names one
 * @param apply the role that applies rows
 * @param requireGroup refuse to connect where there is no group
 * @param addresses overridden addresses by node name
 */
record DriverOptions(
        OperationSettings settings,
        Optional<Credentials> service,
        Credentials apply,
        boolean requireGroup,
        Map<String, NodeAddress> addresses) {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[^\\]]+\\]|[^:/\\[\\]]+)(?::(\\d{1,5}))?/([^/]+)");

    /**
     * Reads the values.
     *
     * @param values the driver's own properties by name
     * @throws IllegalArgumentException that says which value is wrong and what is wanted
     */
    static DriverOptions of(Map<String, String> values) {
        OperationSettings settings = new OperationSettings(
                choice(values, DriverProperty.DDL_CHANGE_TABLE_LOCK).equals("on"),
                duration(values, DriverProperty.LOCK_WAIT),
                duration(values, DriverProperty.LOCK_SLICE),
                OperationSettings.Notices.valueOf(
                        choice(values, DriverProperty.NOTICES).toUpperCase(Locale.ROOT)),
                OperationSettings.NodeDown.valueOf(
                        choice(values, DriverProperty.NODE_DOWN).toUpperCase(Locale.ROOT)),
                duration(values, DriverProperty.IDLE_LIMIT),
                choice(values, DriverProperty.REPLICATE).equals("on"),
                OperationSettings.Maintenance.valueOf(
                        choice(values, DriverProperty.MAINTENANCE).toUpperCase(Locale.ROOT)));
        return new DriverOptions(
                settings,
                service(values),
                new Credentials("ddlrep_apply", values.get(DriverProperty.APPLY_PASSWORD.key())),
                choice(values, DriverProperty.REQUIRE_GROUP).equals("true"),
                addresses(values));
    }

    private static Optional<Credentials> service(Map<String, String> values) {
        String user = values.get(DriverProperty.SERVICE_USER.key());
        String password = values.get(DriverProperty.SERVICE_PASSWORD.key());
        if (user == null && password != null) {
            throw new IllegalArgumentException("property servicePassword needs serviceUser");
        }
        return user == null ? Optional.empty() : Optional.of(new Credentials(user, password));
    }

    private static Map<String, NodeAddress> addresses(Map<String, String> values) {
        Map<String, NodeAddress> addresses = new HashMap<>();
        values.forEach((name, value) -> {
            if (DriverProperty.of(name).orElse(null) == DriverProperty.NODE) {
                addresses.put(DriverProperty.nodeName(name), address(name, value));
            }
        });
        return Map.copyOf(addresses);
    }

    private static NodeAddress address(String name, String value) {
        Matcher form = ADDRESS.matcher(value);
        int port = form.matches() ? port(form.group(2)) : 0;
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "invalid value \"" + value + "\" for property " + name + ": host:port/database is wanted");
        }
        String host = form.group(1).replaceAll("[\\[\\]]", "");
        return new NodeAddress(DriverProperty.nodeName(name), host, port, form.group(3));
    }

    private static int port(@Nullable String digits) {
        return digits == null ? 5432 : Integer.parseInt(digits);
    }

    private static String text(Map<String, String> values, DriverProperty property) {
        String value = values.get(property.key());
        String fallback = property.defaultValue();
        return value != null ? value : fallback == null ? "" : fallback;
    }

    private static Duration duration(Map<String, String> values, DriverProperty property) {
        String value = text(values, property);
        try {
            return Durations.parse(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "invalid value \"" + value + "\" for property " + property.key() + ": " + e.getMessage(), e);
        }
    }

    private static String choice(Map<String, String> values, DriverProperty property) {
        String value = text(values, property).toLowerCase(Locale.ROOT);
        if (!property.choices().contains(value)) {
            throw new IllegalArgumentException("invalid value \"" + value + "\" for property " + property.key()
                    + ": one of " + String.join(", ", property.choices()) + " is wanted");
        }
        return value;
    }
}
