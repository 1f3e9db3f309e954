package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.TokenType;
import io.ddlrep.parser.internal.Cursor;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the name of one object, in the form that its kind has in DROP, COMMENT ON and ALTER. Stateless. */
final class Targets {
    /** Kinds whose signature is a list of types. */
    private static final Set<ObjectKind> WITH_TYPES = EnumSet.of(
            ObjectKind.AGGREGATE,
            ObjectKind.CAST,
            ObjectKind.FUNCTION,
            ObjectKind.OPERATOR,
            ObjectKind.PROCEDURE,
            ObjectKind.ROUTINE);

    private Targets() {}

    /**
     * Reads one object and adds it, and its owner where it is a part of a relation.
     *
     * @return the reference; null where none could be read
     */
    static @Nullable ObjectRef read(Cursor cursor, ObjectKind kind, ObjectRole role, Findings findings) {
        int start = cursor.index();
        ObjectRef ref = reference(cursor, kind, role);
        findings.add(ref);
        if (ref != null && ref.signature() != null && WITH_TYPES.contains(kind)) {
            Cursor group = cursor.over(start, cursor.index());
            group.skipTo('(');
            RoutineArguments.read(group.over(group.index() + 1, group.closing()), findings);
        }
        if (ref != null && ref.owner() != null) {
            boolean domain = kind == ObjectKind.CONSTRAINT
                    && cursor.over(start + 1, start + 3).accept("ON", "DOMAIN");
            findings.add(domain ? ObjectKind.DOMAIN : ObjectKind.TABLE, ref.owner(), ObjectRole.ALTERED);
        }
        return ref;
    }

    private static @Nullable ObjectRef reference(Cursor cursor, ObjectKind kind, ObjectRole role) {
        return switch (kind) {
            case TRIGGER, POLICY, RULE, CONSTRAINT -> part(cursor, kind, role);
            case COLUMN -> column(cursor, role);
            case FUNCTION, PROCEDURE, ROUTINE -> signed(kind, cursor.name(), role, cursor.group());
            case AGGREGATE -> aggregate(cursor, role);
            case OPERATOR -> operator(cursor, role);
            case OPERATOR_CLASS, OPERATOR_FAMILY -> method(cursor, kind, role);
            case CAST -> cast(cursor, role);
            case TRANSFORM -> transform(cursor, role);
            case USER_MAPPING -> userMapping(cursor, role);
            case LARGE_OBJECT -> plain(cursor, kind, role);
            case PARAMETER -> parameter(cursor, role);
            default -> signed(kind, cursor.name(), role, null);
        };
    }

    private static @Nullable ObjectRef signed(
            ObjectKind kind, @Nullable ObjectName name, ObjectRole role, @Nullable String signature) {
        return name == null ? null : new ObjectRef(kind, name, role, null, signature);
    }

    /** The old form of CREATE AGGREGATE has only a definition, no arguments. */
    private static @Nullable ObjectRef aggregate(Cursor cursor, ObjectRole role) {
        ObjectName name = cursor.name();
        String arguments = cursor.group();
        boolean definition = role == ObjectRole.CREATED && !cursor.atSymbol('(');
        return signed(ObjectKind.AGGREGATE, name, role, definition ? null : arguments);
    }

    /** name ON [DOMAIN] owner. */
    private static @Nullable ObjectRef part(Cursor cursor, ObjectKind kind, ObjectRole role) {
        String name = cursor.identifier();
        if (name == null || !cursor.accept("ON")) {
            return null;
        }
        if (kind == ObjectKind.CONSTRAINT && !cursor.atSymbol(1, '.') && !cursor.at(1, "IS")) {
            cursor.accept("DOMAIN");
        }
        ObjectName owner = cursor.name();
        return owner == null ? null : new ObjectRef(kind, new ObjectName(null, name), role, owner, null);
    }

    private static @Nullable ObjectRef column(Cursor cursor, ObjectRole role) {
        List<String> parts = cursor.parts();
        int last = parts.size() - 1;
        ObjectName owner = last < 1 ? null : Cursor.nameOf(parts.subList(0, last));
        return owner == null
                ? null
                : new ObjectRef(ObjectKind.COLUMN, new ObjectName(null, parts.get(last)), role, owner, null);
    }

    private static @Nullable ObjectRef operator(Cursor cursor, ObjectRole role) {
        String schema = null;
        while (cursor.atName() && cursor.atSymbol(1, '.')) {
            schema = cursor.identifier();
            cursor.skip();
        }
        if (cursor.type() != TokenType.OPERATOR) {
            return null;
        }
        ObjectName name = new ObjectName(schema, cursor.tokens().text(cursor.index()));
        cursor.skip();
        String operands = role == ObjectRole.CREATED ? null : cursor.group();
        return new ObjectRef(ObjectKind.OPERATOR, name, role, null, operands);
    }

    /** name USING method; CREATE OPERATOR CLASS has more between. */
    private static @Nullable ObjectRef method(Cursor cursor, ObjectKind kind, ObjectRole role) {
        ObjectName name = cursor.name();
        int from = cursor.index();
        if (cursor.accept("USING")) {
            cursor.identifier();
        }
        String signature = cursor.index() > from ? cursor.text(from, cursor.index()) : null;
        return name == null ? null : new ObjectRef(kind, name, role, null, signature);
    }

    private static @Nullable ObjectRef cast(Cursor cursor, ObjectRole role) {
        String types = cursor.group();
        return types == null ? null : new ObjectRef(ObjectKind.CAST, new ObjectName(null, types), role, null, types);
    }

    /** FOR type LANGUAGE language. */
    private static @Nullable ObjectRef transform(Cursor cursor, ObjectRole role) {
        cursor.accept("FOR");
        ObjectName type = cursor.name();
        while (!cursor.done() && !cursor.at("LANGUAGE")) {
            cursor.skipItem();
        }
        if (type == null || !cursor.accept("LANGUAGE")) {
            return null;
        }
        return new ObjectRef(ObjectKind.TRANSFORM, type, role, null, "LANGUAGE " + cursor.identifier());
    }

    /** FOR user SERVER server, where USER is CURRENT_USER (auth_ident in gram.y). */
    private static @Nullable ObjectRef userMapping(Cursor cursor, ObjectRole role) {
        cursor.accept("FOR");
        String user = cursor.accept("USER") ? "current_user" : cursor.identifier();
        if (user == null || !cursor.accept("SERVER")) {
            return null;
        }
        return new ObjectRef(
                ObjectKind.USER_MAPPING, new ObjectName(null, user), role, null, "SERVER " + cursor.identifier());
    }

    private static @Nullable ObjectRef plain(Cursor cursor, ObjectKind kind, ObjectRole role) {
        if (cursor.done()) {
            return null;
        }
        String text = cursor.tokens().text(cursor.index());
        cursor.skip();
        return ObjectRef.of(kind, new ObjectName(null, text), role);
    }

    /** A setting: its dots belong to the name. */
    private static @Nullable ObjectRef parameter(Cursor cursor, ObjectRole role) {
        List<String> parts = cursor.parts();
        return parts.isEmpty()
                ? null
                : ObjectRef.of(ObjectKind.PARAMETER, new ObjectName(null, String.join(".", parts)), role);
    }
}
