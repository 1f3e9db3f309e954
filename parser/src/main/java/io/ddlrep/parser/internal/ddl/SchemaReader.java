package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.internal.Cursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads CREATE SCHEMA with its elements (OptSchemaEltList in gram.y). What an element makes without a schema is made in
 * the new one, and names of it are found there first. One thread at a time.
 */
final class SchemaReader {
    private final Cursor cursor;
    private final Findings findings;

    SchemaReader(Cursor cursor, Findings findings) {
        this.cursor = cursor;
        this.findings = findings;
    }

    void read() {
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        String schema = cursor.at("AUTHORIZATION") ? null : cursor.identifier();
        String owner = cursor.accept("AUTHORIZATION") ? RoleNames.name(cursor) : null;
        // Without a name of its own, a schema for CURRENT_USER has the name of whoever that is.
        schema = schema == null ? owner : schema;
        findings.add(ObjectKind.SCHEMA, schema == null ? null : new ObjectName(null, schema), ObjectRole.CREATED);
        if (owner != null) {
            findings.add(ObjectKind.ROLE, new ObjectName(null, owner), ObjectRole.REFERENCED);
        }
        while (!cursor.done()) {
            int start = cursor.index();
            cursor.skip();
            while (!cursor.done() && !cursor.at("CREATE") && !cursor.at("GRANT")) {
                cursor.skipItem();
            }
            element(cursor.over(start, cursor.index()));
        }
        findings.replaceObjects(inSchema(findings.objects(), schema));
    }

    private void element(Cursor element) {
        if (element.accept("GRANT")) {
            GrantReader.read(element, findings);
            return;
        }
        findings.missedUnless(element.accept("CREATE"));
        element.accept("OR", "REPLACE");
        while (element.acceptAny("TEMP", "TEMPORARY", "UNLOGGED", "UNIQUE", "RECURSIVE", "CONSTRAINT")) {}
        SqlCommand command = findings.command();
        if (element.accept("TABLE")) {
            new TableReader(element, findings).read(ObjectKind.TABLE);
        } else if (element.accept("INDEX")) {
            IndexReader.read(element, findings);
        } else if (element.accept("VIEW")) {
            DdlReader.view(element, findings, ObjectKind.VIEW);
        } else if (element.accept("SEQUENCE")) {
            SequenceReader.create(element, findings);
        } else if (element.accept("TRIGGER")) {
            AttachedReader.createTrigger(element, findings);
        } else {
            findings.missed();
        }
        findings.command(command);
    }

    private static List<ObjectRef> inSchema(List<ObjectRef> refs, @Nullable String schema) {
        Set<String> made = new HashSet<>();
        for (ObjectRef ref : refs) {
            if (ref.role() == ObjectRole.CREATED && ref.owner() == null && ref.kind() != ObjectKind.SCHEMA) {
                made.add(ref.name().name());
            }
        }
        List<ObjectRef> placed = new ArrayList<>();
        for (ObjectRef ref : refs) {
            boolean part = ref.owner() != null;
            ObjectName owner = ref.owner() == null ? null : place(ref.owner(), made, schema);
            boolean global = ref.kind() == ObjectKind.SCHEMA || ref.kind() == ObjectKind.ROLE;
            ObjectName name = part || global ? ref.name() : place(ref.name(), made, schema);
            placed.add(new ObjectRef(ref.kind(), name, ref.role(), owner, ref.signature()));
        }
        return placed;
    }

    private static ObjectName place(ObjectName name, Set<String> made, @Nullable String schema) {
        return name.schema() == null && made.contains(name.name()) ? new ObjectName(schema, name.name()) : name;
    }
}
