package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;

/** Reads DROP. Stateless. */
final class DropReader {
    private DropReader() {}

    /** [CONCURRENTLY] [IF EXISTS] name [, …] [CASCADE | RESTRICT], behind the kind. */
    static void read(Cursor cursor, Findings findings, ObjectKind kind) {
        if (kind == ObjectKind.INDEX && cursor.accept("CONCURRENTLY")) {
            findings.fact(DdlFact.CONCURRENTLY);
        }
        if (cursor.accept("IF", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        do {
            Targets.read(cursor, kind, ObjectRole.DROPPED, findings);
        } while (cursor.accept(','));
        if (kind == ObjectKind.DATABASE) {
            cursor.accept("WITH");
            cursor.skipGroup();
        }
        AlterAction.behaviour(cursor, findings);
        // members of an extension go with it, and no name tells which they are
        findings.missedUnless(cursor.done() && kind != ObjectKind.EXTENSION);
    }

    /** DROP OWNED BY role [, …], REASSIGN OWNED BY role [, …] TO role: everything that these roles own. */
    static void owned(Cursor cursor, Findings findings) {
        cursor.accept("BY");
        findings.names(cursor, ObjectKind.ROLE, ObjectRole.ALTERED);
        if (cursor.accept("TO")) {
            RoleNames.read(cursor, findings);
        }
        AlterAction.behaviour(cursor, findings);
        findings.missed();
    }
}
