package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.substrate.ReplicatedTable;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.StatementKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A part of step {@code health}: roles, types, extensions and whatever else a statement names, and the origin has, are on every
 * node, and mean the same there. Tables that are replicated are compared by their fingerprints. What the origin itself lacks is
 * left to the server to say. Stateless.
 */
final class NamedObjects {
    private static final String SQL = SqlResource.text("sql/named_objects.sql");

    /** Made in a schema, which must be there, too. */
    private static final Set<ObjectKind> IN_SCHEMAS = EnumSet.of(
            ObjectKind.AGGREGATE,
            ObjectKind.COLLATION,
            ObjectKind.CONVERSION,
            ObjectKind.DOMAIN,
            ObjectKind.FOREIGN_TABLE,
            ObjectKind.FUNCTION,
            ObjectKind.MATERIALIZED_VIEW,
            ObjectKind.OPERATOR,
            ObjectKind.OPERATOR_CLASS,
            ObjectKind.OPERATOR_FAMILY,
            ObjectKind.PROCEDURE,
            ObjectKind.SEQUENCE,
            ObjectKind.TABLE,
            ObjectKind.TEXT_SEARCH_CONFIGURATION,
            ObjectKind.TEXT_SEARCH_DICTIONARY,
            ObjectKind.TEXT_SEARCH_PARSER,
            ObjectKind.TEXT_SEARCH_TEMPLATE,
            ObjectKind.TYPE,
            ObjectKind.VIEW);

    /** The schema that nobody drops; without it, the statement fails on the replica. */
    private static final String EVERYWHERE = "public";

    private NamedObjects() {}

    /** One name; the schema is empty where the search path decides. */
    private record Name(String kind, String schema, String name) {
        String said() {
            return kind + " " + (schema.isEmpty() ? name : schema + "." + name);
        }
    }

    /**
     * Checks what statements name.
     *
     * @param context its companions are open
     * @param script the planned statement, and others that the client has sent with it
     * @throws io.ddlrep.engine.DdlrepException 55000 with what is missing where
     */
    static void check(OperationContext context, List<Statement> script, Operation.Planned planned) {
        ClientState state = planned.state();
        List<Name> names = List.copyOf(names(script, planned));
        if (names.isEmpty()) {
            return;
        }
        String origin = context.client().node();
        Map<String, List<@Nullable String>> found = new ConcurrentHashMap<>();
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(() -> found.put(origin, ask(context.client().session(), names, state)));
        for (Companion companion : context.companions()) {
            tasks.add(() -> found.put(companion.node(), ask(companion.session(), names, state)));
        }
        context.services().fan().all(tasks);
        List<@Nullable String> here = found.getOrDefault(origin, List.of());
        List<String> lines = new ArrayList<>();
        Set<String> kinds = new LinkedHashSet<>();
        new TreeMap<>(found).forEach((node, there) -> {
            for (int i = 0; i < names.size(); i++) {
                String meant = here.get(i);
                if (meant != null && !meant.equals(there.get(i))) {
                    lines.add(line(names.get(i), origin, meant, node, there.get(i)));
                    kinds.add(
                            meant.startsWith("pg_temp_")
                                    ? "temporary"
                                    : names.get(i).kind());
                }
            }
        });
        if (!lines.isEmpty()) {
            throw Errors.notReady(
                    "the statement needs what node " + origin + " has and another node lacks; nothing was changed",
                    String.join("\n", lines),
                    hint(kinds));
        }
    }

    private static List<@Nullable String> ask(NodeSession session, List<Name> names, ClientState state) {
        List<@Nullable String> found = new ArrayList<>();
        for (Row row : session.query(
                SQL,
                names.stream().map(Name::kind).toList(),
                names.stream().map(Name::schema).toList(),
                names.stream().map(Name::name).toList(),
                state.schemas())) {
            found.add(row.get("found"));
        }
        return found;
    }

    private static String line(Name name, String origin, String here, String node, @Nullable String there) {
        if (there != null) {
            return name.said() + " is " + here + " on node " + origin + " and " + there + " on node " + node;
        }
        return here.startsWith("pg_temp_")
                ? name.said() + " is temporary: no other node has it"
                : name.said() + " is not on node " + node;
    }

