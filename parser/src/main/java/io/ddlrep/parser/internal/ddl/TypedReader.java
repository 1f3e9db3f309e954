package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.internal.Cursor;
import java.util.Set;

/**
 * Notes the types that CREATE FUNCTION, TYPE, AGGREGATE, OPERATOR and OPERATOR CLASS, and ALTER TYPE name behind the object's
 * own name, and the roles that CREATE ROLE does. Stateless.
 */
final class TypedReader {
    /** Options of a definition list whose value is a type. */
    private static final Set<String> TYPE_OPTIONS =
            Set.of("SUBTYPE", "STYPE", "MSTYPE", "BASETYPE", "LEFTARG", "RIGHTARG", "LIKE", "ELEMENT");

    private TypedReader() {}

    static void created(Cursor cursor, Findings findings, ObjectKind kind) {
        switch (kind) {
            case FUNCTION, PROCEDURE -> returns(cursor, findings);
            case TYPE -> {
                if (cursor.accept("AS") && cursor.atSymbol('(')) {
                    attributes(cursor.over(cursor.index() + 1, cursor.closing()), findings);
                }
                options(cursor, findings);
            }
            case AGGREGATE, OPERATOR -> options(cursor, findings);
            case ROLE -> RoleNames.options(cursor, findings);
            case OPERATOR_CLASS -> {
                cursor.skipToWord("FOR");
                if (cursor.accept("FOR", "TYPE")) {
                    Types.read(cursor, findings);
                }
            }
            default -> {}
        }
    }

    /** RETURNS [SETOF] type, or RETURNS TABLE (name type, …); RETURNS NULL ON NULL INPUT is no type. */
    private static void returns(Cursor cursor, Findings findings) {
        if (!cursor.accept("RETURNS")) {
            return;
        }
        if (cursor.accept("TABLE") && cursor.atSymbol('(')) {
            attributes(cursor.over(cursor.index() + 1, cursor.closing()), findings);
        } else if (!cursor.at("NULL")) {
            Types.read(cursor, findings);
        }
    }

    /** name type [COLLATE …], …. */
    private static void attributes(Cursor list, Findings findings) {
        while (!list.done()) {
            list.identifier();
            Types.read(list, findings);
            list.skipTo(',');
            list.accept(',');
        }
    }

    private static void options(Cursor cursor, Findings findings) {
        Cursor all = cursor.over(0, cursor.limit());
        while (!all.done()) {
            String option = all.word();
            all.skip();
            if (TYPE_OPTIONS.contains(option) && all.acceptText("=")) {
                Types.read(all, findings);
            }
        }
    }

    /** ADD ATTRIBUTE name type, ALTER ATTRIBUTE name [SET DATA] TYPE type; reads without moving the cursor. */
    static void altered(Cursor cursor, Findings findings) {
        Cursor at = cursor.over(cursor.index(), cursor.limit());
        while (!at.done()) {
            if (at.accept("ADD", "ATTRIBUTE")) {
                at.identifier();
                Types.read(at, findings);
            } else if (at.accept("ALTER", "ATTRIBUTE")) {
                at.identifier();
                at.accept("SET", "DATA");
                if (at.accept("TYPE")) {
                    Types.read(at, findings);
                }
            } else {
                at.skipItem();
            }
        }
    }
}
