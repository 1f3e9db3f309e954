package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.Transactability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides which publications a DDL statement concerns (DESIGN section 9). Stateless. */
final class Scopes {
    /**
     * Never replicated: they are of the server, or of the cluster around it, not of the database; or, as large objects, data
     * in catalogs, which no trigger captures.
     */
    private static final Set<ObjectKind> LOCAL = EnumSet.of(
            ObjectKind.DATABASE,
            ObjectKind.LARGE_OBJECT,
            ObjectKind.PARAMETER,
            ObjectKind.SUBSCRIPTION,
            ObjectKind.TABLESPACE);

    /** Have no schema of their own: replicated by scope {@code database} only. */
    private static final Set<ObjectKind> OF_THE_DATABASE = EnumSet.of(
            ObjectKind.ACCESS_METHOD,
            ObjectKind.CAST,
            ObjectKind.DATABASE,
            ObjectKind.DEFAULT_PRIVILEGES,
            ObjectKind.EVENT_TRIGGER,
            ObjectKind.EXTENSION,
            ObjectKind.FOREIGN_DATA_WRAPPER,
            ObjectKind.LANGUAGE,
            ObjectKind.PUBLICATION,
            ObjectKind.ROLE,
            ObjectKind.SERVER,
            ObjectKind.TRANSFORM,
            ObjectKind.USER_MAPPING);

    /** TRUNCATE is captured and applied like any change of rows; the others keep up the node that they run on. */
    private static final Set<String> NO_SCHEMA_CHANGE = Set.of("ALTER SYSTEM", "TRUNCATE TABLE");

    /** About everything in one database that a role owns, not about the role. */
    private static final Set<String> OWNED = Set.of("DROP OWNED", "REASSIGN OWNED");

    /** May be said of all relations in a tablespace. */
    private static final Set<String> MOVES = Set.of("ALTER TABLE", "ALTER INDEX", "ALTER MATERIALIZED VIEW");

    /** What it does is not known before it has run. */
    private static final String CODE = "DO";

    /** Behind the tag of a statement whose code has met the guard, so that it is known to change the schema. */
    private static final String RUNS_DDL = " (its code)";

    private static final Pattern EXPLAIN = Pattern.compile("\\bexplain\\b", Pattern.CASE_INSENSITIVE);

    private Scopes() {}

    /** Whether the statement changes nothing but objects that all databases of a server share: roles and their memberships. */
    static boolean isOfTheServer(Statement.Ddl ddl) {
        List<ObjectRef> changed = ddl.objects().stream()
                .filter(o -> o.role() != ObjectRole.REFERENCED)
                .toList();
        return !changed.isEmpty()
                && changed.stream().allMatch(o -> o.kind() == ObjectKind.ROLE)
                && !OWNED.contains(ddl.tag());
    }

    /** Whether the statement is code of the client's, which may change the schema. */
    static boolean isCode(Statement.Ddl ddl) {
        return mayChangeNothing(ddl) || ddl.tag().endsWith(RUNS_DDL);
    }

    /** Whether it is code of which nothing but its text is known. */
    static boolean mayChangeNothing(Statement.Ddl ddl) {
        return ddl.tag().equals(CODE);
    }

    /**
     * Whether it is such code, and the guard sees whatever it does to replicated tables. EXPLAIN ANALYZE makes a table without
     * an event trigger being told.
     */
    static boolean isGuarded(Statement.Ddl ddl) {
        return mayChangeNothing(ddl) && !EXPLAIN.matcher(ddl.text()).find();
    }

    /** A statement that is no DDL by itself, but runs code that is, as the operation takes it. */
    static Statement.Ddl codeOf(Statement statement) {
        return new Statement.Ddl(
                statement.span(),
                statement.text(),
                statement.tag() + RUNS_DDL,
                Transactability.ALLOWED,
                List.of(),
                List.of(),
                Set.of(),
                false,
                statement.options());
    }

