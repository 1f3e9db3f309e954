package io.ddlrep.parser.grammar;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.DdlFact;
import java.util.EnumSet;
import java.util.Set;

/** The options of a statement that decide, as the tree of PostgreSQL's own grammar holds them. */
final class TreeFacts {
    private static final Set<String> SERIAL =
            Set.of("serial", "serial2", "serial4", "serial8", "bigserial", "smallserial");
    private final EnumSet<DdlFact> found = EnumSet.noneOf(DdlFact.class);

    private TreeFacts() {}

    static Set<DdlFact> of(String kind, JsonNode node) {
        TreeFacts facts = new TreeFacts();
        facts.statement(kind, node);
        facts.walk(node);
        return facts.found;
    }

    private void when(boolean condition, DdlFact fact) {
        if (condition) {
            found.add(fact);
        }
    }

    private void statement(String kind, JsonNode node) {
        switch (kind) {
            case "CreateStmt" -> created(node.path("relation"));
            case "CreateForeignTableStmt" -> created(node.path("base").path("relation"));
            case "CreateSeqStmt" -> created(node.path("sequence"));
            case "ViewStmt" -> created(node.path("view"));
            case "CreateTableAsStmt" -> into(node.path("into"));
            case "SelectStmt" -> {
                JsonNode first = node;
                while (first.has("larg")) {
                    first = first.path("larg");
                }
                into(first.path("intoClause"));
            }
            case "RefreshMatViewStmt" -> {
                found.add(DdlFact.ROWS_FROM_QUERY);
                when(node.path("skipData").asBoolean(), DdlFact.WITH_NO_DATA);
            }
            case "TruncateStmt" -> when(node.path("restart_seqs").asBoolean(), DdlFact.RESTART_IDENTITY);
            case "RenameStmt" -> when(node.path("renameType").asText().equals("OBJECT_COLUMN"), DdlFact.ROW_SHAPE);
            case "ReindexStmt" -> {
                for (JsonNode option : node.path("params")) {
                    JsonNode element = option.path("DefElem");
                    String value = element.has("arg")
                            ? TreeObjects.string(element.path("arg")) + TreeObjects.number(element.path("arg"))
                            : "true";
                    when(
                            element.path("defname").asText().equals("concurrently")
                                    && !value.equals("false")
                                    && !value.equals("off")
                                    && !value.equals("0"),
                            DdlFact.CONCURRENTLY);
                }
            }
            case "CreateSchemaStmt" -> {
                node.path("schemaElts").forEach(element -> {
                    String inner = element.fieldNames().next();
                    statement(inner, element.path(inner));
                });
                // the server refuses it
                found.remove(DdlFact.TEMPORARY);
            }
            default -> {}
        }
    }

    private void created(JsonNode relation) {
        String persistence = relation.path("relpersistence").asText();
        when(persistence.equals("t") || relation.path("schemaname").asText().equals("pg_temp"), DdlFact.TEMPORARY);
        when(persistence.equals("u"), DdlFact.UNLOGGED);
    }

    private void into(JsonNode into) {
        created(into.path("rel"));
        found.add(DdlFact.ROWS_FROM_QUERY);
        when(into.path("skipData").asBoolean(), DdlFact.WITH_NO_DATA);
    }

    private void walk(JsonNode node) {
        when(node.path("concurrent").asBoolean(), DdlFact.CONCURRENTLY);
        when(
                node.path("missing_ok").asBoolean()
                        || node.path("if_not_exists").asBoolean()
                        || node.path("skipIfNewValExists").asBoolean(),
                DdlFact.CONDITIONAL);
        when(node.path("behavior").asText().equals("DROP_CASCADE"), DdlFact.CASCADE);
        JsonNode type = node.path("typeName").path("names");
        when(
                node.has("colname") && type.size() == 1 && SERIAL.contains(TreeObjects.string(type.path(0))),
                DdlFact.SEQUENCE_COLUMN);
        when(node.path("contype").asText().equals("CONSTR_IDENTITY"), DdlFact.SEQUENCE_COLUMN);
        switch (node.path("subtype").asText()) {
            case "AT_AddColumn" -> {
                found.add(DdlFact.ADD_COLUMN);
                found.add(DdlFact.ROW_SHAPE);
            }
            case "AT_DropColumn", "AT_SetExpression" -> found.add(DdlFact.ROW_SHAPE);
            case "AT_AlterColumnType" -> {
                found.add(DdlFact.COLUMN_TYPE);
                found.add(DdlFact.ROW_SHAPE);
            }
            case "AT_AttachPartition", "AT_DetachPartition", "AT_DetachPartitionFinalize" ->
                found.add(DdlFact.PARTITION_CHANGE);
            case "AT_SetUnLogged" -> found.add(DdlFact.UNLOGGED);
            case "AT_AddIdentity" -> found.add(DdlFact.SEQUENCE_COLUMN);
            default -> {}
        }
        if (!node.path("objtype").asText().equals("OBJECT_TYPE")) {
            node.forEach(this::walk);
        } else {
            node.path("cmds")
                    .findValuesAsText("behavior")
                    .forEach(b -> when(b.equals("DROP_CASCADE"), DdlFact.CASCADE));
            when(!node.findValues("missing_ok").isEmpty(), DdlFact.CONDITIONAL);
        }
    }
}
