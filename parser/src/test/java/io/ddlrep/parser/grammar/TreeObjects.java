package io.ddlrep.parser.grammar;

import com.fasterxml.jackson.databind.JsonNode;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a statement as the tree of PostgreSQL's own grammar names them, written as
 * {@code ROLE KIND "name" [of "owner"]}. Filled by {@link TreeReader}.
 */
final class TreeObjects {
    private static final Map<String, ObjectKind> KINDS = Map.ofEntries(
            Map.entry("OBJECT_FDW", ObjectKind.FOREIGN_DATA_WRAPPER),
            Map.entry("OBJECT_FOREIGN_SERVER", ObjectKind.SERVER),
            Map.entry("OBJECT_MATVIEW", ObjectKind.MATERIALIZED_VIEW),
            Map.entry("OBJECT_OPCLASS", ObjectKind.OPERATOR_CLASS),
            Map.entry("OBJECT_OPFAMILY", ObjectKind.OPERATOR_FAMILY),
            Map.entry("OBJECT_STATISTIC_EXT", ObjectKind.STATISTICS),
            Map.entry("OBJECT_TSCONFIGURATION", ObjectKind.TEXT_SEARCH_CONFIGURATION),
            Map.entry("OBJECT_TSDICTIONARY", ObjectKind.TEXT_SEARCH_DICTIONARY),
            Map.entry("OBJECT_TSPARSER", ObjectKind.TEXT_SEARCH_PARSER),
            Map.entry("OBJECT_TSTEMPLATE", ObjectKind.TEXT_SEARCH_TEMPLATE),
            Map.entry("OBJECT_LARGEOBJECT", ObjectKind.LARGE_OBJECT),
            Map.entry("OBJECT_TABCONSTRAINT", ObjectKind.CONSTRAINT),
            Map.entry("OBJECT_DOMCONSTRAINT", ObjectKind.CONSTRAINT),
            Map.entry("OBJECT_PARAMETER_ACL", ObjectKind.PARAMETER));

    private final TreeSet<String> found = new TreeSet<>();
    private final Set<String> inSchema = new HashSet<>();
    private @Nullable String schema;

    /** From here on the elements of CREATE SCHEMA are read: what they make is made in it. */
    void within(String made) {
        schema = made.isEmpty() ? null : made;
    }

    /** The name, in the schema that CREATE SCHEMA makes where its elements make it. */
    ObjectName placed(ObjectName name) {
        return schema != null && name.schema() == null && inSchema.contains(name.name())
                ? new ObjectName(schema, name.name())
                : name;
    }

    static ObjectKind kind(String objectType) {
        ObjectKind known = KINDS.get(objectType);
        return known != null ? known : ObjectKind.valueOf(objectType.substring("OBJECT_".length()));
    }

    Set<String> found() {
        return found;
    }

    void add(ObjectRole role, ObjectKind kind, ObjectName name) {
        if (role == ObjectRole.CREATED && schema != null) {
            inSchema.add(name.name());
        }
        found.add(role + " " + kind + " " + placed(name).quoted());
    }

    void add(ObjectRole role, ObjectKind kind, String name) {
        if (!name.isEmpty()) {
            add(role, kind, new ObjectName(null, name));
        }
    }

    void add(ObjectRole role, ObjectKind kind, String name, ObjectName owner) {
        found.add(role + " " + kind + " " + new ObjectName(null, name).quoted() + " of "
                + placed(owner).quoted());
    }

    void relation(ObjectRole role, JsonNode rangeVar) {
        if (!rangeVar.isMissingNode()) {
            add(role, ObjectKind.TABLE, range(rangeVar));
        }
    }

    void relations(ObjectRole role, JsonNode list) {
        list.forEach(element -> relation(role, element.path("RangeVar")));
    }

    void role(ObjectRole role, JsonNode roleSpec) {
        if (roleSpec.path("roletype").asText().equals("ROLESPEC_CSTRING")) {
            add(role, ObjectKind.ROLE, roleSpec.path("rolename").asText());
        }
    }

    void roles(ObjectRole role, JsonNode list) {
        list.forEach(element -> role(role, element.path("RoleSpec")));
    }

    /** What RENAME, COMMENT, DROP and their kin name: the form depends on the kind of object. */
    void object(ObjectRole role, String type, JsonNode object) {
        ObjectKind kind = kind(type);
        switch (type) {
            case "OBJECT_TRIGGER", "OBJECT_RULE", "OBJECT_POLICY", "OBJECT_TABCONSTRAINT", "OBJECT_COLUMN" -> {
                List<String> parts = strings(object.path("List").path("items"));
                ObjectName owner = name(parts.subList(0, parts.size() - 1));
                add(role, kind, parts.get(parts.size() - 1), owner);
                add(ObjectRole.ALTERED, ObjectKind.TABLE, owner);
            }
            case "OBJECT_DOMCONSTRAINT" -> {
                JsonNode items = object.path("List").path("items");
                ObjectName domain = typeName(items.path(0).path("TypeName"));
                add(role, kind, string(items.path(1)), domain);
                add(ObjectRole.ALTERED, ObjectKind.DOMAIN, domain);
            }
            case "OBJECT_OPCLASS", "OBJECT_OPFAMILY" -> {
                List<String> parts = strings(object.path("List").path("items"));
                add(role, kind, name(parts.subList(1, parts.size())));
            }
            case "OBJECT_TRANSFORM" ->
                add(
                        role,
                        kind,
                        typeName(object.path("List").path("items").path(0).path("TypeName")));
            case "OBJECT_CAST" -> found.add(role + " CAST");
            case "OBJECT_LARGEOBJECT" -> add(role, kind, number(object));
            default -> add(role, kind, anyName(object));
        }
    }

    static ObjectName anyName(JsonNode object) {
        if (object.has("List")) {
            return name(strings(object.path("List").path("items")));
        }
        if (object.has("ObjectWithArgs")) {
            return name(strings(object.path("ObjectWithArgs").path("objname")));
        }
        if (object.has("TypeName")) {
            return typeName(object.path("TypeName"));
        }
        if (object.has("RangeVar")) {
            return range(object.path("RangeVar"));
        }
        return new ObjectName(null, string(object));
    }

    static String number(JsonNode node) {
        return node.has("Integer")
                ? node.path("Integer").path("ival").asText("0")
                : node.path("Float").path("fval").asText();
    }

    static ObjectName range(JsonNode rangeVar) {
        return rangeVar.has("schemaname")
                ? new ObjectName(
                        rangeVar.path("schemaname").asText(),
                        rangeVar.path("relname").asText())
                : new ObjectName(null, rangeVar.path("relname").asText());
    }

    static ObjectName typeName(JsonNode typeName) {
        return name(strings(typeName.path("names")));
    }

    /** A qualified name; a database before the schema is left out. */
    static ObjectName name(List<String> parts) {
        int last = parts.size() - 1;
        return new ObjectName(last > 0 ? parts.get(last - 1) : null, parts.get(last));
    }

    static String string(JsonNode node) {
        JsonNode string = node.path("String");
        return string.path("sval").asText(string.path("str").asText());
    }

    static List<String> strings(JsonNode list) {
        List<String> strings = new ArrayList<>();
        list.forEach(element -> strings.add(string(element)));
        return strings;
    }
}
