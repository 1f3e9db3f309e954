package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * Reads ALTER TABLE and its kin for indexes, views, sequences, materialized views and foreign tables: they share their
 * grammar (AlterTableStmt and RenameStmt in gram.y). One thread at a time.
 */
final class AlterRelationReader {
    private final Cursor cursor;
    private final Findings findings;
    private final ObjectKind kind;

    AlterRelationReader(Cursor cursor, Findings findings, ObjectKind kind) {
        this.cursor = cursor;
        this.findings = findings;
        this.kind = kind;
    }

    void read() {
        if (cursor.accept("ALL", "IN", "TABLESPACE")) {
            findings.add(ObjectKind.TABLESPACE, cursor.name(), ObjectRole.REFERENCED);
            findings.missed();
            return;
        }
        if (cursor.accept("IF", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        boolean parenthesised = cursor.accept("ONLY") && cursor.accept('(');
        ObjectName name = cursor.name();
        if (name == null) {
            findings.missed();
            return;
        }
        if (parenthesised) {
            cursor.accept(')');
        }
        cursor.acceptText("*");
        if (!renames(name)) {
            findings.add(kind, name, ObjectRole.ALTERED);
            actions(name);
        }
    }

    /** RENAME and SET SCHEMA stand alone, never in a list. */
    private boolean renames(ObjectName name) {
        if (cursor.accept("SET", "SCHEMA")) {
            String schema = cursor.identifier();
            moved(kind, name, schema == null ? null : new ObjectName(schema, name.name()));
            return true;
        }
        if (!cursor.accept("RENAME")) {
            return false;
        }
        if (cursor.accept("TO")) {
            String renamed = cursor.identifier();
            moved(kind, name, renamed == null ? null : new ObjectName(name.schema(), renamed));
            return true;
        }
        findings.add(kind, name, ObjectRole.ALTERED);
        boolean constraint = cursor.at("CONSTRAINT") && !cursor.at(1, "TO");
        if (constraint || (cursor.at("COLUMN") && !cursor.at(1, "TO"))) {
            cursor.skip();
        }
        ObjectKind part = constraint ? ObjectKind.CONSTRAINT : ObjectKind.COLUMN;
        findings.addPart(part, cursor.identifier(), ObjectRole.RENAMED, name);
        findings.missedUnless(cursor.accept("TO"));
        findings.addPart(part, cursor.identifier(), ObjectRole.CREATED, name);
        if (!constraint) {
            findings.fact(DdlFact.ROW_SHAPE);
        }
        end();
        return true;
    }

    private void moved(ObjectKind what, ObjectName from, @Nullable ObjectName to) {
        findings.add(ObjectRef.of(what, from, ObjectRole.RENAMED));
        findings.add(what, to, ObjectRole.CREATED);
        end();
    }

    private void actions(ObjectName name) {
        AlterAction action = new AlterAction(cursor, findings, name, kind);
        AlterLock lock = AlterLock.SHARE_UPDATE_EXCLUSIVE;
        do {
            lock = lock.and(kind == ObjectKind.TABLE ? AlterLock.of(cursor) : AlterLock.ACCESS_EXCLUSIVE);
            action.read();
            if (!cursor.done() && !cursor.atSymbol(',')) {
                findings.missed();
                cursor.skipTo(',');
            }
        } while (cursor.accept(','));
        end();
        lock.fact().ifPresent(findings::fact);
    }

    private void end() {
        findings.missedUnless(cursor.done());
    }
}
