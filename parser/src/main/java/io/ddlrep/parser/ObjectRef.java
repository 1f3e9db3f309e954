package io.ddlrep.parser;

import org.jspecify.annotations.Nullable;

/**
 * One object that a DDL statement names. Immutable.
 *
 * @param kind what it is, as the command says (ALTER TABLE on a view still says TABLE)
 * @param name its name; for a trigger, policy, rule, constraint or column its own name without schema
 * @param role what the statement does to it
 * @param owner the relation that a trigger, policy, rule, constraint or column belongs to, else null
 * @param signature the argument list of a routine, aggregate or operator exactly as written (with the parentheses),
 *     else null
 */
public record ObjectRef(
        ObjectKind kind,
        ObjectName name,
        ObjectRole role,
        @Nullable ObjectName owner,
        @Nullable String signature) {
    /** A reference without owner or signature. */
    public static ObjectRef of(ObjectKind kind, ObjectName name, ObjectRole role) {
        return new ObjectRef(kind, name, role, null, null);
    }
}
