package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.TokenType;
import io.ddlrep.parser.internal.Cursor;
import java.util.Set;

/**
 * Reads a column's definition behind its name: type, options and column constraints (columnDef, ColConstraint in
 * gram.y). Also the constraints of a domain. One thread at a time.
 */
final class ColumnReader {
    /** Words that cannot go on with a DEFAULT's expression (b_expr), so the next column constraint begins. */
    private static final Set<String> ENDS_DEFAULT = Set.of(
            "CONSTRAINT",
            "NOT",
            "NULL",
            "UNIQUE",
            "PRIMARY",
            "CHECK",
            "REFERENCES",
            "DEFAULT",
            "GENERATED",
            "COLLATE",
            "DEFERRABLE",
            "INITIALLY",
            "ENFORCED");

    private final Cursor cursor;
    private final Findings findings;
    private final Place defaultPlace;

    ColumnReader(Cursor cursor, Findings findings, Place defaultPlace) {
        this.cursor = cursor;
        this.findings = findings;
        this.defaultPlace = defaultPlace;
    }

    /** Reads all of a column behind its name, up to a comma. */
    void definition(String column) {
        if (Types.isSerial(Types.read(cursor, findings))) {
            findings.fact(DdlFact.SEQUENCE_COLUMN);
        }
        constraints(column);
    }

    /** Reads options and constraints up to a comma. */
    void constraints(String column) {
        while (!cursor.done() && !cursor.atSymbol(',')) {
            if (!constraint(column)) {
                findings.missed();
                cursor.skipTo(',');
            }
        }
    }

    private boolean constraint(String column) {
        String word = cursor.word();
        cursor.skip();
        switch (word) {
            case "CONSTRAINT" -> cursor.identifier();
            case "NOT", "NULL", "DEFERRABLE", "INITIALLY", "DEFERRED", "IMMEDIATE", "ENFORCED", "NO", "VALID" -> {}
            case "INHERIT" -> {}
            case "PRIMARY" -> cursor.accept("KEY");
            case "UNIQUE" -> nullsDistinct();
            case "WITH" -> cursor.skipGroup();
            case "USING" -> tablespaceOrMethod();
            case "STORAGE", "COMPRESSION" -> cursor.identifier();
            case "COLLATE" -> cursor.name();
            case "OPTIONS" -> cursor.skipGroup();
            case "CHECK" -> check(column);
            case "DEFAULT" -> defaultValue(column);
            case "GENERATED" -> generated(column);
            case "REFERENCES" -> references(cursor, findings);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void nullsDistinct() {
        if (cursor.accept("NULLS")) {
            cursor.accept("NOT");
            cursor.accept("DISTINCT");
        }
    }

    private void tablespaceOrMethod() {
        if (cursor.accept("INDEX", "TABLESPACE")) {
            findings.add(ObjectKind.TABLESPACE, cursor.name(), ObjectRole.REFERENCED);
        } else {
            cursor.identifier();
        }
    }

    private void check(String column) {
        int open = cursor.index();
        int close = cursor.closing();
        findings.expression(Place.CHECK, column, open + 1, close);
        cursor.skipGroup();
    }

    private void defaultValue(String column) {
        int from = cursor.index();
        cursor.skipItem();
        while (!cursor.done() && !cursor.atSymbol(',') && !endsDefault()) {
            cursor.skipItem();
        }
        findings.expression(defaultPlace, column, from, cursor.index());
    }

    /** After an operator or a dot, an operand must follow; IS NOT and IS NULL belong to the expression. */
    private boolean endsDefault() {
        if (!ENDS_DEFAULT.contains(cursor.word())) {
            return false;
        }
        int before = cursor.index() - 1;
        TokenType type = cursor.tokens().type(before);
        boolean wantsMore = type == TokenType.OPERATOR
                || cursor.tokens().isSymbol(before, '.')
                || cursor.tokens().isText(before, "::")
                || cursor.tokens().isWord(before, "IS");
        return !wantsMore;
    }

    private void generated(String column) {
        if (!cursor.accept("ALWAYS")) {
            cursor.accept("BY", "DEFAULT");
        }
        cursor.accept("AS");
        if (cursor.accept("IDENTITY")) {
            findings.fact(DdlFact.SEQUENCE_COLUMN);
            cursor.skipGroup();
            return;
        }
        int open = cursor.index();
        findings.expression(Place.GENERATED, column, open + 1, cursor.closing());
        cursor.skipGroup();
        cursor.acceptAny("STORED", "VIRTUAL");
    }

    /** REFERENCES parent [(columns)] [MATCH …] [ON DELETE …] [ON UPDATE …], behind its first word. */
    static void references(Cursor cursor, Findings findings) {
        findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.REFERENCED);
        cursor.skipGroup();
        if (cursor.accept("MATCH")) {
            cursor.skip();
        }
        while (cursor.accept("ON")) {
            cursor.acceptAny("DELETE", "UPDATE");
            if (cursor.accept("SET")) {
                cursor.acceptAny("NULL", "DEFAULT");
                cursor.skipGroup();
            } else if (!cursor.accept("NO", "ACTION")) {
                cursor.acceptAny("CASCADE", "RESTRICT");
            }
        }
    }
}
