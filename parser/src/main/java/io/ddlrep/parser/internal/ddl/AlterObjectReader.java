package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import org.jspecify.annotations.Nullable;

/** Reads ALTER of everything that is no relation and not attached to one. Stateless. */
final class AlterObjectReader {
    private AlterObjectReader() {}

    static void read(Cursor cursor, Findings findings, ObjectKind kind) {
        if (cursor.accept("IF", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        if (kind == ObjectKind.PARAMETER) {
            findings.missedUnless(cursor.acceptAny("SET", "RESET"));
        }
        Findings scratch = new Findings(cursor.tokens(), findings.command());
        ObjectRef target = Targets.read(cursor, kind, ObjectRole.ALTERED, scratch);
        if (target == null) {
            findings.missed();
            return;
        }
        scratch.objects().stream()
                .filter(ref -> ref.role() == ObjectRole.REFERENCED)
                .forEach(findings::add);
        if (cursor.accept("RENAME", "TO")) {
            String name = cursor.identifier();
            moved(
                    findings,
                    target,
                    name == null ? null : new ObjectName(target.name().schema(), name));
            // everything in a schema gets another name with it
            findings.missedUnless(cursor.done() && kind != ObjectKind.SCHEMA);
        } else if (kind != ObjectKind.EXTENSION && cursor.accept("SET", "SCHEMA")) {
            String schema = cursor.identifier();
            moved(
                    findings,
                    target,
                    schema == null ? null : new ObjectName(schema, target.name().name()));
            findings.missedUnless(cursor.done());
        } else {
            findings.add(target);
            changed(cursor, findings, target);
        }
    }

    private static void moved(Findings findings, ObjectRef target, @Nullable ObjectName to) {
        ObjectKind kind = target.kind();
        findings.add(new ObjectRef(kind, target.name(), ObjectRole.RENAMED, null, target.signature()));
        findings.add(to == null ? null : new ObjectRef(kind, to, ObjectRole.CREATED, null, target.signature()));
    }

    private static void changed(Cursor cursor, Findings findings, ObjectRef target) {
        switch (target.kind()) {
            case DOMAIN -> domain(cursor, findings, target.name());
            case TYPE -> TypedReader.altered(cursor, findings);
            case PUBLICATION -> publication(cursor, findings);
            case EXTENSION -> extension(cursor, findings);
            default -> {}
        }
        while (!cursor.done()) {
            if (cursor.accept("CASCADE")) {
                findings.fact(DdlFact.CASCADE);
            } else if (cursor.accept("IF", "EXISTS") || cursor.accept("IF", "NOT", "EXISTS")) {
                findings.fact(DdlFact.CONDITIONAL);
            } else if (cursor.accept("OWNER", "TO")) {
                RoleNames.read(cursor, findings);
            } else if (cursor.accept("DEPENDS", "ON", "EXTENSION")) {
                findings.add(ObjectKind.EXTENSION, cursor.name(), ObjectRole.REFERENCED);
            } else if (target.kind() == ObjectKind.ROLE && cursor.accept("USER")) {
                // the members that ALTER GROUP adds or drops
                RoleNames.list(cursor, findings);
            } else {
                cursor.skipItem();
            }
        }
    }

    private static void domain(Cursor cursor, Findings findings, ObjectName domain) {
        if (cursor.accept("SET", "DEFAULT")) {
            findings.expression(Place.SET_DEFAULT, "", cursor.index(), cursor.limit());
        } else if (cursor.accept("ADD")) {
            if (cursor.accept("CONSTRAINT")) {
                findings.addPart(ObjectKind.CONSTRAINT, cursor.identifier(), ObjectRole.CREATED, domain);
            }
            if (cursor.accept("CHECK")) {
                findings.expression(Place.CHECK, "", cursor.index() + 1, cursor.closing());
            }
        } else if (cursor.accept("DROP", "CONSTRAINT")) {
            if (cursor.accept("IF", "EXISTS")) {
                findings.fact(DdlFact.CONDITIONAL);
            }
            findings.addPart(ObjectKind.CONSTRAINT, cursor.identifier(), ObjectRole.DROPPED, domain);
        } else if (cursor.accept("VALIDATE", "CONSTRAINT")) {
            findings.addPart(ObjectKind.CONSTRAINT, cursor.identifier(), ObjectRole.ALTERED, domain);
        } else if (cursor.accept("RENAME", "CONSTRAINT")) {
            findings.addPart(ObjectKind.CONSTRAINT, cursor.identifier(), ObjectRole.RENAMED, domain);
            findings.missedUnless(cursor.accept("TO"));
            findings.addPart(ObjectKind.CONSTRAINT, cursor.identifier(), ObjectRole.CREATED, domain);
        }
    }

    /** UPDATE and SET SCHEMA reach the members, which no name tells; ADD and DROP name one. */
    private static void extension(Cursor cursor, Findings findings) {
        boolean members = cursor.acceptAny("ADD", "DROP");
        ObjectKind kind = members ? ObjectKinds.read(cursor) : null;
        if (kind == null) {
            findings.missed();
        } else {
            Targets.read(cursor, kind, ObjectRole.ALTERED, findings);
        }
    }

    private static void publication(Cursor cursor, Findings findings) {
        if (cursor.acceptAny("ADD", "DROP", "SET") && !cursor.atSymbol('(')) {
            publicationObjects(cursor, findings);
        }
    }

    /** TABLE a, b (columns) WHERE (…), TABLES IN SCHEMA s, …. */
    static void publicationObjects(Cursor cursor, Findings findings) {
        ObjectKind kind = ObjectKind.TABLE;
        do {
            if (cursor.accept("ALL")) {
                cursor.skip();
                findings.missed();
                continue;
            }
            if (cursor.accept("TABLES", "IN", "SCHEMA")) {
                kind = ObjectKind.SCHEMA;
                findings.missed();
            } else if (cursor.accept("TABLE")) {
                kind = ObjectKind.TABLE;
            }
            if (kind == ObjectKind.SCHEMA && cursor.accept("CURRENT_SCHEMA")) {
                continue;
            }
            cursor.accept("ONLY");
            findings.add(kind, cursor.name(), ObjectRole.ALTERED);
            cursor.acceptText("*");
            cursor.skipGroup();
            if (cursor.accept("WHERE")) {
                cursor.skipGroup();
            }
        } while (cursor.accept(','));
    }
}
