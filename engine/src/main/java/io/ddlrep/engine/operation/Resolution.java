package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The relations that a statement names, found by the origin server with the client's own search_path. Immutable.
 *
 * @param named what the statement names, in order
 */
record Resolution(List<Named> named) {
    /** The question; $1 is {@link #question}. */
    static final String SQL = SqlResource.text("sql/resolve_names.sql");

    private static final Set<ObjectKind> RELATIONS = EnumSet.of(
            ObjectKind.TABLE,
            ObjectKind.VIEW,
            ObjectKind.MATERIALIZED_VIEW,
            ObjectKind.SEQUENCE,
            ObjectKind.INDEX,
            ObjectKind.FOREIGN_TABLE);

    /**
     * One name of the statement.
     *
     * @param ref as the parser found it
     * @param relation the relation behind it, or behind its owner; empty where there is none (yet)
     */
    record Named(ObjectRef ref, Optional<Relation> relation) {}

    /**
     * A relation on the origin.
     *
     * @param relid its oid
     * @param kind relkind
     * @param persistence relpersistence
     * @param schema its schema
     * @param name its name
     * @param tableOfIndex for an index the table's oid, else 0
     */
    record Relation(long relid, char kind, char persistence, String schema, String name, long tableOfIndex) {
        boolean temporary() {
            return persistence == 't';
        }

        boolean isTable() {
            return kind == 'r' || kind == 'p';
        }

        /** The table that it is or belongs to. */
        long tableRelid() {
            return tableOfIndex != 0 ? tableOfIndex : relid;
        }

        String quoted() {
            return new ObjectName(schema, name).quoted();
        }
    }

    static Resolution of(NodeSession client, Statement.Ddl ddl) {
        List<String> names = question(ddl);
        return of(ddl, names.isEmpty() ? List.of() : client.query(SQL, names));
    }

    /** The names to ask for, quoted. */
    static List<String> question(Statement.Ddl ddl) {
        return ddl.objects().stream()
                .flatMap(ref -> relationName(ref).stream())
                .map(ObjectName::quoted)
                .toList();
    }

    /**
     * What a statement names.
     *
     * @param answer rows of {@link #SQL} for {@link #question}
     */
    static Resolution of(Statement.Ddl ddl, List<Row> answer) {
        Map<Integer, Relation> found = new HashMap<>();
        for (Row row : answer) {
            found.put((int) row.number("ordinal"), relation(row));
        }
        List<Named> named = new ArrayList<>();
        int asked = 0;
        for (ObjectRef ref : ddl.objects()) {
            boolean wasAsked = relationName(ref).isPresent();
            named.add(new Named(ref, wasAsked ? Optional.ofNullable(found.get(++asked)) : Optional.empty()));
        }
        return new Resolution(List.copyOf(named));
    }

    /** Whether the same names may mean other relations, or none, once the statement has run. */
    static boolean mayMove(Statement.Ddl ddl) {
        return !ddl.complete()
                || ddl.objects().stream()
                        .anyMatch(ref -> RELATIONS.contains(ref.kind())
                                && ref.role() != ObjectRole.ALTERED
                                && ref.role() != ObjectRole.REFERENCED);
    }

    private static Optional<ObjectName> relationName(ObjectRef ref) {
        if (ref.owner() != null) {
            return Optional.of(ref.owner());
        }
        return RELATIONS.contains(ref.kind()) ? Optional.of(ref.name()) : Optional.empty();
    }

    private static Relation relation(Row row) {
        return new Relation(
                row.number("relid"),
                row.text("kind").charAt(0),
                row.text("persistence").charAt(0),
                row.text("schema"),
                row.text("name"),
                row.number("table_of_index"));
    }

    /** Oids of all tables that are named, or whose index or other part is named. */
    List<Long> tableRelids() {
        return named.stream()
                .flatMap(n -> n.relation().stream())
                .map(Relation::tableRelid)
                .distinct()
                .toList();
    }

    /** Whether the statement works on a temporary relation. */
    boolean temporary() {
        return named.stream().flatMap(n -> n.relation().stream()).anyMatch(Relation::temporary);
    }
}
