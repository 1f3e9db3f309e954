package io.ddlrep.parser.grammar;

import static io.ddlrep.parser.ObjectKind.COLUMN;
import static io.ddlrep.parser.ObjectKind.CONSTRAINT;
import static io.ddlrep.parser.ObjectKind.DOMAIN;
import static io.ddlrep.parser.ObjectKind.EXTENSION;
import static io.ddlrep.parser.ObjectKind.OPERATOR_CLASS;
import static io.ddlrep.parser.ObjectKind.OPERATOR_FAMILY;
import static io.ddlrep.parser.ObjectKind.TABLE;
import static io.ddlrep.parser.ObjectKind.TYPE;
import static io.ddlrep.parser.ObjectRole.ALTERED;
import static io.ddlrep.parser.ObjectRole.CREATED;
import static io.ddlrep.parser.ObjectRole.RENAMED;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import org.jspecify.annotations.Nullable;

/** Reads RenameStmt and AlterObjectSchemaStmt. */
final class TreeRename {
    private final TreeObjects objects;

    TreeRename(TreeObjects objects) {
        this.objects = objects;
    }

    void rename(JsonNode node) {
        String type = node.path("renameType").asText();
        String to = node.path("newname").asText();
        ObjectKind kind = type.equals("OBJECT_ATTRIBUTE") ? TYPE : TreeObjects.kind(type);
        switch (type) {
            case "OBJECT_COLUMN" ->
                part(
                        COLUMN,
                        TreeObjects.kind(node.path("relationType").asText()),
                        node.path("subname").asText(),
                        node);
            case "OBJECT_TABCONSTRAINT" ->
                part(CONSTRAINT, TABLE, node.path("subname").asText(), node);
            case "OBJECT_TRIGGER", "OBJECT_RULE", "OBJECT_POLICY" ->
                part(kind, TABLE, node.path("subname").asText(), node);
            case "OBJECT_DOMCONSTRAINT" -> {
                ObjectName domain = TreeObjects.anyName(node.path("object"));
                objects.add(ALTERED, DOMAIN, domain);
                objects.add(RENAMED, CONSTRAINT, node.path("subname").asText(), domain);
                objects.add(CREATED, CONSTRAINT, to, domain);
            }
            case "OBJECT_ATTRIBUTE" -> objects.add(ALTERED, TYPE, TreeObjects.range(node.path("relation")));
            case "OBJECT_ROLE", "OBJECT_DATABASE", "OBJECT_SCHEMA", "OBJECT_TABLESPACE" -> {
                objects.add(RENAMED, kind, node.path("subname").asText());
                objects.add(CREATED, kind, to);
            }
            case "OBJECT_OPCLASS", "OBJECT_OPFAMILY" -> {
                var parts = TreeObjects.strings(node.path("object").path("List").path("items"));
                moved(kind, TreeObjects.name(parts.subList(1, parts.size())), to, null);
            }
            default ->
                moved(
                        kind,
                        node.has("relation")
                                ? TreeObjects.range(node.path("relation"))
                                : TreeObjects.anyName(node.path("object")),
                        to,
                        null);
        }
    }

    private void part(ObjectKind kind, ObjectKind ofKind, String from, JsonNode node) {
        ObjectName owner = TreeObjects.range(node.path("relation"));
        objects.add(RENAMED, kind, from, owner);
        objects.add(CREATED, kind, node.path("newname").asText(), owner);
        objects.add(ALTERED, ofKind, owner);
    }

    private void moved(ObjectKind kind, ObjectName from, String to, @Nullable String schema) {
        objects.add(RENAMED, kind, from);
        objects.add(
                CREATED,
                kind,
                schema == null ? new ObjectName(from.schema(), to) : new ObjectName(schema, from.name()));
    }

    void schema(JsonNode node) {
        String type = node.path("objectType").asText();
        ObjectKind kind = TreeObjects.kind(type);
        if (kind == EXTENSION) {
            objects.object(ALTERED, type, node.path("object"));
            return;
        }
        ObjectName from;
        if (node.has("relation")) {
            from = TreeObjects.range(node.path("relation"));
        } else if (kind == OPERATOR_CLASS || kind == OPERATOR_FAMILY) {
            var parts = TreeObjects.strings(node.path("object").path("List").path("items"));
            from = TreeObjects.name(parts.subList(1, parts.size()));
        } else {
            from = TreeObjects.anyName(node.path("object"));
        }
        moved(kind, from, "", node.path("newschema").asText());
    }
}
