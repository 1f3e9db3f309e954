package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads table constraints (TableConstraint in gram.y). One thread at a time. */
final class ConstraintReader {
    private static final Set<String> ATTRIBUTES =
            Set.of("DEFERRABLE", "NOT", "VALID", "NO", "INHERIT", "INITIALLY", "DEFERRED", "IMMEDIATE", "ENFORCED");

    private final Cursor cursor;
    private final Findings findings;

    ConstraintReader(Cursor cursor, Findings findings) {
        this.cursor = cursor;
        this.findings = findings;
    }

    /** Whether a table constraint starts here; EXCLUDE and NOT alone do not make one. */
    static boolean startsHere(Cursor cursor) {
        return switch (cursor.word()) {
            case "CONSTRAINT", "CHECK", "UNIQUE", "PRIMARY", "FOREIGN" -> true;
            case "EXCLUDE" -> cursor.at(1, "USING") || cursor.atSymbol(1, '(');
            case "NOT" -> cursor.at(1, "NULL");
            default -> false;
        };
    }

    /**
     * Reads one constraint up to a comma.
     *
     * @param table where it is added to an existing relation, which then gets the constraint as a part; else null
     */
    void read(@Nullable ObjectName table) {
        if (cursor.accept("CONSTRAINT")) {
            String name = cursor.identifier();
            if (table != null) {
                findings.addPart(ObjectKind.CONSTRAINT, name, ObjectRole.CREATED, table);
            }
        }
        String word = cursor.word();
        cursor.skip();
        switch (word) {
            case "CHECK" -> {
                findings.expression(Place.CHECK, "", cursor.index() + 1, cursor.closing());
                cursor.skipGroup();
            }
            case "UNIQUE", "PRIMARY" -> keys(table);
            case "EXCLUDE" -> exclude();
            case "FOREIGN" -> {
                findings.missedUnless(cursor.accept("KEY") && cursor.skipGroup() && cursor.accept("REFERENCES"));
                ColumnReader.references(cursor, findings);
            }
            case "NOT" -> {
                cursor.accept("NULL");
                cursor.identifier();
            }
            default -> findings.missed();
        }
        while (ATTRIBUTES.contains(cursor.word())) {
            cursor.skip();
        }
        if (!cursor.done() && !cursor.atSymbol(',')) {
            findings.missed();
            cursor.skipTo(',');
        }
    }

    private void keys(@Nullable ObjectName table) {
        cursor.accept("KEY");
        if (cursor.accept("NULLS")) {
            cursor.accept("NOT");
            cursor.accept("DISTINCT");
        }
        if (cursor.accept("USING", "INDEX")) {
            String index = cursor.identifier();
            String schema = table == null ? null : table.schema();
            findings.add(ObjectKind.INDEX, index == null ? null : new ObjectName(schema, index), ObjectRole.ALTERED);
            return;
        }
        cursor.skipGroup();
        indexParameters();
    }

    private void exclude() {
        if (cursor.accept("USING")) {
            cursor.identifier();
        }
        if (cursor.atSymbol('(')) {
            IndexReader.elements(cursor.over(cursor.index() + 1, cursor.closing()), Place.INDEX, findings);
        }
        cursor.skipGroup();
        indexParameters();
        if (cursor.accept("WHERE")) {
            findings.expression(Place.INDEX, "", cursor.index() + 1, cursor.closing());
            cursor.skipGroup();
        }
    }

    private void indexParameters() {
        if (cursor.accept("INCLUDE")) {
            cursor.skipGroup();
        }
        if (cursor.accept("WITH")) {
            cursor.skipGroup();
        }
        if (cursor.accept("USING", "INDEX", "TABLESPACE")) {
            findings.add(ObjectKind.TABLESPACE, cursor.name(), ObjectRole.REFERENCED);
        }
    }
}
