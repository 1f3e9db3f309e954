package io.ddlrep.driver;

import java.sql.DriverPropertyInfo;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The properties that the driver takes itself, in the URL or in {@link java.util.Properties}; all others go to pgjdbc.
 * Parsing, {@link java.sql.Driver#getPropertyInfo} and {@code docs/driver.md} are fed from here. Immutable.
 */
public enum DriverProperty {
    /** {@code ddlChangeTableLock}. */
    DDL_CHANGE_TABLE_LOCK("ddlChangeTableLock", "on", "on off", "Take the table's lock on every node before the DDL."),
    /** {@code lockWait}. */
    LOCK_WAIT("lockWait", "2min", "", "Total budget for all locks of an operation, such as 30s or 2min."),
    /** {@code lockSlice}. */
    LOCK_SLICE("lockSlice", "100ms", "", "Longest single wait in a lock queue; then release and try again."),
    /** {@code notices}. */
    NOTICES(
            "notices",
            "auto",
            "off summary steps auto",
            "What to tell as SQLWarnings: nothing, a line for each operation, a line for each step; auto is off here."),
    /** {@code nodeDown}. */
    NODE_DOWN(
            "nodeDown",
            "fail",
            "fail queue",
            "Whether DDL fails or goes on without a replica that cannot be reached, which replays it later."),
    /** {@code idleLimit}. */
    IDLE_LIMIT("idleLimit", "5min", "", "Longest idleness of a client between its replicated DDL and COMMIT."),
    /** {@code replicate}. */
    REPLICATE(
            "replicate",
            "on",
            "on off",
            "off keeps this connection's DDL on the origin; for members of the role ddlrep_local only."),
    /** {@code maintenance}. */
    MAINTENANCE(
            "maintenance",
            "local",
            "local all",
            "Where VACUUM, ANALYZE, CLUSTER without a table and REINDEX SCHEMA run in autocommit: here or on every node."),
    /** {@code serviceUser}. */
    SERVICE_USER(
            "serviceUser",
            null,
            "",
            "The service role. Without it: the client's own role where that is a superuser, else a running replicator."),
    /** {@code servicePassword}. */
    SERVICE_PASSWORD("servicePassword", null, "", "Password of the service role."),
    /** {@code applyPassword}. */
    APPLY_PASSWORD("applyPassword", null, "", "Password of the role ddlrep_apply; goes with the service role."),
    /** {@code requireGroup}. */
    REQUIRE_GROUP(
            "requireGroup",
            "false",
            "true false",
            "Refuse to connect where there is no ddlrep group, so that DDL cannot change one node alone."),
    /** {@code node.NAME}. */
    NODE("node.NAME", null, "", "Address of the node NAME as host:port/database, instead of the recorded one.");

    private static final String NODE_PREFIX = "node.";

    private final String key;
    private final @Nullable String defaultValue;
    /** Joined by a space. */
    private final String choices;

    private final String description;

    DriverProperty(String key, @Nullable String defaultValue, String choices, String description) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.choices = choices;
        this.description = description;
    }

    /** The name in URLs; {@code node.NAME} stands for any name. */
    public String key() {
        return key;
    }

    /** The default, or null where there is none. */
    public @Nullable String defaultValue() {
        return defaultValue;
    }

    /** The values that are allowed; empty where any is. */
    public List<String> choices() {
        return choices.isEmpty() ? List.of() : List.of(choices.split(" ", -1));
    }

    /** One sentence for people. */
    public String description() {
        return description;
    }

    /** Whether its value must not be shown. */
    public boolean isSecret() {
        return this == SERVICE_PASSWORD || this == APPLY_PASSWORD;
    }

    /**
     * The property of a name, or empty for one of pgjdbc's.
     *
     * @throws IllegalArgumentException for a name that differs from one of ours only in its case: pgjdbc would ignore it
     */
    static Optional<DriverProperty> of(String name) {
        if (name.startsWith(NODE_PREFIX) && name.length() > NODE_PREFIX.length()) {
            return Optional.of(NODE);
        }
        for (DriverProperty property : values()) {
            if (property != NODE && property.key.equalsIgnoreCase(name)) {
                if (!property.key.equals(name)) {
                    throw new IllegalArgumentException(
                            "unknown property " + name + ": did you mean " + property.key + "?");
                }
                return Optional.of(property);
            }
        }
        return Optional.empty();
    }

    /** The node's name in {@code node.NAME}. */
    static String nodeName(String name) {
        return name.substring(NODE_PREFIX.length()).toLowerCase(Locale.ROOT);
    }

    DriverPropertyInfo info(@Nullable String value) {
        DriverPropertyInfo info = new DriverPropertyInfo(key, value == null ? defaultValue : value);
        info.description = description;
        info.choices = choices.isEmpty() ? null : choices().toArray(new String[0]);
        return info;
    }
}
