package io.ddlrep.examples.load;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** How the tables look now: names, the value column's name, and which alterations are on. One thread at a time. */
final class Shapes {
    static final String OTHER_SCHEMA = "\"Other side\"";

    private final Map<Entity, String> schemas = new EnumMap<>(Entity.class);
    private final Map<Entity, String> names = new EnumMap<>(Entity.class);
    private final Map<Entity, String> values = new EnumMap<>(Entity.class);
    private final Set<String> on = new HashSet<>();
    private long serial;

    Shapes() {
        for (Entity entity : Entity.values()) {
            schemas.put(entity, "public");
            names.put(entity, entity.initialName());
            values.put(entity, "n");
        }
    }

    Shapes copy() {
        Shapes copy = new Shapes();
        copy.schemas.putAll(schemas);
        copy.names.putAll(names);
        copy.values.putAll(values);
        copy.on.addAll(on);
        copy.serial = serial;
        return copy;
    }

    String table(Entity entity) {
        return schemas.get(entity) + "." + names.get(entity);
    }

    /** The qualified name of an index or another object that lives in the table's schema. */
    String beside(Entity entity, String name) {
        return schemas.get(entity) + "." + name;
    }

    String value(Entity entity) {
        return java.util.Objects.requireNonNull(values.get(entity));
    }

    String renameTable(Entity entity) {
        String now = java.util.Objects.requireNonNull(names.get(entity));
        String next = now.endsWith("_r") ? entity.initialName() : now + "_r";
        names.put(entity, next);
        return next;
    }

    String moveTable(Entity entity) {
        String next = "public".equals(schemas.get(entity)) ? OTHER_SCHEMA : "public";
        schemas.put(entity, next);
        return next;
    }

    String renameValue(Entity entity) {
        String next = "n".equals(values.get(entity)) ? "\"N ü\"" : "n";
        values.put(entity, next);
        return next;
    }

    /** Turns an alteration over; says whether it is on now. */
    boolean toggle(String alteration) {
        if (on.remove(alteration)) {
            return false;
        }
        on.add(alteration);
        return true;
    }

    boolean isOn(String alteration) {
        return on.contains(alteration);
    }

    /** A number that was not used before. */
    long next() {
        return ++serial;
    }
}
