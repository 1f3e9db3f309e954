package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.internal.Cursor;
import org.jspecify.annotations.Nullable;

/** Reads CREATE TABLE, CREATE FOREIGN TABLE and CREATE TABLE AS behind their words. One thread at a time. */
final class TableReader {
    private final Cursor cursor;
    private final Findings findings;

    TableReader(Cursor cursor, Findings findings) {
        this.cursor = cursor;
        this.findings = findings;
    }

    void read(ObjectKind kind) {
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        findings.add(kind, cursor.name(), ObjectRole.CREATED);
        int definition = cursor.index();
        if (kind == ObjectKind.TABLE && cursor.skipToWord("AS")) {
            findings.command(SqlCommand.CREATE_TABLE_AS);
            Cursor clauses = cursor.over(definition, cursor.index());
            if (clauses.skipToWord("TABLESPACE")) {
                clauses.skip();
                findings.add(ObjectKind.TABLESPACE, clauses.name(), ObjectRole.REFERENCED);
            }
            cursor.skip();
            query(cursor, findings);
            return;
        }
        cursor.moveTo(definition);
        boolean typed = source();
        if (cursor.atSymbol('(')) {
            elements(cursor.over(cursor.index() + 1, cursor.closing()), typed);
            cursor.skipGroup();
        } else {
            findings.missedUnless(typed);
        }
        while (!cursor.done()) {
            clause();
        }
    }

    /** The query of CREATE TABLE AS or a materialized view: what it reads, and WITH NO DATA. */
    static void query(Cursor cursor, Findings findings) {
        findings.fact(DdlFact.ROWS_FROM_QUERY);
        int end = cursor.limit();
        if (cursor.over(end - 3, end).accept("WITH", "NO", "DATA")) {
            findings.fact(DdlFact.WITH_NO_DATA);
        }
        if (cursor.at("EXECUTE")) {
            findings.missed();
        } else {
            new QueryRelations(cursor.over(cursor.index(), end), findings).read();
        }
        cursor.skipAll();
    }

    /** OF type, or PARTITION OF parent: then columns come without types. */
    private boolean source() {
        if (cursor.accept("PARTITION", "OF")) {
            findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.REFERENCED);
            return true;
        }
        if (cursor.accept("OF")) {
            findings.add(ObjectKind.TYPE, cursor.name(), ObjectRole.REFERENCED);
            return true;
        }
        return false;
    }

    private void elements(Cursor list, boolean typed) {
        while (!list.done()) {
            element(list, typed);
            if (!list.accept(',')) {
                findings.missedUnless(list.done());
                return;
            }
        }
    }

    private void element(Cursor list, boolean typed) {
        if (list.accept("LIKE")) {
            findings.add(ObjectKind.TABLE, list.name(), ObjectRole.REFERENCED);
            while (list.acceptAny("INCLUDING", "EXCLUDING")) {
                list.skip();
            }
        } else if (ConstraintReader.startsHere(list)) {
            new ConstraintReader(list, findings).read(null);
        } else {
            column(list, list.identifier(), typed);
        }
    }

    private void column(Cursor list, @Nullable String name, boolean typed) {
        if (name == null) {
            findings.missed();
            list.skipTo(',');
            return;
        }
        ColumnReader reader = new ColumnReader(list, findings, Place.ADD_COLUMN_DEFAULT);
        if (typed) {
            list.accept("WITH", "OPTIONS");
            reader.constraints(name);
        } else {
            reader.definition(name);
        }
    }

    private void clause() {
        String word = cursor.word();
        cursor.skipItem();
        switch (word) {
            case "INHERITS" -> inherits();
            case "PARTITION" -> {
                cursor.accept("BY");
                cursor.identifier();
                if (cursor.atSymbol('(')) {
                    Cursor keys = cursor.over(cursor.index() + 1, cursor.closing());
                    IndexReader.elements(keys, Place.PARTITION_KEY, findings);
                }
                cursor.skipGroup();
            }
            case "FOR" -> bounds(cursor, findings);
            case "DEFAULT", "WITHOUT" -> cursor.accept("OIDS");
            case "WITH", "OPTIONS" -> cursor.skipGroup();
            case "USING" -> cursor.identifier();
            case "TABLESPACE" -> findings.add(ObjectKind.TABLESPACE, cursor.name(), ObjectRole.REFERENCED);
            case "SERVER" -> findings.add(ObjectKind.SERVER, cursor.name(), ObjectRole.REFERENCED);
            case "ON" -> {
                cursor.accept("COMMIT");
                while (cursor.acceptAny("PRESERVE", "DELETE", "ROWS", "DROP")) {}
            }
            default -> findings.missed();
        }
    }

    private void inherits() {
        if (cursor.atSymbol('(')) {
            Cursor parents = cursor.over(cursor.index() + 1, cursor.closing());
            if (!parents.done()) {
                findings.names(parents, ObjectKind.TABLE, ObjectRole.ALTERED);
            }
            cursor.skipGroup();
        }
    }

    /** FOR VALUES IN (…) | FROM (…) TO (…) | WITH (…). */
    static void bounds(Cursor cursor, Findings findings) {
        cursor.accept("VALUES");
        while (cursor.at("IN") || cursor.at("FROM") || cursor.at("TO") || cursor.at("WITH")) {
            boolean values = !cursor.at("WITH");
            cursor.skip();
            if (values && cursor.atSymbol('(')) {
                Cursor list = cursor.over(cursor.index() + 1, cursor.closing());
                while (!list.done()) {
                    int from = list.index();
                    boolean open = list.acceptAny("MINVALUE", "MAXVALUE");
                    list.skipTo(',');
                    if (!open || list.index() > from + 1) {
                        findings.expression(Place.PARTITION_BOUND, "", from, list.index());
                    }
                    list.accept(',');
                }
            }
            cursor.skipGroup();
        }
    }

    /** Whether the word here is the name itself: {@code INTO temp FROM …} makes a table called temp. */
    private static boolean endsName(Cursor target) {
        return !QueryRelations.isName(target.over(target.index() + 1, target.limit()));
    }

    /** SELECT … INTO [TEMP | UNLOGGED] [TABLE] name. */
    static void selectInto(Cursor cursor, int into, Findings findings) {
        Cursor target = cursor.over(into + 1, cursor.limit());
        while (!endsName(target) && target.acceptAny("LOCAL", "GLOBAL", "TEMP", "TEMPORARY", "UNLOGGED")) {
            String word = target.tokens().word(target.index() - 1);
            if (word.startsWith("TEMP")) {
                findings.fact(DdlFact.TEMPORARY);
            } else if (word.equals("UNLOGGED")) {
                findings.fact(DdlFact.UNLOGGED);
            }
        }
        if (target.at("TABLE") && !target.atSymbol(1, '.')) {
            target.skip();
        }
        ObjectName name = target.name();
        findings.add(ObjectKind.TABLE, name, ObjectRole.CREATED);
        findings.fact(DdlFact.ROWS_FROM_QUERY);
        new QueryRelations(cursor.over(cursor.index(), into), findings).read();
        new QueryRelations(target, findings).read();
    }
}
