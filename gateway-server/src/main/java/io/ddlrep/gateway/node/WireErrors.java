package io.ddlrep.gateway.node;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The one place where an ErrorResponse becomes a {@link NodeException}. Stateless. */
final class WireErrors {
    private static final String LOST = "08006";

    private WireErrors() {}

    /** What the body of an ErrorResponse says. */
    static ServerError errorOf(byte[] body) {
        Map<Character, String> fields = fields(body);
        return new ServerError(
                fields.getOrDefault('C', "XX000"),
                fields.getOrDefault('M', "unknown error"),
                fields.get('D'),
                fields.get('H'),
                position(fields.getOrDefault('P', "")),
                fields.get('W'),
                fields.get('s'),
                fields.get('t'),
                fields.get('c'),
                fields.get('d'),
                fields.get('n'));
    }

    private static Map<Character, String> fields(byte[] body) {
        Map<Character, String> fields = new HashMap<>();
        int at = 0;
        while (at < body.length && body[at] != 0) {
            char type = (char) body[at];
            int end = at + 1;
            while (end < body.length && body[end] != 0) {
                end++;
            }
            fields.put(type, new String(body, at + 1, end - at - 1, StandardCharsets.UTF_8));
            at = end + 1;
        }
        return fields;
    }

    /** Whether the session ends by it; field V is never translated (since PostgreSQL 9.6). */
    static boolean isFatal(byte[] body) {
        String severity = fields(body).getOrDefault('V', "");
        return severity.equals("FATAL") || severity.equals("PANIC");
    }

    private static int position(String text) {
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    }

    /** For a connection that is gone. */
    static NodeException lost(String node, String why) {
        return new NodeException(node, ServerError.of(LOST, why), null);
    }
}
