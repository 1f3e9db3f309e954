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
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The relations that a statement names, found by the origin server with the client's own search_path. Immutable.
 *
 * @param named what the statement names, in order
 * @param naming oids of replicated tables whose functions name a type, schema or extension that the statement renames or moves;
 *     it locks none of them
 */
record Resolution(List<Named> named, List<Long> naming) {
    /** The question; $1 is {@link #question}. */
    static final String SQL = SqlResource.text("sql/resolve_names.sql");

    private static final String NAMING = SqlResource.text("sql/tables_that_name.sql");

    private static final Set<ObjectKind> NAMED_BY_TABLES = EnumSet.of(
            ObjectKind.TYPE, ObjectKind.DOMAIN, ObjectKind.COLLATION, ObjectKind.SCHEMA, ObjectKind.EXTENSION);

    private static final Set<ObjectKind> RELATIONS = EnumSet.of(
            ObjectKind.TABLE,
            ObjectKind.VIEW,
            ObjectKind.MATERIALIZED_VIEW,
            ObjectKind.SEQUENCE,
            ObjectKind.INDEX,
            ObjectKind.FOREIGN_TABLE);

    /** The name of a partitioned index among what is named, which the server does not drop CONCURRENTLY. */
    Optional<String> partitionedIndex() {
        return named.stream()
                .flatMap(n -> n.relation().stream())
                .filter(r -> r.kind() == 'I')
                .map(Relation::name)
                .findFirst();
    }

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
     * @param below oids of its partitions and inheritance children, at any depth; also of those that its transaction made
     */
    record Relation(
            long relid, char kind, char persistence, String schema, String name, long tableOfIndex, List<Long> below) {
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
        return of(ddl, names.isEmpty() ? List.of() : client.query(SQL, names)).withNaming(client, ddl);
    }

    /** This, with the tables that name what the statement renames; asks only where it renames something. */
    Resolution withNaming(NodeSession client, Statement.Ddl ddl) {
        List<Long> naming = new ArrayList<>();
        for (ObjectRef ref : ddl.objects()) {
            boolean moves = ref.role() == ObjectRole.RENAMED
                    || (ref.kind() == ObjectKind.EXTENSION && ref.role() == ObjectRole.ALTERED);
            if (moves && NAMED_BY_TABLES.contains(ref.kind())) {
                client.query(NAMING, ref.kind().name(), ref.name().name())
                        .forEach(row -> naming.add(row.number("relid")));
            }
        }
        return naming.isEmpty() ? this : new Resolution(named, List.copyOf(naming));
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
        return new Resolution(List.copyOf(named), List.of());
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
                row.number("table_of_index"),
                below(row.get("below")));
    }

    private static List<Long> below(@Nullable String oids) {
        return oids == null
                ? List.of()
                : Arrays.stream(oids.split(",", -1)).map(Long::valueOf).toList();
    }

    /** Oids of all tables that are named, or whose index or other part is named, and of those below them. */
    List<Long> tableRelids() {
        Stream<Long> relations = named.stream()
                .flatMap(n -> n.relation().stream())
                .flatMap(r -> Stream.concat(Stream.of(r.tableRelid()), r.below().stream()));
        return Stream.concat(relations, naming.stream()).distinct().toList();
    }

    /**
     * Whether the statement is about temporary relations alone. A table that is made of one, by a query or LIKE, is an
     * ordinary one; a view of one is temporary as well.
     *
     * @param ddl the statement
     */
    boolean temporary(Statement.Ddl ddl) {
        boolean copies = ddl.tag().startsWith("CREATE TABLE") || ddl.tag().equals("SELECT INTO");
        return named.stream()
                        .filter(n -> !(copies && n.ref().role() == ObjectRole.REFERENCED))
                        .flatMap(n -> n.relation().stream())
                        .anyMatch(Relation::temporary)
                && !mixed();
    }

    /** Whether the statement drops temporary relations and others. */
    boolean mixed() {
        List<Relation> dropped = named.stream()
                .filter(n -> n.ref().role() == ObjectRole.DROPPED && n.ref().owner() == null)
                .flatMap(n -> n.relation().stream())
                .toList();
        return dropped.stream().anyMatch(Relation::temporary)
                && !dropped.stream().allMatch(Relation::temporary);
    }
}
