package io.ddlrep.parser.grammar;

import static io.ddlrep.parser.ObjectKind.ACCESS_METHOD;
import static io.ddlrep.parser.ObjectKind.COLLATION;
import static io.ddlrep.parser.ObjectKind.COLUMN;
import static io.ddlrep.parser.ObjectKind.CONSTRAINT;
import static io.ddlrep.parser.ObjectKind.CONVERSION;
import static io.ddlrep.parser.ObjectKind.DATABASE;
import static io.ddlrep.parser.ObjectKind.DOMAIN;
import static io.ddlrep.parser.ObjectKind.EVENT_TRIGGER;
import static io.ddlrep.parser.ObjectKind.EXTENSION;
import static io.ddlrep.parser.ObjectKind.FOREIGN_DATA_WRAPPER;
import static io.ddlrep.parser.ObjectKind.FOREIGN_TABLE;
import static io.ddlrep.parser.ObjectKind.FUNCTION;
import static io.ddlrep.parser.ObjectKind.INDEX;
import static io.ddlrep.parser.ObjectKind.LANGUAGE;
import static io.ddlrep.parser.ObjectKind.OPERATOR;
import static io.ddlrep.parser.ObjectKind.OPERATOR_CLASS;
import static io.ddlrep.parser.ObjectKind.OPERATOR_FAMILY;
import static io.ddlrep.parser.ObjectKind.POLICY;
import static io.ddlrep.parser.ObjectKind.PROCEDURE;
import static io.ddlrep.parser.ObjectKind.PUBLICATION;
import static io.ddlrep.parser.ObjectKind.ROLE;
import static io.ddlrep.parser.ObjectKind.RULE;
import static io.ddlrep.parser.ObjectKind.SCHEMA;
import static io.ddlrep.parser.ObjectKind.SEQUENCE;
import static io.ddlrep.parser.ObjectKind.SERVER;
import static io.ddlrep.parser.ObjectKind.STATISTICS;
import static io.ddlrep.parser.ObjectKind.SUBSCRIPTION;
import static io.ddlrep.parser.ObjectKind.TABLE;
import static io.ddlrep.parser.ObjectKind.TABLESPACE;
import static io.ddlrep.parser.ObjectKind.TEXT_SEARCH_CONFIGURATION;
import static io.ddlrep.parser.ObjectKind.TEXT_SEARCH_DICTIONARY;
import static io.ddlrep.parser.ObjectKind.TRANSFORM;
import static io.ddlrep.parser.ObjectKind.TRIGGER;
import static io.ddlrep.parser.ObjectKind.TYPE;
import static io.ddlrep.parser.ObjectKind.USER_MAPPING;
import static io.ddlrep.parser.ObjectKind.VIEW;
import static io.ddlrep.parser.ObjectRole.ALTERED;
import static io.ddlrep.parser.ObjectRole.CREATED;
import static io.ddlrep.parser.ObjectRole.DROPPED;
import static io.ddlrep.parser.ObjectRole.REFERENCED;
import static io.ddlrep.parser.ObjectRole.TRUNCATED;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads what a statement does to which objects out of the tree of PostgreSQL's own grammar. */
final class TreeReader {
    private static final Map<String, ObjectKind> ALTER_BY_NAME = Map.ofEntries(
            Map.entry("AlterEventTrigStmt trigname", EVENT_TRIGGER),
            Map.entry("AlterExtensionStmt extname", EXTENSION),
            Map.entry("AlterFdwStmt fdwname", FOREIGN_DATA_WRAPPER),
            Map.entry("AlterForeignServerStmt servername", SERVER),
            Map.entry("AlterDatabaseStmt dbname", DATABASE),
            Map.entry("AlterDatabaseSetStmt dbname", DATABASE),
            Map.entry("AlterDatabaseRefreshCollStmt dbname", DATABASE),
            Map.entry("AlterPublicationStmt pubname", PUBLICATION),
            Map.entry("AlterSubscriptionStmt subname", SUBSCRIPTION),
            Map.entry("AlterTableSpaceOptionsStmt tablespacename", TABLESPACE),
            Map.entry("AlterCollationStmt collname", COLLATION),
            Map.entry("AlterStatsStmt defnames", STATISTICS),
            Map.entry("AlterEnumStmt typeName", TYPE),
            Map.entry("AlterTypeStmt typeName", TYPE),
            Map.entry("AlterTSDictionaryStmt dictname", TEXT_SEARCH_DICTIONARY),
            Map.entry("AlterTSConfigurationStmt cfgname", TEXT_SEARCH_CONFIGURATION),
            Map.entry("AlterOpFamilyStmt opfamilyname", OPERATOR_FAMILY));
    private static final Map<String, ObjectKind> CREATE_BY_NAME = Map.ofEntries(
            Map.entry("CreateEventTrigStmt trigname", EVENT_TRIGGER),
            Map.entry("CreateExtensionStmt extname", EXTENSION),
            Map.entry("CreateFdwStmt fdwname", FOREIGN_DATA_WRAPPER),
            Map.entry("CreateForeignServerStmt servername", SERVER),
            Map.entry("CreatedbStmt dbname", DATABASE),
            Map.entry("CreatePublicationStmt pubname", PUBLICATION),
            Map.entry("CreateSubscriptionStmt subname", SUBSCRIPTION),
            Map.entry("CreateTableSpaceStmt tablespacename", TABLESPACE),
            Map.entry("CreateConversionStmt conversion_name", CONVERSION),
            Map.entry("CreatePLangStmt plname", LANGUAGE),
            Map.entry("CreateAmStmt amname", ACCESS_METHOD),
            Map.entry("CreateDomainStmt domainname", DOMAIN),
            Map.entry("CreateEnumStmt typeName", TYPE),
            Map.entry("CreateRangeStmt typeName", TYPE),
            Map.entry("CreateOpFamilyStmt opfamilyname", OPERATOR_FAMILY),
            Map.entry("CreateOpClassStmt opclassname", OPERATOR_CLASS),
            Map.entry("CreateRoleStmt role", ROLE));

