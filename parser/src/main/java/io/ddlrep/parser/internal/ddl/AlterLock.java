package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.internal.Cursor;
import java.util.Optional;

/**
 * Which lock the server takes for a sub-command of ALTER TABLE (AlterTableGetLockLevel in tablecmds.c, 14 to 18; the levels of
 * storage parameters in reloptions.c); weakest first. Triggers of users have the strongest here, for the reason that
 * foreign keys have whose actions write.
 */
enum AlterLock {
    /** Others read and write. */
    SHARE_UPDATE_EXCLUSIVE,
    /** Others read. */
    SHARE_ROW_EXCLUSIVE,
    /** Nobody does anything. */
    ACCESS_EXCLUSIVE;

    /** Of two sub-commands the stronger one. */
    AlterLock and(AlterLock other) {
        return compareTo(other) > 0 ? this : other;
    }

    /** What a statement of such sub-commands alone is known by. */
    Optional<DdlFact> fact() {
        return switch (this) {
            case SHARE_UPDATE_EXCLUSIVE -> Optional.of(DdlFact.LETS_WRITE);
            case SHARE_ROW_EXCLUSIVE -> Optional.of(DdlFact.LETS_READ);
            case ACCESS_EXCLUSIVE -> Optional.empty();
        };
    }

    /** That of the sub-command which begins there. */
    static AlterLock of(Cursor cursor) {
        boolean weak = switch (cursor.word()) {
            case "VALIDATE" -> true;
            case "CLUSTER" -> cursor.at(1, "ON");
            case "SET" -> cursor.at(1, "WITHOUT") ? cursor.at(2, "CLUSTER") : parameters(cursor);
            case "RESET" -> parameters(cursor);
            case "ALTER" -> column(cursor, cursor.at(1, "COLUMN") ? 3 : 2);
            default -> false;
        };
        if (weak) {
            return SHARE_UPDATE_EXCLUSIVE;
        }
        return foreignKey(cursor) ? SHARE_ROW_EXCLUSIVE : ACCESS_EXCLUSIVE;
    }

    /** A foreign key, but for one whose actions write: the triggers that capture rows depend on whether there are any. */
    private static boolean foreignKey(Cursor cursor) {
        if (!cursor.at("ADD")
                || !(cursor.at(1, "FOREIGN") || (cursor.at(1, "CONSTRAINT") && cursor.at(3, "FOREIGN")))) {
            return false;
        }
        Cursor rest = cursor.over(cursor.index(), cursor.limit());
        while (!rest.done() && !rest.atSymbol(',')) {
            if (rest.at("ON") && (rest.at(2, "SET") || (rest.at(1, "UPDATE") && rest.at(2, "CASCADE")))) {
                return false;
            }
            rest.skipItem();
        }
        return true;
    }

    /** Storage parameters, but for the one that changes how rows are written. */
    private static boolean parameters(Cursor cursor) {
        if (!cursor.atSymbol(1, '(')) {
            return false;
        }
        Cursor list = cursor.over(cursor.index() + 2, cursor.closing());
        return !list.skipToWord("USER_CATALOG_TABLE");
    }

    /** SET STATISTICS, and options of a column. */
    private static boolean column(Cursor cursor, int ahead) {
        return cursor.at(ahead, "SET")
                ? cursor.at(ahead + 1, "STATISTICS") || cursor.atSymbol(ahead + 1, '(')
                : cursor.at(ahead, "RESET") && cursor.atSymbol(ahead + 1, '(');
    }
}
