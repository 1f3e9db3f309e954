package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.TokenType;
import io.ddlrep.parser.internal.Cursor;
import java.util.List;

/** Reads CREATE SEQUENCE and the options that ALTER SEQUENCE shares (SeqOptElem in gram.y). Stateless. */
final class SequenceReader {
    private SequenceReader() {}

    static void create(Cursor cursor, Findings findings) {
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        findings.add(ObjectKind.SEQUENCE, cursor.name(), ObjectRole.CREATED);
        while (option(cursor, findings)) {}
        findings.missedUnless(cursor.done());
    }

    /** Reads one option if one stands here. */
    static boolean option(Cursor cursor, Findings findings) {
        switch (cursor.word()) {
            case "AS" -> {
                cursor.skip();
                Types.read(cursor);
            }
            case "INCREMENT", "MINVALUE", "MAXVALUE", "START", "CACHE", "RESTART" -> {
                cursor.skip();
                cursor.acceptAny("BY", "WITH");
                number(cursor);
            }
            case "NO" -> {
                if (cursor.at(1, "INHERIT") || cursor.at(1, "FORCE") || cursor.at(1, "DEPENDS")) {
                    return false;
                }
                cursor.skip();
                cursor.acceptAny("MINVALUE", "MAXVALUE", "CYCLE");
            }
            case "CYCLE" -> cursor.skip();
            case "LOGGED" -> cursor.skip();
            case "UNLOGGED" -> {
                cursor.skip();
                findings.fact(DdlFact.UNLOGGED);
            }
            case "SEQUENCE" -> {
                cursor.skip();
                cursor.accept("NAME");
                cursor.name();
            }
            case "OWNED" -> {
                cursor.skip();
                owner(cursor, findings);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void number(Cursor cursor) {
        if (cursor.type() == TokenType.OPERATOR) {
            cursor.skip();
        }
        if (cursor.type() == TokenType.NUMBER) {
            cursor.skip();
        }
    }

    private static void owner(Cursor cursor, Findings findings) {
        cursor.accept("BY");
        if (cursor.accept("NONE")) {
            return;
        }
        List<String> parts = cursor.parts();
        int last = parts.size() - 1;
        ObjectName table = last < 1 ? null : Cursor.nameOf(parts.subList(0, last));
        findings.add(ObjectKind.TABLE, table, ObjectRole.REFERENCED);
        if (table != null) {
            findings.addPart(ObjectKind.COLUMN, parts.get(last), ObjectRole.REFERENCED, table);
        }
    }
}
