package io.ddlrep.engine.control;

import java.util.List;

/**
 * A publication that shall be made. Immutable.
 *
 * @param name its name
 * @param scope what it replicates
 * @param schemas the schemas of scope {@code SCHEMAS}; else empty
 * @param tables the tables of scope {@code TABLES}, as SQL spells them; partitions and children come along
 */
public record NewPublication(String name, Group.Scope scope, List<String> schemas, List<String> tables) {
    /** Checks that scope and lists fit. */
    public NewPublication {
        schemas = List.copyOf(schemas);
        tables = List.copyOf(tables);
        if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no name for a publication: small letters, digits and underscores");
        }
        if (scope == Group.Scope.SCHEMAS == schemas.isEmpty()) {
            throw new IllegalArgumentException("scope schemas, and no other, names its schemas");
        }
        if (scope != Group.Scope.TABLES && !tables.isEmpty()) {
            throw new IllegalArgumentException("only scope tables names its tables");
        }
    }
}
