package io.ddlrep.parser.grammar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ddlrep.parser.DdlFact;
import io.ddlrep.parser.Expression;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the parser tells of one statement beside what its tree in PostgreSQL's own grammar does. One thread at a time. */
final class Comparison {
    /** The locks that a statement takes stand in no tree. */
    private static final Set<DdlFact> NOT_IN_TREES = EnumSet.of(DdlFact.LETS_READ, DdlFact.LETS_WRITE);

    /** Statements that name the functions which an object is made of. */
    private static final Set<String> OF_FUNCTIONS =
            Set.of("AlterOpFamilyStmt", "CreateCastStmt", "CreateOpClassStmt", "CreateTransformStmt");

    private final Statement.Ddl ddl;
    private final String kind;
    private final JsonNode node;
    private final Grammar grammar;
    private final TreeObjects tree = new TreeObjects();
    private final List<String> differences = new ArrayList<>();
    private int objects;
    private int relations;
    private int expressions;
    private int functions;
    private int types;

    /**
     * Takes one statement.
     *
     * @param ddl what the parser tells
     * @param kind the kind of its tree, such as {@code AlterTableStmt}
     * @param node its tree
     * @param grammar the grammar that made it
     */
    Comparison(Statement.Ddl ddl, String kind, JsonNode node, Grammar grammar) {
        this.ddl = ddl;
        this.kind = kind;
        this.node = node;
        this.grammar = grammar;
    }

    /** Where the two differ, a line each. */
    List<String> differences() throws IOException {
        if (!new TreeReader(tree).read(kind, node)) {
            return List.of("no reader for " + kind);
        }
        objects();
        relations();
        facts();
        expressions();
        signatures();
        return differences;
    }

    void count(Figures figures) {
        figures.add("objects", objects);
        figures.add("relations", relations);
        figures.add("expressions", expressions);
        figures.add("functions in expressions", functions);
        figures.add("types of signatures", types);
    }

    private void differ(String how, Iterable<?> these, Set<?> notThose) {
        for (Object each : these) {
            if (!notThose.contains(each)) {
                differences.add(how + " " + each);
            }
        }
    }

    /** Relations that are only read, and types, are told generously: those are looked for one way only. */
    private static boolean exact(String object) {
        return !object.startsWith("REFERENCED TABLE") && !object.startsWith("REFERENCED TYPE");
    }

    private void objects() {
        Set<String> all = new TreeSet<>();
        for (ObjectRef object : ddl.objects()) {
            // the types of a cast are its signature
            String name =
                    object.kind() == ObjectKind.CAST ? "" : " " + object.name().quoted();
            String owner = object.owner() == null ? "" : " of " + object.owner().quoted();
            all.add(object.role() + " " + object.kind() + name + owner);
        }
        objects = tree.found().size();
        differ("missed", tree.found(), all);
        differ("more", all.stream().filter(Comparison::exact).toList(), tree.found());
    }

    /** Every relation that stands anywhere in the tree; what a function's body reads is not looked at. */
    private void relations() {
        if (!ddl.complete() || kind.equals("CreateFunctionStmt")) {
            return;
        }
        Set<String> named = new TreeSet<>();
        ddl.objects().forEach(object -> named.add(object.name().quoted()));
        ddl.objects().stream()
                .filter(object -> object.owner() != null)
                .forEach(object -> named.add(object.owner().quoted()));
        List<String> all = new ArrayList<>();
        JsonNode copy = node.deepCopy();
        // these may be aliases
        copy.findParents("lockedRels").forEach(lock -> ((ObjectNode) lock).remove("lockedRels"));
        for (JsonNode relation : copy.findParents("relname")) {
            all.add(tree.placed(TreeObjects.range(relation)).quoted());
        }
        relations = all.size();
        differ("missed relation", all, named);
    }

    private void facts() {
        Set<DdlFact> theirs = TreeFacts.of(kind, node);
        if (tree.found().stream()
                .anyMatch(object -> object.startsWith("CREATED") && object.contains(" \"pg_temp\"."))) {
            theirs.add(DdlFact.TEMPORARY);
        }
        Set<DdlFact> ours = EnumSet.noneOf(DdlFact.class);
        ours.addAll(ddl.facts());
        ours.removeAll(NOT_IN_TREES);
        differ("missed fact", theirs, ours);
        differ("more fact", ours, theirs);
    }

    private void expressions() throws IOException {
        List<String> theirs = new ArrayList<>(TreeExpressions.of(kind, node));
        expressions = theirs.size();
        List<String> more = new ArrayList<>();
        for (Expression expression : ddl.expressions()) {
            JsonNode value = grammar.expression(expression.text());
            String line = TreeExpressions.line(expression.place(), expression.column(), value);
            if (!theirs.remove(line)) {
                more.add(line);
            }
            Set<String> names = new TreeSet<>();
            expression.functions().forEach(name -> names.add(name.substring(name.lastIndexOf('.') + 1)));
            for (JsonNode call : value.findValues("FuncCall")) {
                List<String> parts = TreeObjects.strings(call.path("funcname"));
                functions++;
                differ("missed function", List.of(parts.get(parts.size() - 1)), names);
            }
        }
        differ("missed expression", theirs, Set.of());
        differ("more expression", more, Set.of());
    }

    /** What tells routines, aggregates and operators of one name apart. */
    private void signatures() throws IOException {
        if (OF_FUNCTIONS.contains(kind)) {
            return;
        }
        // of a procedure OUT arguments count
        boolean procedure = ddl.objects().stream().anyMatch(object -> object.kind() == ObjectKind.PROCEDURE);
        List<String> theirs = new ArrayList<>();
        for (JsonNode routine : node.findParents("objname")) {
            if (procedure) {
                routine.path("objfuncargs")
                        .forEach(argument -> theirs.add(
                                plain(argument.path("FunctionParameter").path("argType"))));
            } else {
                routine.path("objargs").forEach(type -> theirs.add(plain(type.path("TypeName"))));
            }
        }
        List<String> ours = new ArrayList<>();
        for (ObjectRef object : ddl.objects()) {
            if (object.role() != ObjectRole.CREATED && object.kind() != ObjectKind.CAST) {
                for (String type : object.argumentTypes()) {
                    ours.add(plain(grammar.type(type)));
                }
            }
        }
        types = theirs.size();
        if (!ours.equals(theirs)) {
            differences.add("types " + ours + " for " + theirs);
        }
    }

    private static String plain(JsonNode type) {
        return TreeExpressions.withoutPlaces(type.deepCopy()).toString();
    }
}
