package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads type names (Typename in gram.y). Stateless. */
final class Types {
    private static final Set<String> SERIAL =
            Set.of("serial", "serial2", "serial4", "serial8", "bigserial", "smallserial");
    private static final Set<String> FIELDS = Set.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

    private Types() {}

    /** Reads a whole type and gives its name; null where none stands here. */
    static @Nullable ObjectName read(Cursor cursor) {
        cursor.accept("SETOF");
        return rest(cursor, cursor.name());
    }

    /**
     * Reads a whole type, and notes it where it may be one that somebody has made: the row type of a relation is one too.
     *
     * @return its name; null where none stands here, or where it is given as {@code table.column%TYPE}
     */
    static @Nullable ObjectName read(Cursor cursor, Findings findings) {
        cursor.accept("SETOF");
        List<String> parts = cursor.parts();
        if (cursor.acceptText("%")) {
            boolean column = cursor.accept("TYPE") && parts.size() > 1;
            findings.add(
                    ObjectKind.TABLE,
                    column ? Cursor.nameOf(parts.subList(0, parts.size() - 1)) : null,
                    ObjectRole.REFERENCED);
            return null;
        }
        ObjectName name = rest(cursor, Cursor.nameOf(parts));
        if (name != null && !BuiltInTypes.contains(name)) {
            findings.add(ObjectKind.TYPE, name, ObjectRole.REFERENCED);
        }
        return name;
    }

    private static @Nullable ObjectName rest(Cursor cursor, @Nullable ObjectName name) {
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
