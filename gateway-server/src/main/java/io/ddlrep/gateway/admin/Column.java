package io.ddlrep.gateway.admin;

/**
 * A column. Immutable.
 *
 * @param name its name
 * @param type its type
 */
public record Column(String name, ColumnType type) {
    /** One of text. */
    static Column text(String name) {
        return new Column(name, ColumnType.TEXT);
    }

    /** One of {@code int8}. */
    static Column number(String name) {
        return new Column(name, ColumnType.BIGINT);
    }

    /** One of {@code bool}. */
    static Column flag(String name) {
        return new Column(name, ColumnType.BOOLEAN);
    }
}
