package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import org.jspecify.annotations.Nullable;

/** Reads CREATE and ALTER of what is attached to a relation: triggers, rules, policies, statistics. Stateless. */
final class AttachedReader {
    private AttachedReader() {}

    /** name … ON table [FROM parent] … EXECUTE FUNCTION name(…). */
    static void createTrigger(Cursor cursor, Findings findings) {
        String name = cursor.identifier();
        ObjectName table = ownerBehind(cursor, "ON", findings);
        part(ObjectKind.TRIGGER, name, table, findings);
        if (cursor.accept("FROM")) {
            findings.add(ObjectKind.TABLE, cursor.name(), ObjectRole.REFERENCED);
        }
        while (!cursor.done() && !cursor.at("EXECUTE")) {
            if (cursor.accept("WHEN") && cursor.atSymbol('(')) {
                findings.expression(Place.TRIGGER, "", cursor.index() + 1, cursor.closing());
            }
            cursor.skipItem();
        }
        function(cursor, findings);
    }

    /** name ON event [WHEN …] EXECUTE FUNCTION name(). */
    static void createEventTrigger(Cursor cursor, Findings findings) {
        findings.add(ObjectKind.EVENT_TRIGGER, cursor.name(), ObjectRole.CREATED);
        findings.missedUnless(cursor.skipToWord("EXECUTE"));
        function(cursor, findings);
    }

    private static void function(Cursor cursor, Findings findings) {
        cursor.skip();
        findings.missedUnless(cursor.acceptAny("FUNCTION", "PROCEDURE"));
        findings.add(ObjectKind.FUNCTION, cursor.name(), ObjectRole.REFERENCED);
        cursor.skipGroup();
        findings.missedUnless(cursor.done());
    }

    /** name AS ON event TO table [WHERE …] DO …. */
    static void createRule(Cursor cursor, Findings findings) {
        String name = cursor.identifier();
        ObjectName table = ownerBehind(cursor, "TO", findings);
        part(ObjectKind.RULE, name, table, findings);
        int condition = cursor.accept("WHERE") ? cursor.index() : cursor.limit();
        if (!cursor.skipToWord("DO")) {
            findings.missed();
            return;
        }
        if (condition < cursor.index()) {
            findings.expression(Place.RULE, "", condition, cursor.index());
            new QueryRelations(cursor.over(condition, cursor.index()), findings).read();
        }
        cursor.skip();
        cursor.acceptAny("ALSO", "INSTEAD");
        new QueryRelations(cursor.over(cursor.index(), cursor.limit()), findings).read();
        cursor.skipAll();
    }

    /** name ON table …. */
    static void createPolicy(Cursor cursor, Findings findings) {
        String name = cursor.identifier();
        part(ObjectKind.POLICY, name, ownerBehind(cursor, "ON", findings), findings);
        conditions(cursor, findings);
    }

    /** [IF NOT EXISTS] [name] [(kinds)] ON … FROM table. */
    static void createStatistics(Cursor cursor, Findings findings) {
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        if (!cursor.at("ON") && !cursor.atSymbol('(')) {
            findings.add(ObjectKind.STATISTICS, cursor.name(), ObjectRole.CREATED);
        }
        cursor.skipGroup();
        if (cursor.accept("ON")) {
            int from = cursor.index();
            cursor.skipToWord("FROM");
            IndexReader.elements(cursor.over(from, cursor.index()), Place.STATISTICS, findings);
        }
        findings.add(ObjectKind.TABLE, ownerBehind(cursor, "FROM", findings), ObjectRole.ALTERED);
        findings.missedUnless(cursor.done());
    }

    /** ALTER TRIGGER, POLICY or RULE name ON table …. */
    static void alter(Cursor cursor, Findings findings, ObjectKind kind) {
        if (cursor.accept("IF", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        String name = cursor.identifier();
        ObjectName table = ownerBehind(cursor, "ON", findings);
        boolean renames = cursor.accept("RENAME", "TO");
        findings.addPart(kind, name, renames ? ObjectRole.RENAMED : ObjectRole.ALTERED, table);
        if (renames) {
            findings.addPart(kind, cursor.identifier(), ObjectRole.CREATED, table);
        }
        findings.add(ObjectKind.TABLE, table, ObjectRole.ALTERED);
        conditions(cursor, findings);
    }

    /** TO roles; USING (…) and WITH CHECK (…) of a policy may hold queries; a trigger may depend on an extension. */
    private static void conditions(Cursor cursor, Findings findings) {
        while (!cursor.done()) {
            if (cursor.atSymbol('(')) {
                findings.expression(Place.POLICY, "", cursor.index() + 1, cursor.closing());
                new QueryRelations(cursor.over(cursor.index() + 1, cursor.closing()), findings).read();
            }
            if (cursor.accept("TO")) {
                RoleNames.list(cursor, findings);
            } else if (cursor.accept("DEPENDS", "ON", "EXTENSION")) {
                findings.add(ObjectKind.EXTENSION, cursor.name(), ObjectRole.REFERENCED);
            } else {
                cursor.skipItem();
            }
        }
    }

    private static @Nullable ObjectName ownerBehind(Cursor cursor, String word, Findings findings) {
        if (!cursor.skipToWord(word)) {
            findings.missed();
            return null;
        }
        cursor.skip();
        cursor.accept("ONLY");
        return cursor.name();
    }

    private static void part(ObjectKind kind, @Nullable String name, @Nullable ObjectName table, Findings findings) {
        if (name == null || table == null) {
            findings.missed();
            return;
        }
        findings.add(new ObjectRef(kind, new ObjectName(null, name), ObjectRole.CREATED, table, null));
        findings.add(ObjectKind.TABLE, table, ObjectRole.ALTERED);
    }
}
