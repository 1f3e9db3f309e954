package io.ddlrep.parser.grammar;

import static io.ddlrep.parser.ObjectKind.DEFAULT_PRIVILEGES;
import static io.ddlrep.parser.ObjectKind.LARGE_OBJECT;
import static io.ddlrep.parser.ObjectKind.ROLE;
import static io.ddlrep.parser.ObjectKind.SCHEMA;
import static io.ddlrep.parser.ObjectRole.ALTERED;
import static io.ddlrep.parser.ObjectRole.DROPPED;
import static io.ddlrep.parser.ObjectRole.REFERENCED;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.ObjectKind;

/** Reads rights and roles. */
final class TreeRights {
    private final TreeObjects objects;

    TreeRights(TreeObjects objects) {
        this.objects = objects;
    }

    boolean read(String kind, JsonNode node) {
        switch (kind) {
            case "GrantStmt" -> grant(node);
            case "GrantRoleStmt" -> {
                node.path("granted_roles")
                        .forEach(role -> objects.add(
                                ALTERED,
                                ROLE,
                                role.path("AccessPriv").path("priv_name").asText()));
                objects.roles(ALTERED, node.path("grantee_roles"));
                objects.role(REFERENCED, node.path("grantor"));
            }
            case "AlterDefaultPrivilegesStmt" -> {
                objects.add(ALTERED, DEFAULT_PRIVILEGES, "default privileges");
                for (JsonNode option : node.path("options")) {
                    JsonNode element = option.path("DefElem");
                    JsonNode items = element.path("arg").path("List").path("items");
                    if (element.path("defname").asText().equals("roles")) {
                        objects.roles(REFERENCED, items);
                    } else {
                        items.forEach(schema -> objects.add(REFERENCED, SCHEMA, TreeObjects.string(schema)));
                    }
                }
                objects.roles(REFERENCED, node.path("action").path("grantees"));
            }
            case "CreateRoleStmt" -> options(node);
            case "AlterRoleStmt" -> {
                boolean members = node.path("options")
                        .path(0)
                        .path("DefElem")
                        .path("defname")
                        .asText()
                        .equals("rolemembers");
                objects.role(ALTERED, node.path("role"));
                if (members) {
                    objects.roles(
                            REFERENCED,
                            node.path("options")
                                    .path(0)
                                    .path("DefElem")
                                    .path("arg")
                                    .path("List")
                                    .path("items"));
                }
            }
            case "AlterRoleSetStmt" -> {
                if (node.has("role")) {
                    objects.role(ALTERED, node.path("role"));
                } else {
                    objects.add(ALTERED, ROLE, "all");
                }
            }
            case "DropRoleStmt" -> objects.roles(DROPPED, node.path("roles"));
            case "DropOwnedStmt" -> objects.roles(ALTERED, node.path("roles"));
            case "ReassignOwnedStmt" -> {
                objects.roles(ALTERED, node.path("roles"));
                objects.role(REFERENCED, node.path("newrole"));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void options(JsonNode node) {
        for (JsonNode option : node.path("options")) {
            String name = option.path("DefElem").path("defname").asText();
            if (name.equals("addroleto") || name.equals("rolemembers") || name.equals("adminmembers")) {
                objects.roles(
                        REFERENCED,
                        option.path("DefElem").path("arg").path("List").path("items"));
            }
        }
    }

    private void grant(JsonNode node) {
        String type = node.path("objtype").asText();
        boolean all = node.path("targtype").asText().equals("ACL_TARGET_ALL_IN_SCHEMA");
        ObjectKind kind = all ? SCHEMA : TreeObjects.kind(type);
        for (JsonNode object : node.path("objects")) {
            if (kind == LARGE_OBJECT) {
                objects.add(ALTERED, kind, TreeObjects.number(object));
            } else {
                objects.add(ALTERED, kind, TreeObjects.anyName(object));
            }
        }
        objects.roles(REFERENCED, node.path("grantees"));
        objects.role(REFERENCED, node.path("grantor"));
    }
}
