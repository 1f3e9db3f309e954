package io.ddlrep.parser.grammar;

import static io.ddlrep.parser.ObjectKind.DATABASE;
import static io.ddlrep.parser.ObjectKind.INDEX;
import static io.ddlrep.parser.ObjectKind.MATERIALIZED_VIEW;
import static io.ddlrep.parser.ObjectKind.PARAMETER;
import static io.ddlrep.parser.ObjectKind.SCHEMA;
import static io.ddlrep.parser.ObjectKind.SERVER;
import static io.ddlrep.parser.ObjectKind.SUBSCRIPTION;
import static io.ddlrep.parser.ObjectKind.TABLE;
import static io.ddlrep.parser.ObjectKind.TABLESPACE;
import static io.ddlrep.parser.ObjectRole.ALTERED;
import static io.ddlrep.parser.ObjectRole.DROPPED;
import static io.ddlrep.parser.ObjectRole.REFERENCED;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.ObjectName;

/** Reads maintenance, and what concerns the whole server. */
final class TreeMaintenance {
    private final TreeObjects objects;

    TreeMaintenance(TreeObjects objects) {
        this.objects = objects;
    }

    boolean read(String kind, JsonNode node) {
        switch (kind) {
            case "RefreshMatViewStmt" ->
                objects.add(ALTERED, MATERIALIZED_VIEW, TreeObjects.range(node.path("relation")));
            case "ReindexStmt" -> reindex(node);
            case "ClusterStmt" -> {
                if (node.has("relation")) {
                    ObjectName table = TreeObjects.range(node.path("relation"));
                    objects.add(ALTERED, TABLE, table);
                    if (node.has("indexname")) {
                        objects.add(
                                ALTERED,
                                INDEX,
                                new ObjectName(
                                        table.schema(), node.path("indexname").asText()));
                    }
                }
            }
            case "VacuumStmt" ->
                node.path("rels")
                        .forEach(rel -> objects.relation(
                                ALTERED, rel.path("VacuumRelation").path("relation")));
            case "DropdbStmt" ->
                objects.add(DROPPED, DATABASE, node.path("dbname").asText());
            case "DropTableSpaceStmt" ->
                objects.add(DROPPED, TABLESPACE, node.path("tablespacename").asText());
            case "DropSubscriptionStmt" ->
                objects.add(DROPPED, SUBSCRIPTION, node.path("subname").asText());
            case "AlterSystemStmt" ->
                objects.add(
                        ALTERED, PARAMETER, node.path("setstmt").path("name").asText("all"));
            case "AlterTableMoveAllStmt" ->
                objects.add(
                        REFERENCED, TABLESPACE, node.path("orig_tablespacename").asText());
            case "ImportForeignSchemaStmt" -> {
                objects.add(REFERENCED, SERVER, node.path("server_name").asText());
                objects.add(ALTERED, SCHEMA, node.path("local_schema").asText());
            }
            case "CreatePublicationStmt", "AlterPublicationStmt" -> {
                for (JsonNode object : node.path("pubobjects")) {
                    JsonNode spec = object.path("PublicationObjSpec");
                    objects.relation(ALTERED, spec.path("pubtable").path("relation"));
                    objects.add(ALTERED, SCHEMA, spec.path("name").asText());
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void reindex(JsonNode node) {
        switch (node.path("kind").asText()) {
            case "REINDEX_OBJECT_INDEX" -> objects.add(ALTERED, INDEX, TreeObjects.range(node.path("relation")));
            case "REINDEX_OBJECT_TABLE" -> objects.relation(ALTERED, node.path("relation"));
            case "REINDEX_OBJECT_SCHEMA" ->
                objects.add(ALTERED, SCHEMA, node.path("name").asText());
            case "REINDEX_OBJECT_DATABASE" ->
                objects.add(ALTERED, DATABASE, node.path("name").asText());
            default -> {}
        }
    }
}
