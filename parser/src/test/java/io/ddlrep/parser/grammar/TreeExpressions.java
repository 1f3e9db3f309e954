package io.ddlrep.parser.grammar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The expressions of a statement as the tree of PostgreSQL's own grammar holds them: {@code PLACE column = tree}. */
final class TreeExpressions {
    private final List<String> found = new ArrayList<>();

    private TreeExpressions() {}

    static List<String> of(String kind, JsonNode node) {
        TreeExpressions expressions = new TreeExpressions();
        expressions.statement(kind, node);
        return expressions.found.stream().sorted().toList();
    }

    static String line(Object place, String column, JsonNode tree) {
        return place + " " + column + " = " + withoutPlaces(tree.deepCopy());
    }

    private void add(String place, String column, JsonNode tree) {
        if (!tree.isMissingNode()) {
            found.add(line(place, column, tree));
        }
    }

    private void statement(String kind, JsonNode node) {
        switch (kind) {
            case "AlterTableStmt" -> node.path("cmds").forEach(command -> command(command.path("AlterTableCmd")));
            case "CreateStmt" -> table(node);
            case "CreateForeignTableStmt" -> table(node.path("base"));
            case "IndexStmt" -> {
                node.path("indexParams")
                        .forEach(element ->
                                add("INDEX", "", element.path("IndexElem").path("expr")));
                add("INDEX", "", node.path("whereClause"));
            }
            case "CreateStatsStmt" ->
                node.path("exprs")
                        .forEach(element ->
                                add("STATISTICS", "", element.path("StatsElem").path("expr")));
            case "CreateTrigStmt" -> add("TRIGGER", "", node.path("whenClause"));
            case "RuleStmt" -> add("RULE", "", node.path("whereClause"));
            case "CreatePolicyStmt", "AlterPolicyStmt" -> {
                add("POLICY", "", node.path("qual"));
                add("POLICY", "", node.path("with_check"));
            }
            case "CreateDomainStmt" ->
                node.path("constraints")
                        .forEach(constraint -> constraint("SET_DEFAULT", "", constraint.path("Constraint")));
            case "AlterDomainStmt" -> {
                if (node.path("def").has("Constraint")) {
                    constraint("SET_DEFAULT", "", node.path("def").path("Constraint"));
                } else {
                    add("SET_DEFAULT", "", node.path("def"));
                }
            }
            case "CreateFunctionStmt" ->
                node.path("parameters")
                        .forEach(parameter -> add(
                                "ARGUMENT_DEFAULT",
                                "",
                                parameter.path("FunctionParameter").path("defexpr")));
            case "CreateSchemaStmt" ->
                node.path("schemaElts").forEach(element -> {
                    String inner = element.fieldNames().next();
                    statement(inner, element.path(inner));
                });
            default -> {}
        }
    }

    private void command(JsonNode command) {
        String name = command.path("name").asText();
        JsonNode definition = command.path("def");
        switch (command.path("subtype").asText()) {
            case "AT_AddColumn" -> column(definition.path("ColumnDef"));
            case "AT_ColumnDefault" -> add("SET_DEFAULT", name, definition);
            case "AT_SetExpression" -> add("GENERATED", name, definition);
            case "AT_AlterColumnType" ->
                add("USING", name, definition.path("ColumnDef").path("raw_default"));
            case "AT_AddConstraint" -> constraint("ADD_COLUMN_DEFAULT", "", definition.path("Constraint"));
            case "AT_AttachPartition" -> bound(definition.path("PartitionCmd").path("bound"));
            default -> {}
        }
    }

    private void table(JsonNode node) {
        for (JsonNode element : node.path("tableElts")) {
            column(element.path("ColumnDef"));
            constraint("ADD_COLUMN_DEFAULT", "", element.path("Constraint"));
        }
        node.path("constraints")
                .forEach(constraint -> constraint("ADD_COLUMN_DEFAULT", "", constraint.path("Constraint")));
        bound(node.path("partbound"));
        node.path("partspec")
                .path("partParams")
                .forEach(element ->
                        add("PARTITION_KEY", "", element.path("PartitionElem").path("expr")));
    }

    private void bound(JsonNode bound) {
        for (String part : List.of("listdatums", "lowerdatums", "upperdatums")) {
            for (JsonNode datum : bound.path(part)) {
                String keyword = TreeObjects.string(
                        datum.path("ColumnRef").path("fields").path(0));
                if (!keyword.equals("minvalue") && !keyword.equals("maxvalue")) {
                    add("PARTITION_BOUND", "", datum);
                }
            }
        }
    }

    private void column(JsonNode column) {
        column.path("constraints")
                .forEach(constraint -> constraint(
                        "ADD_COLUMN_DEFAULT", column.path("colname").asText(), constraint.path("Constraint")));
    }

    private void constraint(String ofDefault, String column, JsonNode constraint) {
        switch (constraint.path("contype").asText()) {
            case "CONSTR_DEFAULT" -> add(ofDefault, column, constraint.path("raw_expr"));
            case "CONSTR_GENERATED" -> add("GENERATED", column, constraint.path("raw_expr"));
            case "CONSTR_CHECK" -> add("CHECK", column, constraint.path("raw_expr"));
            case "CONSTR_EXCLUSION" -> {
                constraint
                        .path("exclusions")
                        .forEach(pair -> add(
                                "INDEX",
                                "",
                                pair.path("List")
                                        .path("items")
                                        .path(0)
                                        .path("IndexElem")
                                        .path("expr")));
                add("INDEX", "", constraint.path("where_clause"));
            }
            default -> {}
        }
    }

    /** Without the offsets, which depend on the text around. */
    static JsonNode withoutPlaces(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.remove(List.of(
                    "location",
                    "list_start",
                    "list_end",
                    "rexpr_list_start",
                    "rexpr_list_end",
                    "stmt_location",
                    "stmt_len"));
            Iterator<JsonNode> children = object.elements();
            children.forEachRemaining(TreeExpressions::withoutPlaces);
        } else if (tree instanceof ArrayNode array) {
            array.forEach(TreeExpressions::withoutPlaces);
        }
        return tree;
    }
}
