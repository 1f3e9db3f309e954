package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.NodeSession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a statement means depends on settings, on {@code search_path} and on the role, which a client may change between two
 * statements of one operation, also by going back to a savepoint. The companions follow before each statement. Stateless.
 *
 * <p>Crash before, during or after: the settings are those of open transactions.
 */
final class Environment {
    private static final String ROLE = "role";
    private static final String SESSION_USER = "session_authorization";

    /** First back to the login, which may set what the role may not; the session's user and the role come last. */
    private static final String SET = "SELECT pg_catalog.set_config('role', 'none', true);"
            + " SELECT pg_catalog.set_config(s.n, CASE WHEN s.given THEN s.v END, true)"
            + " FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::pg_catalog.bool[]) WITH ORDINALITY AS s(n, v, given, i)"
            + " ORDER BY s.i";

    private Environment() {}

    /** Ends SET SESSION AUTHORIZATION, which only the login may. */
    static final String AS_LOGIN = "SET LOCAL SESSION AUTHORIZATION DEFAULT; ";

    /** The client's environment, the session's user and the role last. */
    static Map<String, String> of(ClientState state, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("search_path", state.searchPath());
        // What a body names may stand on the origin alone, such as a temporary table; the origin has looked at it.
        all.put("check_function_bodies", "off");
        // Reads whatever the origin has read with either value; rows are copied in this session too.
        all.put("xmloption", "content");
        if (!state.sessionUser().equals(state.login())) {
            all.put(SESSION_USER, state.sessionUser());
        }
        all.put(ROLE, state.setRole());
        return all;
    }

    /** Sets the path and the role of one companion, whatever it was told before. */
    static void enter(NodeSession companion, String path, String role) {
        companion.query(SET, List.of("search_path", ROLE), List.of(path, role), List.of("true", "true"));
    }

    /** Tells the companions what has changed since they were told last. */
    static void follow(OperationContext context, NodeSession client, ClientState state) {
        Map<String, String> told = context.told();
        Map<String, String> now = of(state, ClientState.settings(client));
        if (now.equals(told)) {
            return;
        }
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<String> given = new ArrayList<>();
        for (String name : told.keySet()) {
            if (!now.containsKey(name) && !name.equals(SESSION_USER)) {
                names.add(name);
                values.add("");
                given.add("false");
            }
        }
        now.forEach((name, value) -> {
            if (name.equals(ROLE) || name.equals(SESSION_USER) || !value.equals(told.get(name))) {
                names.add(name);
                values.add(value);
                given.add("true");
            }
        });
        context.told(now);
        List<Runnable> tasks = new ArrayList<>();
        String set = told.containsKey(SESSION_USER) ? AS_LOGIN + SET : SET;
        context.companions().forEach(c -> tasks.add(() -> c.session().query(set, names, values, given)));
        context.services().fan().all(tasks);
    }
}
