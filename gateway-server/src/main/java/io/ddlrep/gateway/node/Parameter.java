package io.ddlrep.gateway.node;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value on its way to a server: its type and its text form. Immutable. */
final class Parameter {
    private static final int BOOL = 16;
    private static final int BYTEA = 17;
    private static final int INT8 = 20;
    private static final int INT4 = 23;
    private static final int VARCHAR = 1043;
    private static final int TEXT_ARRAY = 1009;

    private final int type;
    private final byte @Nullable [] text;

    private Parameter(int type, byte @Nullable [] text) {
        this.type = type;
        this.text = text;
    }

    /** The type's oid, 0 where the server is to find out. */
    int type() {
        return type;
    }

    /** The text form, or null; not to be changed. */
    byte @Nullable [] text() {
        return text;
    }

    /** A value as {@link io.ddlrep.engine.node.NodeSession} takes it; the types are those that pgjdbc would send. */
    static Parameter of(@Nullable Object value) {
        if (value == null) {
            return new Parameter(0, null);
        }
        if (value instanceof String text) {
            return new Parameter(VARCHAR, bytes(text));
        }
        if (value instanceof Long number) {
            return new Parameter(INT8, bytes(number.toString()));
        }
        if (value instanceof Integer number) {
            return new Parameter(INT4, bytes(number.toString()));
        }
        if (value instanceof Boolean flag) {
            return new Parameter(BOOL, bytes(flag.toString()));
        }
        if (value instanceof byte[] raw) {
            return new Parameter(BYTEA, bytes("\\x" + HexFormat.of().formatHex(raw)));
        }
        if (value instanceof List<?> list) {
            return new Parameter(TEXT_ARRAY, bytes(array(list)));
        }
        throw new IllegalArgumentException("no parameter of a session can be a " + value.getClass());
    }

    private static String array(List<?> list) {
        StringBuilder text = new StringBuilder("{");
        for (Object element : list) {
            text.append(text.length() == 1 ? "" : ",");
            if (element == null) {
                text.append("NULL");
            } else {
                String escaped = element.toString().replace("\\", "\\\\").replace("\"", "\\\"");
                text.append('"').append(escaped).append('"');
            }
        }
        return text.append('}').toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Its type alone: values may be secret. */
    @Override
    public String toString() {
        return "Parameter[" + type + "]";
    }
}
