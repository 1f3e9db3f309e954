package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import org.jspecify.annotations.Nullable;

/** Reads GRANT and REVOKE of privileges and of roles, and ALTER DEFAULT PRIVILEGES. Stateless. */
final class GrantReader {
    private GrantReader() {}

    /** Reads behind GRANT or REVOKE. */
    static void read(Cursor cursor, Findings findings) {
        int start = cursor.index();
        while (!cursor.done() && !cursor.at("ON") && !cursor.at("TO") && !cursor.at("FROM")) {
            cursor.skipItem();
        }
        if (!cursor.accept("ON")) {
            cursor.moveTo(start);
            roles(cursor, findings);
            return;
        }
        privileges(cursor, findings);
        grantees(cursor, findings);
    }

    private static void privileges(Cursor cursor, Findings findings) {
        if (cursor.at("ALL") && (cursor.at(2, "IN") || cursor.at(1, "TABLES"))) {
            cursor.skipToWord("SCHEMA");
            cursor.skip();
            findings.names(cursor, ObjectKind.SCHEMA, ObjectRole.ALTERED);
            findings.missed();
            return;
        }
        ObjectKind kind = kind(cursor);
        do {
            Targets.read(cursor, kind, ObjectRole.ALTERED, findings);
        } while (cursor.accept(','));
    }

    /** A kind is optional for tables; a table may have the name of a kind. */
    private static ObjectKind kind(Cursor cursor) {
        boolean plainName =
                cursor.atSymbol(1, '.') || cursor.atSymbol(1, ',') || cursor.at(1, "TO") || cursor.at(1, "FROM");
        ObjectKind kind = plainName ? null : ObjectKinds.read(cursor);
        return kind == null ? ObjectKind.TABLE : kind;
    }

    private static void grantees(Cursor cursor, Findings findings) {
        findings.missedUnless(cursor.acceptAny("TO", "FROM"));
        RoleNames.list(cursor, findings);
        tail(cursor, findings);
    }

    private static void tail(Cursor cursor, Findings findings) {
        if (cursor.accept("WITH")) {
            while (!cursor.done() && !cursor.at("GRANTED")) {
                cursor.skip();
            }
        }
        if (cursor.accept("GRANTED", "BY")) {
            RoleNames.read(cursor, findings);
        }
        AlterAction.behaviour(cursor, findings);
        findings.missedUnless(cursor.done());
    }

    private static void roles(Cursor cursor, Findings findings) {
        findings.ofRoles();
        if (cursor.at(1, "OPTION") && cursor.at(2, "FOR")) {
            cursor.moveTo(cursor.index() + 3);
        }
        findings.names(cursor, ObjectKind.ROLE, ObjectRole.ALTERED);
        findings.missedUnless(cursor.acceptAny("TO", "FROM"));
        findings.names(cursor, ObjectKind.ROLE, ObjectRole.ALTERED);
        tail(cursor, findings);
    }

    /** [FOR ROLE …] [IN SCHEMA …] { GRANT | REVOKE } …. Changes what later CREATEs do. */
    static void defaults(Cursor cursor, Findings findings) {
        findings.add(ObjectKind.DEFAULT_PRIVILEGES, new ObjectName(null, "default privileges"), ObjectRole.ALTERED);
        while (cursor.acceptAny("FOR", "IN")) {
            ObjectKind kind = cursor.accept("SCHEMA") ? ObjectKind.SCHEMA : role(cursor);
            if (kind == null) {
                findings.missed();
                return;
            }
            if (kind == ObjectKind.ROLE) {
                RoleNames.list(cursor, findings);
            } else {
                findings.names(cursor, kind, ObjectRole.REFERENCED);
            }
        }
        findings.missedUnless(cursor.at("GRANT") || cursor.at("REVOKE"));
        while (!cursor.done()) {
            if (cursor.accept("CASCADE")) {
                findings.fact(DdlFact.CASCADE);
            } else if (cursor.acceptAny("TO", "FROM")) {
                RoleNames.list(cursor, findings);
            } else {
                cursor.skip();
            }
        }
    }

    private static @Nullable ObjectKind role(Cursor cursor) {
        return cursor.acceptAny("ROLE", "USER") ? ObjectKind.ROLE : null;
    }
}
