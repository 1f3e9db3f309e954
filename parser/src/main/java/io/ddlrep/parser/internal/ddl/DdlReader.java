package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.internal.Cursor;

/** Hands a DDL statement to the reader of its command. Stateless; each call uses its own cursor and findings. */
public final class DdlReader {
    private DdlReader() {}

    /**
     * Reads a statement.
     *
     * @param cursor behind the words of the command
     * @param findings gets what is found
     */
    public static void read(Cursor cursor, Findings findings) {
        SqlCommand command = findings.command();
        modifiers(cursor, findings);
        switch (command.word(0)) {
            case "CREATE" -> create(cursor, findings, command);
            case "ALTER" -> alter(cursor, findings, command);
            case "DROP" -> drop(cursor, findings, command);
            default -> others(cursor, findings, command);
        }
    }

    /** Reads SELECT … INTO, whose INTO stands at a known token. */
    public static void selectInto(Cursor cursor, int into, Findings findings) {
        TableReader.selectInto(cursor, into, findings);
    }

    /** TEMP and UNLOGGED stand between CREATE and the kind. */
    private static void modifiers(Cursor cursor, Findings findings) {
        if (!findings.command().word(0).equals("CREATE")) {
            return;
        }
        for (int i = 1; i < cursor.index(); i++) {
            String word = cursor.tokens().word(i);
            if (word.equals("TEMP") || word.equals("TEMPORARY")) {
                findings.fact(DdlFact.TEMPORARY);
            } else if (word.equals("UNLOGGED")) {
                findings.fact(DdlFact.UNLOGGED);
            }
        }
    }

    private static void create(Cursor cursor, Findings findings, SqlCommand command) {
        ObjectKind kind = ObjectKinds.of(command);
        switch (kind) {
            case TABLE, FOREIGN_TABLE -> new TableReader(cursor, findings).read(kind);
            case INDEX -> IndexReader.read(cursor, findings);
            case VIEW, MATERIALIZED_VIEW -> view(cursor, findings, kind);
            case SEQUENCE -> SequenceReader.create(cursor, findings);
            case SCHEMA -> new SchemaReader(cursor, findings).read();
            case TRIGGER -> AttachedReader.createTrigger(cursor, findings);
            case EVENT_TRIGGER -> AttachedReader.createEventTrigger(cursor, findings);
            case RULE -> AttachedReader.createRule(cursor, findings);
            case POLICY -> AttachedReader.createPolicy(cursor, findings);
            case STATISTICS -> AttachedReader.createStatistics(cursor, findings);
            case DOMAIN -> domain(cursor, findings);
            case PUBLICATION -> publication(cursor, findings);
            default -> object(cursor, findings, kind);
        }
    }

    /** Everything of which its name and the types it is made of are wanted. An extension's script may make anything. */
    private static void object(Cursor cursor, Findings findings, ObjectKind kind) {
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        Targets.read(cursor, kind, ObjectRole.CREATED, findings);
        TypedReader.created(cursor, findings, kind);
        findings.missedUnless(kind != ObjectKind.EXTENSION);
        cursor.skipAll();
    }

    /** [IF NOT EXISTS] name [(columns)] [WITH (…)] [USING …] [TABLESPACE …] AS query. */
    static void view(Cursor cursor, Findings findings, ObjectKind kind) {
        if (cursor.accept("IF", "NOT", "EXISTS")) {
            findings.fact(DdlFact.CONDITIONAL);
        }
        findings.add(kind, cursor.name(), ObjectRole.CREATED);
        while (!cursor.done() && !cursor.at("AS")) {
            if (cursor.accept("TABLESPACE")) {
                findings.add(ObjectKind.TABLESPACE, cursor.name(), ObjectRole.REFERENCED);
            } else {
                cursor.skip();
            }
        }
        if (!cursor.accept("AS")) {
            findings.missed();
            return;
        }
        if (kind == ObjectKind.MATERIALIZED_VIEW) {
            TableReader.query(cursor, findings);
        } else {
            new QueryRelations(cursor.over(cursor.index(), cursor.limit()), findings).read();
            cursor.skipAll();
        }
    }

    private static void domain(Cursor cursor, Findings findings) {
        findings.add(ObjectKind.DOMAIN, cursor.name(), ObjectRole.CREATED);
        cursor.accept("AS");
        new ColumnReader(cursor, findings, Place.SET_DEFAULT).definition("");
        findings.missedUnless(cursor.done());
    }

    private static void publication(Cursor cursor, Findings findings) {
        findings.add(ObjectKind.PUBLICATION, cursor.name(), ObjectRole.CREATED);
        if (cursor.accept("FOR")) {
            AlterObjectReader.publicationObjects(cursor, findings);
        }
        cursor.skipAll();
    }

    private static void alter(Cursor cursor, Findings findings, SqlCommand command) {
        ObjectKind kind = ObjectKinds.of(command);
        switch (kind) {
            case TABLE, FOREIGN_TABLE, INDEX, VIEW, MATERIALIZED_VIEW, SEQUENCE ->
                new AlterRelationReader(cursor, findings, kind).read();
            case TRIGGER, POLICY, RULE -> AttachedReader.alter(cursor, findings, kind);
            case DEFAULT_PRIVILEGES -> GrantReader.defaults(cursor, findings);
            default -> AlterObjectReader.read(cursor, findings, kind);
        }
    }

    private static void drop(Cursor cursor, Findings findings, SqlCommand command) {
        if (command == SqlCommand.DROP_OWNED) {
            DropReader.owned(cursor, findings);
        } else {
            DropReader.read(cursor, findings, ObjectKinds.of(command));
        }
    }

    private static void others(Cursor cursor, Findings findings, SqlCommand command) {
        switch (command) {
            case GRANT, REVOKE -> GrantReader.read(cursor, findings);
            case COMMENT, SECURITY_LABEL -> described(cursor, findings);
            case TRUNCATE -> MaintenanceReader.truncate(cursor, findings);
            case REFRESH_MATERIALIZED_VIEW -> MaintenanceReader.refresh(cursor, findings);
            case CLUSTER -> MaintenanceReader.cluster(cursor, findings);
            case VACUUM, ANALYZE -> MaintenanceReader.tables(cursor, findings);
            case REINDEX -> MaintenanceReader.reindex(cursor, findings);
            case REASSIGN_OWNED -> DropReader.owned(cursor, findings);
            case IMPORT_FOREIGN_SCHEMA -> importSchema(cursor, findings);
            default -> findings.missed();
        }
    }

    /** COMMENT ON kind name IS …; SECURITY LABEL [FOR provider] ON kind name IS …. */
    private static void described(Cursor cursor, Findings findings) {
        if (cursor.accept("FOR")) {
            cursor.skip();
        }
        findings.missedUnless(cursor.accept("ON"));
        ObjectKind kind = ObjectKinds.read(cursor);
        if (kind == null) {
            findings.missed();
            return;
        }
        Targets.read(cursor, kind, ObjectRole.ALTERED, findings);
        findings.missedUnless(cursor.accept("IS"));
    }

    /** remote FROM SERVER server INTO schema: makes tables that only the server there knows. */
    private static void importSchema(Cursor cursor, Findings findings) {
        findings.missed();
        if (cursor.skipToWord("SERVER")) {
            cursor.skip();
            findings.add(ObjectKind.SERVER, cursor.name(), ObjectRole.REFERENCED);
        }
        if (cursor.skipToWord("INTO")) {
            cursor.skip();
            String schema = cursor.identifier();
            findings.add(ObjectKind.SCHEMA, schema == null ? null : new ObjectName(null, schema), ObjectRole.ALTERED);
        }
    }
}
