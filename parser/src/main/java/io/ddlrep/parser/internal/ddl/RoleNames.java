package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads roles that a statement only names (RoleSpec in gram.y). Stateless. */
final class RoleNames {
    /** Stand for a role, or for all, and are no names unless they are quoted. */
    private static final Set<String> NO_NAMES = Set.of("CURRENT_ROLE", "CURRENT_USER", "PUBLIC", "SESSION_USER");

    /** Words of CREATE ROLE behind which roles follow. */
    private static final Set<String> LISTS = Set.of("ADMIN", "GROUP", "ROLE", "USER");

    private RoleNames() {}

    /** Reads one role, and gives its name; null where it is not given by name. */
    static @Nullable String name(Cursor cursor) {
        boolean named = !NO_NAMES.contains(cursor.word());
        String role = cursor.identifier();
        return named ? role : null;
    }

    /** Reads one role, and notes it where it is given by name. */
    static void read(Cursor cursor, Findings findings) {
        int start = cursor.index();
        String role = name(cursor);
        findings.missedUnless(cursor.index() > start);
        if (role != null) {
            findings.add(ObjectKind.ROLE, new ObjectName(null, role), ObjectRole.REFERENCED);
        }
    }

    /** Reads roles separated by commas. */
    static void list(Cursor cursor, Findings findings) {
        do {
            cursor.accept("GROUP");
            read(cursor, findings);
        } while (cursor.accept(','));
    }

    /** Reads the options of CREATE ROLE, of which IN ROLE, ROLE, USER and ADMIN name others. */
    static void options(Cursor cursor, Findings findings) {
        while (!cursor.done()) {
            boolean list = LISTS.contains(cursor.word());
            cursor.skip();
            if (list) {
                list(cursor, findings);
            }
        }
    }
}
