package io.ddlrep.parser;

import io.ddlrep.parser.internal.ddl.RoutineArguments;
import java.util.List;
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

    /**
     * The types in the signature that tell objects of one name apart, as written: a routine's arguments without modes,
     * names and defaults, and without OUT arguments but for a procedure; the two sides of an operator or a cast. Empty
     * where there is no signature.
     */
    public List<String> argumentTypes() {
        return signature == null || !signature.startsWith("(")
                ? List.of()
                : RoutineArguments.types(signature, kind == ObjectKind.PROCEDURE);
    }
}
