package io.ddlrep.engine.operation;

import io.ddlrep.engine.Durations;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the client's session says of itself before a DDL statement. Immutable.
 *
 * @param backend as {@code ddlrep.backend()} prints it
 * @param pid its process id
 * @param login the role that logged in
 * @param sessionUser session_user: another one where a superuser said SET SESSION AUTHORIZATION
 * @param role current_user
 * @param superuser whether that role is a superuser
 * @param setRole the setting {@code role}: {@code none} unless SET ROLE was used
 * @param address the client's address, or null for a Unix socket
 * @param isolation transaction isolation
 * @param readOnly the transaction is read-only
 * @param application application_name
 * @param quiet client_min_messages leaves no notices through
 * @param searchPath the setting
 * @param creationSchema where an unqualified new object would go, or null
 * @param schemas the schemas that are searched, in order, as the server prints an array of names
 * @param idleTimeout idle_in_transaction_session_timeout
 * @param lockTimeout lock_timeout
 * @param deadlockTimeout deadlock_timeout
 * @param jit jit
 * @param xid the transaction's id, or null while it has written nothing
 * @param snapshot what the session sees, taken before the statement's names were resolved
 * @param options the session's {@code ddlrep.*} settings that are set
 */
record ClientState(
        String backend,
        long pid,
        String login,
        String sessionUser,
        String role,
        boolean superuser,
        String setRole,
        @Nullable String address,
        String isolation,
        boolean readOnly,
        String application,
        boolean quiet,
        String searchPath,
        @Nullable String creationSchema,
        String schemas,
        String idleTimeout,
        String lockTimeout,
        String deadlockTimeout,
        String jit,
        @Nullable String xid,
        String snapshot,
        Map<String, String> options) {
    /** One row; sent in one message with other questions. */
    static final String SQL = SqlResource.text("sql/client_state.sql");

    private static final Set<String> QUIET = Set.of("warning", "error");
    private static final String SETTINGS = SqlResource.text("sql/client_settings.sql");

    static ClientState of(Row row) {
        return new ClientState(
                row.text("backend"),
                row.number("pid"),
                row.text("login"),
                row.text("session_user"),
                row.text("role"),
                row.text("superuser").equals("on"),
                row.text("set_role"),
                row.get("address"),
                row.text("isolation"),
                row.text("read_only").equals("on"),
                row.text("application"),
                QUIET.contains(row.text("min_messages")),
                row.text("search_path"),
                row.get("creation_schema"),
                row.text("schemas"),
                row.text("idle_timeout"),
                row.text("lock_timeout"),
                row.text("deadlock_timeout"),
                row.text("jit"),
                row.get("xid"),
                row.text("snapshot"),
                pairs(row.get("options")));
    }

    /** Settings that a companion must be told. */
    static Map<String, String> settings(NodeSession client) {
        return pairs(client.query(SETTINGS).get(0).get("settings"));
    }

    private static Map<String, String> pairs(@Nullable String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        if (text != null && !text.isEmpty()) {
            for (String pair : text.split("\u0001", -1)) {
                int equals = pair.indexOf('=');
                pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return pairs;
    }

    /** Whether the transaction sees one snapshot only. */
    boolean fixedSnapshot() {
        return !isolation.equals("read committed") && !isolation.equals("read uncommitted");
    }

    /**
     * The operation's settings: the session's own, else the face's.
     *
     * @throws IllegalArgumentException when a setting has a value that means nothing
     */
    OperationSettings settings(OperationSettings face) {
        return new OperationSettings(
                flag("ddl_change_table_lock", face.changeTableLock()),
                options.containsKey("lock_wait") ? Durations.parse(options.get("lock_wait")) : face.lockWait(),
                options.containsKey("lock_slice") ? Durations.parse(options.get("lock_slice")) : face.lockSlice(),
                choice("notices", OperationSettings.Notices.class, face.notices()),
                choice("node_down", OperationSettings.NodeDown.class, face.nodeDown()),
                options.containsKey("idle_limit") ? Durations.parse(options.get("idle_limit")) : face.idleLimit(),
                flag("replicate", face.replicate()),
                choice("maintenance", OperationSettings.Maintenance.class, face.maintenance()));
    }

    private boolean flag(String name, boolean otherwise) {
        String value = options.get(name);
        if (value == null || value.isEmpty()) {
            return otherwise;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on", "true", "yes", "1" -> true;
            case "off", "false", "no", "0" -> false;
            default -> throw new IllegalArgumentException("ddlrep." + name + " is on or off, not " + value);
        };
    }

    private <E extends Enum<E>> E choice(String name, Class<E> values, E otherwise) {
        String value = options.get(name);
        if (value == null || value.isEmpty()) {
            return otherwise;
        }
        for (E each : values.getEnumConstants()) {
            if (each.name().equalsIgnoreCase(value)) {
                return each;
            }
        }
        String known = Arrays.stream(values.getEnumConstants())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("ddlrep." + name + " is one of " + known + ", not " + value);
    }
}
