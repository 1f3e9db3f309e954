package io.ddlrep.parser.grammar;

import static io.ddlrep.parser.ObjectKind.COLUMN;
import static io.ddlrep.parser.ObjectKind.CONSTRAINT;
import static io.ddlrep.parser.ObjectKind.INDEX;
import static io.ddlrep.parser.ObjectKind.RULE;
import static io.ddlrep.parser.ObjectKind.TABLESPACE;
import static io.ddlrep.parser.ObjectKind.TRIGGER;
import static io.ddlrep.parser.ObjectKind.TYPE;
import static io.ddlrep.parser.ObjectRole.ALTERED;
import static io.ddlrep.parser.ObjectRole.CREATED;
import static io.ddlrep.parser.ObjectRole.DROPPED;
import static io.ddlrep.parser.ObjectRole.REFERENCED;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;

/** Reads AlterTableStmt: of tables and their kin, and of composite types. */
final class TreeAlterTable {
    private final TreeObjects objects;

    TreeAlterTable(TreeObjects objects) {
        this.objects = objects;
    }

    void read(JsonNode node) {
        ObjectKind kind = TreeObjects.kind(node.path("objtype").asText());
        ObjectName table = TreeObjects.range(node.path("relation"));
        objects.add(ALTERED, kind, table);
        if (kind != TYPE) {
            node.path("cmds").forEach(command -> command(kind, table, command.path("AlterTableCmd")));
        }
    }

    private void command(ObjectKind kind, ObjectName table, JsonNode command) {
        String subtype = command.path("subtype").asText().substring("AT_".length());
        String name = command.path("name").asText();
        switch (subtype) {
            case "AddColumn" -> {
                JsonNode column = command.path("def").path("ColumnDef");
                objects.add(CREATED, COLUMN, column.path("colname").asText(), table);
                column.path("constraints").forEach(constraint -> constraint(constraint.path("Constraint")));
            }
            case "DropColumn" -> objects.add(DROPPED, COLUMN, name, table);
            case "ColumnDefault",
                    "DropNotNull",
                    "SetNotNull",
                    "SetExpression",
                    "DropExpression",
                    "SetStatistics",
                    "SetOptions",
                    "ResetOptions",
                    "SetStorage",
                    "SetCompression",
                    "AlterColumnType",
                    "AlterColumnGenericOptions",
                    "AddIdentity",
                    "SetIdentity",
                    "DropIdentity" ->
                objects.add(
                        ALTERED, COLUMN, name.isEmpty() ? command.path("num").asText() : name, table);
            case "AddConstraint" -> {
                JsonNode constraint = command.path("def").path("Constraint");
                if (constraint.has("conname")) {
                    objects.add(CREATED, CONSTRAINT, constraint.path("conname").asText(), table);
                }
                constraint(constraint);
                if (constraint.has("indexname")) {
                    objects.add(
                            ALTERED,
                            INDEX,
                            new ObjectName(
                                    table.schema(), constraint.path("indexname").asText()));
                }
            }
            case "AlterConstraint" -> {
                JsonNode definition = command.path("def");
                String own = definition
                        .path("Constraint")
                        .path("conname")
                        .asText(definition
                                .path("ATAlterConstraint")
                                .path("conname")
                                .asText());
                objects.add(ALTERED, CONSTRAINT, own, table);
            }
            case "ValidateConstraint" -> objects.add(ALTERED, CONSTRAINT, name, table);
            case "DropConstraint" -> objects.add(DROPPED, CONSTRAINT, name, table);
            case "SetTableSpace" -> objects.add(REFERENCED, TABLESPACE, name);
            case "ChangeOwner" -> objects.role(REFERENCED, command.path("newowner"));
            case "EnableTrig", "EnableAlwaysTrig", "EnableReplicaTrig", "DisableTrig" ->
                objects.add(ALTERED, TRIGGER, name, table);
            case "EnableRule", "EnableAlwaysRule", "EnableReplicaRule", "DisableRule" ->
                objects.add(ALTERED, RULE, name, table);
            case "AddInherit", "DropInherit" ->
                objects.relation(ALTERED, command.path("def").path("RangeVar"));
            case "AttachPartition", "DetachPartition", "DetachPartitionFinalize" -> {
                JsonNode part = command.path("def").path("PartitionCmd").path("name");
                objects.add(ALTERED, kind, TreeObjects.range(part));
            }
            case "AddOf" ->
                objects.add(
                        REFERENCED,
                        TYPE,
                        TreeObjects.typeName(command.path("def").path("TypeName")));
            default -> {}
        }
    }

    private void constraint(JsonNode constraint) {
        objects.relation(REFERENCED, constraint.path("pktable"));
        objects.add(REFERENCED, TABLESPACE, constraint.path("indexspace").asText());
    }
}
