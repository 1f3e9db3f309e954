package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.TokenType;
import io.ddlrep.parser.internal.Cursor;
import org.jspecify.annotations.Nullable;

/** Reads ALTER TABLE … ALTER [COLUMN], up to a comma. One thread at a time. */
final class AlterColumn {
    private final Cursor cursor;
    private final Findings findings;
    private final ObjectName table;

    AlterColumn(Cursor cursor, Findings findings, ObjectName table) {
        this.cursor = cursor;
        this.findings = findings;
        this.table = table;
    }

    void read() {
        cursor.accept("COLUMN");
        String column = column();
        findings.addPart(ObjectKind.COLUMN, column, ObjectRole.ALTERED, table);
        if (column == null) {
            return;
        }
        if (cursor.accept("SET", "DATA", "TYPE") || cursor.accept("TYPE")) {
            type(column);
        } else if (cursor.accept("SET", "DEFAULT")) {
            int from = cursor.index();
            cursor.skipTo(',');
            findings.expression(Place.SET_DEFAULT, column, from, cursor.index());
        } else if (cursor.accept("SET", "EXPRESSION")) {
            cursor.accept("AS");
            findings.fact(DdlFact.ROW_SHAPE);
            findings.expression(Place.GENERATED, column, cursor.index() + 1, cursor.closing());
            cursor.skipGroup();
        } else if (cursor.accept("DROP")) {
            dropped();
        } else if (cursor.accept("ADD", "GENERATED")) {
            findings.fact(DdlFact.SEQUENCE_COLUMN);
            cursor.skipTo(',');
        } else if (cursor.accept("RESET") || cursor.accept("OPTIONS")) {
            findings.missedUnless(cursor.skipGroup());
        } else {
            findings.missedUnless(cursor.at("SET") || cursor.at("RESTART"));
            cursor.skipTo(',');
        }
    }

    /** A name, or the number of an index's column. */
    private @Nullable String column() {
        if (cursor.type() != TokenType.NUMBER) {
            return cursor.identifier();
        }
        cursor.skip();
        return cursor.tokens().text(cursor.index() - 1);
    }

    private void type(String column) {
        findings.fact(DdlFact.COLUMN_TYPE);
        findings.fact(DdlFact.ROW_SHAPE);
        int from = cursor.index();
        Types.read(cursor, findings);
        findings.missedUnless(cursor.index() > from);
        if (cursor.accept("COLLATE")) {
            cursor.name();
        }
        if (cursor.accept("USING")) {
            int using = cursor.index();
            cursor.skipTo(',');
            findings.expression(Place.USING, column, using, cursor.index());
        } else if (cursor.accept("OPTIONS")) {
            cursor.skipGroup();
        }
        AlterAction.behaviour(cursor, findings);
    }

    private void dropped() {
        findings.missedUnless(
                cursor.accept("DEFAULT") || cursor.accept("NOT", "NULL") || cursor.acceptAny("EXPRESSION", "IDENTITY"));
        if (cursor.accept("IF", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
    }
}
