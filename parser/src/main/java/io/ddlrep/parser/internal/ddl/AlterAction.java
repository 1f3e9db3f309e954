package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;

/** Reads one sub-command of ALTER TABLE (alter_table_cmd in gram.y), up to a comma. One thread at a time. */
final class AlterAction {
    private final Cursor cursor;
    private final Findings findings;
    private final ObjectName table;
    private final ObjectKind kind;

    AlterAction(Cursor cursor, Findings findings, ObjectName table, ObjectKind kind) {
        this.cursor = cursor;
        this.findings = findings;
        this.table = table;
        this.kind = kind;
    }

    void read() {
        if (kind == ObjectKind.SEQUENCE && SequenceReader.option(cursor, findings)) {
            while (SequenceReader.option(cursor, findings)) {}
            return;
        }
        String word = cursor.word();
        cursor.skip();
        switch (word) {
            case "ADD" -> add();
            case "DROP" -> drop();
            case "ALTER" -> alter();
            case "VALIDATE" -> constraint();
            case "ATTACH", "DETACH" -> partition();
            case "INHERIT" -> findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.ALTERED);
            case "NO" -> no();
            case "OF" -> findings.add(ObjectKind.TYPE, cursor.name(), ObjectRole.REFERENCED);
            case "NOT" -> findings.missedUnless(cursor.accept("OF"));
            case "OWNER" -> owner();
            case "CLUSTER" -> findings.missedUnless(cursor.accept("ON") && cursor.identifier() != null);
            case "ENABLE", "DISABLE" -> enable();
            case "FORCE" -> findings.missedUnless(cursor.accept("ROW", "LEVEL", "SECURITY"));
            case "REPLICA" -> replicaIdentity();
            case "SET" -> set();
            case "RESET", "OPTIONS" -> findings.missedUnless(cursor.skipGroup());
            case "DEPENDS" -> dependsOnExtension();
            default -> findings.missed();
        }
    }

    private void add() {
        if (ConstraintReader.startsHere(cursor)) {
            new ConstraintReader(cursor, findings).read(table);
            return;
        }
        cursor.accept("COLUMN");
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        String column = cursor.identifier();
        if (column == null) {
            findings.missed();
            return;
        }
        findings.addPart(ObjectKind.COLUMN, column, ObjectRole.CREATED, table);
        findings.fact(DdlFact.ADD_COLUMN);
        findings.fact(DdlFact.ROW_SHAPE);
        new ColumnReader(cursor, findings, Place.ADD_COLUMN_DEFAULT).definition(column);
    }

    private void drop() {
        boolean constraint = cursor.accept("CONSTRAINT");
        if (!constraint) {
            cursor.accept("COLUMN");
            findings.fact(DdlFact.ROW_SHAPE);
        }
        if (cursor.accept("IF", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        ObjectKind part = constraint ? ObjectKind.CONSTRAINT : ObjectKind.COLUMN;
        findings.addPart(part, cursor.identifier(), ObjectRole.DROPPED, table);
        behaviour(cursor, findings);
    }

    /** [CASCADE | RESTRICT]. */
    static void behaviour(Cursor cursor, Findings findings) {
        if (cursor.accept("CASCADE")) {
            findings.fact(DdlFact.CASCADE);
        } else {
            cursor.accept("RESTRICT");
        }
    }

    private void alter() {
        if (cursor.at("CONSTRAINT") && !cursor.at(1, "SET") && !cursor.at(1, "TYPE")) {
            cursor.skip();
            findings.addPart(ObjectKind.CONSTRAINT, cursor.identifier(), ObjectRole.ALTERED, table);
            while (cursor.acceptAny("SET", "NOT", "DEFERRABLE", "INITIALLY", "DEFERRED", "IMMEDIATE", "ENFORCED", "NO")
                    || cursor.accept("INHERIT")) {}
            return;
        }
        new AlterColumn(cursor, findings, table).read();
    }

    private void constraint() {
        findings.missedUnless(cursor.accept("CONSTRAINT"));
        findings.addPart(ObjectKind.CONSTRAINT, cursor.identifier(), ObjectRole.ALTERED, table);
    }

    private void partition() {
        findings.missedUnless(cursor.accept("PARTITION"));
        findings.fact(DdlFact.PARTITION_CHANGE);
        findings.add(kind, cursor.name(), ObjectRole.ALTERED);
        if (cursor.accept("CONCURRENTLY")) {
            findings.fact(DdlFact.CONCURRENTLY);
        } else if (!cursor.accept("FINALIZE") && !cursor.accept("DEFAULT") && cursor.accept("FOR")) {
            TableReader.bounds(cursor, findings);
        }
    }

    private void no() {
        if (cursor.accept("INHERIT")) {
            findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.ALTERED);
        } else if (cursor.accept("DEPENDS")) {
            dependsOnExtension();
        } else {
            findings.missedUnless(cursor.accept("FORCE") && cursor.accept("ROW", "LEVEL", "SECURITY"));
        }
    }

    private void dependsOnExtension() {
        findings.missedUnless(cursor.accept("ON", "EXTENSION"));
        findings.add(ObjectKind.EXTENSION, cursor.name(), ObjectRole.REFERENCED);
    }

    private void owner() {
        findings.missedUnless(cursor.accept("TO"));
        RoleNames.read(cursor, findings);
    }

    private void enable() {
        if (cursor.accept("ROW", "LEVEL", "SECURITY")) {
            return;
        }
        cursor.acceptAny("REPLICA", "ALWAYS");
        ObjectKind part = cursor.at("RULE") ? ObjectKind.RULE : ObjectKind.TRIGGER;
        findings.missedUnless(cursor.acceptAny("TRIGGER", "RULE"));
        if (part == ObjectKind.TRIGGER && cursor.acceptAny("ALL", "USER")) {
            return;
        }
        findings.addPart(part, cursor.identifier(), ObjectRole.ALTERED, table);
    }

    private void replicaIdentity() {
        findings.missedUnless(cursor.accept("IDENTITY"));
        if (cursor.accept("USING", "INDEX")) {
            cursor.identifier();
        } else {
            findings.missedUnless(cursor.acceptAny("DEFAULT", "FULL", "NOTHING"));
        }
    }

    private void set() {
        if (cursor.accept("ACCESS", "METHOD")) {
            cursor.identifier();
        } else if (cursor.accept("TABLESPACE")) {
            findings.add(ObjectKind.TABLESPACE, cursor.name(), ObjectRole.REFERENCED);
        } else if (cursor.accept("UNLOGGED")) {
            findings.fact(DdlFact.UNLOGGED);
        } else if (cursor.accept("WITHOUT")) {
            findings.missedUnless(cursor.acceptAny("CLUSTER", "OIDS"));
        } else {
            findings.missedUnless(cursor.accept("LOGGED") || cursor.skipGroup());
        }
    }
}
