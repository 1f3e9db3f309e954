package io.ddlrep.parser.grammar;

import static io.ddlrep.parser.ObjectKind.TABLESPACE;
import static io.ddlrep.parser.ObjectKind.TYPE;
import static io.ddlrep.parser.ObjectRole.ALTERED;
import static io.ddlrep.parser.ObjectRole.CREATED;
import static io.ddlrep.parser.ObjectRole.REFERENCED;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.ObjectKind;

/** Reads CreateStmt. */
final class TreeCreateTable {
    private final TreeObjects objects;

    TreeCreateTable(TreeObjects objects) {
        this.objects = objects;
    }

    void read(ObjectKind kind, JsonNode node) {
        objects.add(CREATED, kind, TreeObjects.range(node.path("relation")));
        objects.add(REFERENCED, TABLESPACE, node.path("tablespacename").asText());
        boolean partition = node.has("partbound");
        objects.relations(partition ? REFERENCED : ALTERED, node.path("inhRelations"));
        if (node.has("ofTypename")) {
            objects.add(REFERENCED, TYPE, TreeObjects.typeName(node.path("ofTypename")));
        }
        node.path("constraints").forEach(constraint -> constraint(constraint.path("Constraint")));
        for (JsonNode element : node.path("tableElts")) {
            objects.relation(REFERENCED, element.path("TableLikeClause").path("relation"));
            constraint(element.path("Constraint"));
            element.path("ColumnDef")
                    .path("constraints")
                    .forEach(constraint -> constraint(constraint.path("Constraint")));
        }
    }

    private void constraint(JsonNode constraint) {
        objects.relation(REFERENCED, constraint.path("pktable"));
        objects.add(REFERENCED, TABLESPACE, constraint.path("indexspace").asText());
    }
}
