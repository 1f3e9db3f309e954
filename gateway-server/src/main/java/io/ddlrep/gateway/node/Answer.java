package io.ddlrep.gateway.node;

import io.ddlrep.engine.node.Row;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one statement answered. Immutable.
 *
 * @param rows its rows; none where it gives none
 * @param tag its command tag
 */
record Answer(List<Row> rows, String tag) {
    /** Rows that it changed; 0 where it changes none. */
    long changed() {
        int space = tag.lastIndexOf(' ');
        String last = tag.substring(space + 1);
        return rows.isEmpty() && last.matches("[0-9]{1,18}") ? Long.parseLong(last) : 0;
    }

    /** Column names of a RowDescription. */
    static List<String> names(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        int count = in.getShort();
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int start = in.position();
            while (in.get() != 0) {
                // to the end of the name
            }
            names.add(new String(body, start, in.position() - start - 1, StandardCharsets.UTF_8));
            // Table, column, type, its size and modifier, format.
            in.position(in.position() + 18);
        }
        return names;
    }

    /** The values of a DataRow. */
    static Row row(List<String> names, byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        @Nullable String[] values = new String[in.getShort()];
        for (int i = 0; i < values.length; i++) {
            int length = in.getInt();
            if (length >= 0) {
                values[i] = new String(body, in.position(), length, StandardCharsets.UTF_8);
                in.position(in.position() + length);
            }
        }
        return new Row(names, values);
    }
}