    private static String hint(Set<String> kinds) {
        if (kinds.contains("temporary")) {
            return "What is replicated cannot depend on temporary objects: use ordinary ones.";
        }
        if (kinds.contains("available extension")) {
            return "Install the extension's files on that node's server, then send the statement again.";
        }
        return "Make it on that node, as an operator does: SET ddlrep.replicate = off, then CREATE …;"
                + " then send the statement again.";
    }

    /**
     * What must be there before the statements run. What an earlier one of them makes or drops is not asked for; nor is
     * anything behind one of which that is not known.
     */
    private static Set<Name> names(List<Statement> script, Operation.Planned planned) {
        Set<Name> names = new LinkedHashSet<>();
        Set<ObjectRef> compared = compared(planned);
        Set<Name> changed = new HashSet<>();
        for (Statement statement : script) {
            if (statement instanceof Statement.Ddl ddl) {
                Set<Name> named = new LinkedHashSet<>();
                note(ddl, EnumSet.of(ObjectRole.CREATED), changed);
                boolean first = ddl.equals(planned.ddl());
                for (ObjectRef ref : ddl.objects()) {
                    // What a later statement changes is looked at when its turn comes.
                    if (first ? !compared.contains(ref) : ref.role() != ObjectRole.ALTERED) {
                        named(ddl, ref, planned.state(), named);
                    }
                }
                named.removeIf(n -> changed.contains(new Name(n.kind(), "", n.name())));
                names.addAll(named);
                note(ddl, EnumSet.of(ObjectRole.DROPPED, ObjectRole.RENAMED), changed);
                if (!ddl.complete()) {
                    break;
                }
            } else if (statement.kind() != StatementKind.DML) {
                break;
            }
        }
        return names;
    }

    /** Replicated tables, whose fingerprints are compared. */
    private static Set<ObjectRef> compared(Operation.Planned planned) {
        Set<Long> touched =
                planned.touched().stream().map(ReplicatedTable::relid).collect(Collectors.toSet());
        return planned.resolution().named().stream()
                .filter(n ->
                        n.relation().map(r -> touched.contains(r.tableRelid())).orElse(false))
                .map(Resolution.Named::ref)
                .collect(Collectors.toSet());
    }

    private static void note(Statement.Ddl ddl, Set<ObjectRole> roles, Set<Name> changed) {
        for (ObjectRef ref : ddl.objects()) {
            if (roles.contains(ref.role())) {
                changed.add(new Name(kind(ref), "", ref.name().name()));
            }
        }
    }

    private static void named(Statement.Ddl ddl, ObjectRef ref, ClientState state, Set<Name> names) {
        ObjectName name = ref.name();
        if (ref.role() == ObjectRole.CREATED) {
            if (ref.kind() == ObjectKind.EXTENSION) {
                names.add(new Name("available extension", "", name.name()));
            } else if (IN_SCHEMAS.contains(ref.kind())) {
                String schema = name.schema() == null ? state.creationSchema() : name.schema();
                if (schema != null && !EVERYWHERE.equals(schema)) {
                    names.add(new Name("schema", "", schema));
                }
            }
            return;
        }
        boolean optional = ref.role() == ObjectRole.DROPPED && ddl.facts().contains(DdlFact.CONDITIONAL);
        // Where a query makes a table, only its rows come to the replicas.
        boolean queried = ref.role() == ObjectRole.REFERENCED
                && ref.kind() != ObjectKind.TABLESPACE
                && ReplicaForm.makesTableOfQuery(ddl);
        String kind = kind(ref);
        if (kind.isEmpty() || optional || queried || ref.owner() != null) {
            return;
        }
        names.add(new Name(kind, name.schema() == null ? "" : name.schema(), name.name()));
    }

    /** As the question calls it; empty for kinds that are not looked for. */
    private static String kind(ObjectRef ref) {
        return switch (ref.kind()) {
            case ROLE, USER_MAPPING -> "role";
            case TYPE, DOMAIN -> "type";
            case TABLE, VIEW, MATERIALIZED_VIEW, SEQUENCE, INDEX, FOREIGN_TABLE -> "relation";
            case FUNCTION, PROCEDURE, ROUTINE, AGGREGATE -> "function";
            case SCHEMA -> "schema";
            case EXTENSION -> "extension";
            case LANGUAGE -> "language";
            case ACCESS_METHOD -> "access method";
            case FOREIGN_DATA_WRAPPER -> "foreign-data wrapper";
            case SERVER -> "server";
            case TABLESPACE -> "tablespace";
            default -> "";
        };
    }
}