    private final TreeObjects objects;

    TreeReader(TreeObjects objects) {
        this.objects = objects;
    }

    /** Reads one statement; false where this reader does not know its kind. */
    boolean read(String kind, JsonNode node) {
        boolean byName = byName(ALTER_BY_NAME, ALTERED, kind, node) || byName(CREATE_BY_NAME, CREATED, kind, node);
        boolean more = named(kind, node) || made(kind, node) || attached(kind, node) || other(kind, node);
        return byName || more;
    }

    private boolean byName(Map<String, ObjectKind> kinds, ObjectRole role, String kind, JsonNode node) {
        for (Map.Entry<String, ObjectKind> entry : kinds.entrySet()) {
            String key = entry.getKey();
            int space = key.indexOf(' ');
            if (key.substring(0, space).equals(kind)) {
                JsonNode name = node.path(key.substring(space + 1));
                objects.add(
                        role,
                        entry.getValue(),
                        name.isArray()
                                ? TreeObjects.name(TreeObjects.strings(name))
                                : new ObjectName(null, name.asText()));
                return true;
            }
        }
        return false;
    }

    /** Statements about objects of any kind. */
    private boolean named(String kind, JsonNode node) {
        String type = node.path("objectType").asText(node.path("objtype").asText());
        switch (kind) {
            case "AlterTableStmt" -> new TreeAlterTable(objects).read(node);
            case "RenameStmt" -> new TreeRename(objects).rename(node);
            case "AlterObjectSchemaStmt" -> new TreeRename(objects).schema(node);
            case "AlterOwnerStmt" -> {
                objects.object(ALTERED, type, node.path("object"));
                objects.role(REFERENCED, node.path("newowner"));
            }
            case "AlterObjectDependsStmt" -> {
                if (type.equals("OBJECT_TRIGGER")) {
                    trigger(
                            ALTERED,
                            TRIGGER,
                            node,
                            "relation",
                            TreeObjects.string(node.path("object")
                                    .path("List")
                                    .path("items")
                                    .path(0)));
                } else if (node.has("relation")) {
                    objects.add(ALTERED, TreeObjects.kind(type), TreeObjects.range(node.path("relation")));
                } else {
                    objects.object(ALTERED, type, node.path("object"));
                }
                objects.add(
                        REFERENCED, EXTENSION, node.path("extname").path("sval").asText());
            }
            case "DropStmt" ->
                node.path("objects")
                        .forEach(object ->
                                objects.object(DROPPED, node.path("removeType").asText(), object));
            case "CommentStmt", "SecLabelStmt" -> objects.object(ALTERED, type, node.path("object"));
            case "AlterExtensionContentsStmt" -> {
                objects.add(ALTERED, EXTENSION, node.path("extname").asText());
                objects.object(ALTERED, type, node.path("object"));
            }
            case "AlterOperatorStmt" ->
                objects.add(ALTERED, OPERATOR, TreeObjects.anyName(wrap("ObjectWithArgs", node.path("opername"))));
            case "AlterFunctionStmt" ->
                objects.add(
                        ALTERED,
                        TreeObjects.kind(type),
                        TreeObjects.anyName(wrap("ObjectWithArgs", node.path("func"))));
            case "TruncateStmt" -> objects.relations(TRUNCATED, node.path("relations"));
            default -> {
                return false;
            }
        }
        return true;
    }