    /** The publications that the statement concerns; empty: it goes to the origin untouched. */
    static List<Group.Publication> concerned(
            Group group,
            Statement.Ddl ddl,
            Resolution resolution,
            Collection<ReplicatedTable> touched,
            ClientState state) {
        if (ddl.facts().contains(DdlFact.TEMPORARY)
                || isOfTemporarySchema(ddl)
                || resolution.temporary(ddl)
                || isLocal(ddl, group)) {
            return List.of();
        }
        if (isCode(ddl)) {
            // Elsewhere the guard sees to it.
            return group.publications().stream()
                    .filter(p -> p.origin().equals(group.self()))
                    .toList();
        }
        List<Group.Publication> concerned = new ArrayList<>();
        for (Group.Publication publication : group.publications()) {
            boolean touches = touched.stream().anyMatch(t -> t.publication().equals(publication.name()));
            // The indexes of other tables are each node's own to look after.
            if (touches || (!OutsideOperation.rebuilds(ddl) && inScope(publication, ddl, resolution, state))) {
                concerned.add(publication);
            }
        }
        return concerned;
    }

    /** Functions, types and the like in pg_temp, which is searched for relations only where it is named. */
    private static boolean isOfTemporarySchema(Statement.Ddl ddl) {
        List<ObjectRef> changed = ddl.objects().stream()
                .filter(o -> o.role() != ObjectRole.REFERENCED)
                .toList();
        return !changed.isEmpty() && changed.stream().allMatch(Scopes::isTemporary);
    }

    private static boolean isTemporary(ObjectRef ref) {
        String schema = ref.kind() == ObjectKind.SCHEMA
                ? ref.name().name()
                : (ref.owner() == null ? ref.name() : ref.owner()).schema();
        return schema != null && schema.startsWith("pg_temp");
    }

    private static boolean isLocal(Statement.Ddl ddl, Group group) {
        NodeAddress here = group.nodes().get(group.self());
        if (here != null && DatabasePrivileges.isOf(ddl, here.database())) {
            return false;
        }
        // CLUSTER with a name marks the index in the catalogs; without one it orders what is marked already.
        if (NO_SCHEMA_CHANGE.contains(ddl.tag())
                || (ddl.tag().equals("REINDEX") && !OutsideOperation.rebuilds(ddl))
                || (ddl.tag().equals("CLUSTER") && ddl.objects().isEmpty())) {
            return true;
        }
        return !movesAllInTablespace(ddl)
                && ddl.objects().stream().anyMatch(o -> LOCAL.contains(o.kind()))
                && ddl.objects().stream().allMatch(o -> o.role() == ObjectRole.REFERENCED || LOCAL.contains(o.kind()));
    }

    /**
     * ALTER TABLE ALL IN TABLESPACE and its kind: which relations it means is known by the catalogs alone, and replicated ones
     * may be among them.
     */
    private static boolean movesAllInTablespace(Statement.Ddl ddl) {
        return MOVES.contains(ddl.tag())
                && !ddl.objects().isEmpty()
                && ddl.objects().stream()
                        .allMatch(o -> o.kind() == ObjectKind.TABLESPACE && o.role() == ObjectRole.REFERENCED);
    }

    private static boolean inScope(
            Group.Publication publication, Statement.Ddl ddl, Resolution resolution, ClientState state) {
        if (movesAllInTablespace(ddl)) {
            return true;
        }
        return switch (publication.scope()) {
            case TABLES -> OWNED.contains(ddl.tag());
            case DATABASE -> true;
            case SCHEMAS -> ddl.objects().isEmpty() || inSchemas(publication.schemas(), resolution, state);
        };
    }

    private static boolean inSchemas(List<String> schemas, Resolution resolution, ClientState state) {
        for (Resolution.Named named : resolution.named()) {
            if (named.ref().role() == ObjectRole.REFERENCED
                    || OF_THE_DATABASE.contains(named.ref().kind())) {
                continue;
            }
            if (named.ref().kind() == ObjectKind.SCHEMA) {
                if (schemas.contains(named.ref().name().name())) {
                    return true;
                }
                continue;
            }
            String schema = schemaOf(named, state);
            boolean in = schema != null
                    ? schemas.contains(schema)
                    : Arrays.stream(state.searchPath().split(",", -1))
                            .map(s -> s.strip().replace("\"", ""))
                            .anyMatch(schemas::contains);
            if (in) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String schemaOf(Resolution.Named named, ClientState state) {
        ObjectName name =
                named.ref().owner() == null ? named.ref().name() : named.ref().owner();
        if (name.schema() != null) {
            return name.schema();
        }
        if (named.relation().isPresent()) {
            return named.relation().get().schema();
        }
        return named.ref().role() == ObjectRole.CREATED ? state.creationSchema() : null;
    }
}
