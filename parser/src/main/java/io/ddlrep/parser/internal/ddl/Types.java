package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.internal.Cursor;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Passes over type names (Typename in gram.y). Stateless. */
final class Types {
    private static final Set<String> SERIAL =
            Set.of("serial", "serial2", "serial4", "serial8", "bigserial", "smallserial");
    private static final Set<String> FIELDS = Set.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

    private Types() {}

    /** Reads a whole type and gives its name; null where none stands here. */
    static @Nullable ObjectName read(Cursor cursor) {
        cursor.accept("SETOF");
        ObjectName name = cursor.name();

        if (name != null && name.schema() == null) {
            words(cursor, name.name());
        }
        cursor.skipGroup();
        if (cursor.accept("WITH", "TIME", "ZONE") || cursor.accept("WITHOUT", "TIME", "ZONE")) {
            cursor.skipGroup();
        }
        if (cursor.accept("ARRAY")) {
            cursor.skipGroup();
        }
        while (cursor.atSymbol('[')) {
            cursor.skipGroup();
        }
        return name;
    }

    private static void words(Cursor cursor, String first) {
        if (first.equals("national")) {
            cursor.acceptAny("CHARACTER", "CHAR");
        }
        cursor.acceptAny("VARYING", "PRECISION");
        if (first.equals("interval")) {
            while (FIELDS.contains(cursor.word()) || cursor.at("TO")) {
                cursor.skip();
            }
        }
    }

    /** Whether the type makes a sequence. */
    static boolean isSerial(@Nullable ObjectName type) {
        return type != null && type.schema() == null && SERIAL.contains(type.name());
    }
}