    private static JsonNode wrap(String key, JsonNode node) {
        return JsonNodeFactory.instance.objectNode().set(key, node);
    }

    /** Statements that make relations, routines and types. */
    private boolean made(String kind, JsonNode node) {
        switch (kind) {
            case "CreateStmt" -> new TreeCreateTable(objects).read(TABLE, node);
            case "CreateForeignTableStmt" -> {
                new TreeCreateTable(objects).read(FOREIGN_TABLE, node.path("base"));
                objects.add(REFERENCED, SERVER, node.path("servername").asText());
            }
            case "CreateTableAsStmt" -> {
                JsonNode into = node.path("into");
                objects.add(
                        CREATED, TreeObjects.kind(node.path("objtype").asText()), TreeObjects.range(into.path("rel")));
                objects.add(REFERENCED, TABLESPACE, into.path("tableSpaceName").asText());
            }
            case "SelectStmt" -> into(node);
            case "ViewStmt" -> objects.add(CREATED, VIEW, TreeObjects.range(node.path("view")));
            case "IndexStmt" -> {
                ObjectName table = TreeObjects.range(node.path("relation"));
                if (node.has("idxname")) {
                    objects.add(
                            CREATED,
                            INDEX,
                            new ObjectName(table.schema(), node.path("idxname").asText()));
                }
                objects.add(ALTERED, TABLE, table);
                objects.add(REFERENCED, TABLESPACE, node.path("tableSpace").asText());
            }
            case "CreateSeqStmt" -> {
                objects.add(CREATED, SEQUENCE, TreeObjects.range(node.path("sequence")));
                owned(node);
            }
            case "AlterSeqStmt" -> {
                objects.add(ALTERED, SEQUENCE, TreeObjects.range(node.path("sequence")));
                owned(node);
            }
            case "CreateFunctionStmt" ->
                objects.add(
                        CREATED,
                        node.path("is_procedure").asBoolean() ? PROCEDURE : FUNCTION,
                        TreeObjects.name(TreeObjects.strings(node.path("funcname"))));
            case "DefineStmt" ->
                objects.add(
                        CREATED,
                        TreeObjects.kind(node.path("kind").asText()),
                        TreeObjects.name(TreeObjects.strings(node.path("defnames"))));
            case "CompositeTypeStmt" -> objects.add(CREATED, TYPE, TreeObjects.range(node.path("typevar")));
            case "CreateStatsStmt" -> {
                if (node.has("defnames")) {
                    objects.add(CREATED, STATISTICS, TreeObjects.name(TreeObjects.strings(node.path("defnames"))));
                }
                objects.relations(ALTERED, node.path("relations"));
            }
            case "CreateSchemaStmt" -> {
                objects.add(
                        CREATED,
                        SCHEMA,
                        node.path("schemaname")
                                .asText(node.path("authrole").path("rolename").asText()));
                objects.role(REFERENCED, node.path("authrole"));
                objects.within(node.path("schemaname")
                        .asText(node.path("authrole").path("rolename").asText()));
                // the server makes sequences and tables first (transformCreateSchemaStmtElements)
                for (boolean first : new boolean[] {true, false}) {
                    for (JsonNode element : node.path("schemaElts")) {
                        String inner = element.fieldNames().next();
                        if (first == (inner.equals("CreateStmt") || inner.equals("CreateSeqStmt"))) {
                            read(inner, element.path(inner));
                        }
                    }
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void into(JsonNode select) {
        JsonNode first = select;
        while (first.has("larg")) {
            first = first.path("larg");
        }
        if (first.has("intoClause")) {
            objects.relation(CREATED, first.path("intoClause").path("rel"));
        }
    }

    private void owned(JsonNode sequence) {
        for (JsonNode option : sequence.path("options")) {
            JsonNode element = option.path("DefElem");
            List<String> parts =
                    TreeObjects.strings(element.path("arg").path("List").path("items"));
            if (element.path("defname").asText().equals("owned_by") && parts.size() > 1) {
                ObjectName table = TreeObjects.name(parts.subList(0, parts.size() - 1));
                objects.add(REFERENCED, TABLE, table);
                objects.add(REFERENCED, COLUMN, parts.get(parts.size() - 1), table);
            }
        }
    }

    /** What hangs on a relation or on a type. */
    private boolean attached(String kind, JsonNode node) {
        switch (kind) {
            case "CreateTrigStmt" -> {
                trigger(
                        CREATED,
                        TRIGGER,
                        node,
                        "relation",
                        node.path("trigname").asText());
                objects.relation(REFERENCED, node.path("constrrel"));
                objects.add(REFERENCED, FUNCTION, TreeObjects.name(TreeObjects.strings(node.path("funcname"))));
            }
            case "CreateEventTrigStmt" ->
                objects.add(REFERENCED, FUNCTION, TreeObjects.name(TreeObjects.strings(node.path("funcname"))));
            case "RuleStmt" ->
                trigger(CREATED, RULE, node, "relation", node.path("rulename").asText());
            case "CreatePolicyStmt", "AlterPolicyStmt" -> {
                trigger(
                        kind.startsWith("C") ? CREATED : ALTERED,
                        POLICY,
                        node,
                        "table",
                        node.path("policy_name").asText());
                objects.roles(REFERENCED, node.path("roles"));
            }
            case "AlterDomainStmt" -> {
                ObjectName domain = TreeObjects.name(TreeObjects.strings(node.path("typeName")));
                objects.add(ALTERED, DOMAIN, domain);
                String name = node.path("name")
                        .asText(node.path("def")
                                .path("Constraint")
                                .path("conname")
                                .asText());
                if (!name.isEmpty()) {
                    String subtype = node.path("subtype").asText();
                    objects.add(
                            subtype.equals("C") || subtype.equals("AD_AddConstraint")
                                    ? CREATED
                                    : subtype.equals("X") || subtype.equals("AD_DropConstraint") ? DROPPED : ALTERED,
                            CONSTRAINT,
                            name,
                            domain);
                }
            }
            case "CreateCastStmt" -> objects.found().add("CREATED CAST");
            case "CreateTransformStmt" -> objects.add(CREATED, TRANSFORM, TreeObjects.typeName(node.path("type_name")));
            case "CreateUserMappingStmt" -> mapping(CREATED, node);
            case "AlterUserMappingStmt" -> mapping(ALTERED, node);
            case "DropUserMappingStmt" -> mapping(DROPPED, node);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void mapping(ObjectRole role, JsonNode node) {
        JsonNode user = node.path("user");
        String type = user.path("roletype").asText();
        objects.add(
                role,
                USER_MAPPING,
                type.equals("ROLESPEC_CSTRING")
                        ? user.path("rolename").asText()
                        : type.substring("ROLESPEC_".length()).toLowerCase(Locale.ROOT));
    }

    private void trigger(ObjectRole role, ObjectKind kind, JsonNode node, String relation, String name) {
        ObjectName table = TreeObjects.range(node.path(relation));
        objects.add(role, kind, name, table);
        objects.add(ALTERED, TABLE, table);
    }

    private boolean other(String kind, JsonNode node) {
        return new TreeRights(objects).read(kind, node) || new TreeMaintenance(objects).read(kind, node);
    }
}
