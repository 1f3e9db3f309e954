package io.ddlrep.engine.capture;

import io.ddlrep.engine.node.Quote;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table. Immutable.
 *
 * @param name its name
 * @param number its attnum on the origin
 * @param generated whether the server computes it
 * @param identityAlways whether it is {@code GENERATED ALWAYS AS IDENTITY}
 * @param notNull whether it is NOT NULL
 * @param type its type as {@code format_type} prints it
 * @param typeName the qualified, quoted name of its type, without a modifier
 * @param wireType its self-contained type, or null where it travels as text
 * @param collation the collation to compare keys with, as SQL, or null
 * @param keyPosition its place in the key from 0, or -1
 * @param keyOperator the equality of the key's index, as SQL; null outside the key
 * @param place its place from 1 in the array in which a row's values travel as text, or 0 where it travels by itself
 */
public record Column(
        String name,
        int number,
        boolean generated,
        boolean identityAlways,
        boolean notNull,
        String type,
        String typeName,
        @Nullable String wireType,
        @Nullable String collation,
        int keyPosition,
        @Nullable String keyOperator,
        int place) {
    /** The array in which values travel, in shadow and staging tables. */
    static final String ARRAY = "r";

    /** The same column where its value travels in an array, at a place from 1. */
    Column at(int place) {
        return new Column(
                name,
                number,
                generated,
                identityAlways,
                notNull,
                type,
                typeName,
                null,
                collation,
                keyPosition,
                keyOperator,
                place);
    }

    /** Its name in shadow and staging tables: free of clashes with their own columns, and of odd letters. */
    public String wire() {
        return "c" + number;
    }

    /** Its value in a row of a shadow or staging table. */
    String stored(String row) {
        return row + "." + (place == 0 ? wire() : ARRAY + "[" + place + "]");
    }

    /** Its type in shadow and staging tables. */
    public String shadowType() {
        return wireType == null ? "pg_catalog.text" : wireType;
    }

    /** Whether it travels in its type's text form. */
    public boolean asText() {
        return wireType == null;
    }

    /** Whether it belongs to the key. */
    public boolean inKey() {
        return keyPosition >= 0;
    }

    /** The quoted name. */
    public String quoted() {
        return Quote.name(name);
    }

    /**
     * The value that travels, of a row called {@code row}. Text forms come from the type's output function, never from a
     * cast, which a user could define.
     */
    public String captured(String row) {
        String value = row + "." + quoted();
        return asText()
                ? "CASE WHEN " + value + " IS NOT DISTINCT FROM NULL THEN NULL ELSE pg_catalog.format('%s', " + value
                        + ") END"
                : value;
    }

    /** One line of the canonical text of a row shape. */
    String canonical() {
        return String.join(
                "|",
                Quote.name(name),
                wire(),
                type,
                typeName,
                shadowType(),
                generated ? "generated" : "",
                identityAlways ? "always" : "",
                Integer.toString(keyPosition));
    }
}
