package io.ddlrep.engine.differential;

import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An object's name in the form that {@code ddlprobe.address} takes, which is mostly that of pg_get_object_address.
 *
 * @param kind its object type
 * @param quoted the name as SQL text
 * @param names parts of the name
 * @param args argument types and their like
 */
record Address(String kind, String quoted, List<String> names, List<String> args) {

    /** Empty for what event triggers say nothing of. */
    static Optional<Address> of(ObjectRef ref) {
        ObjectName name = ref.name();
        return switch (ref.kind()) {
            case TABLE, VIEW, MATERIALIZED_VIEW, SEQUENCE, INDEX, FOREIGN_TABLE -> named("relation", name);
            case TYPE, DOMAIN -> named("type", name);
            case COLUMN -> part(ref, "column");
            case TRIGGER, RULE, POLICY -> part(ref, words(ref.kind()));
            case CONSTRAINT -> part(ref, "table constraint");
            case FUNCTION, PROCEDURE, ROUTINE, AGGREGATE -> routine(ref);
            case OPERATOR -> operator(ref);
            case OPERATOR_CLASS, OPERATOR_FAMILY -> method(ref);
            case CAST ->
                Optional.of(new Address(
                        "cast",
                        "",
                        ref.argumentTypes().subList(0, 1),
                        ref.argumentTypes().subList(1, 2)));
            case USER_MAPPING -> userMapping(ref);
            case STATISTICS -> named("statistics object", name);
            case FOREIGN_DATA_WRAPPER -> named("foreign-data wrapper", name);
            case ACCESS_METHOD,
                    COLLATION,
                    CONVERSION,
                    EVENT_TRIGGER,
                    EXTENSION,
                    LANGUAGE,
                    PUBLICATION,
                    SCHEMA,
                    SERVER,
                    TEXT_SEARCH_CONFIGURATION,
                    TEXT_SEARCH_DICTIONARY,
                    TEXT_SEARCH_PARSER,
                    TEXT_SEARCH_TEMPLATE -> named(words(ref.kind()), name);
            case DATABASE, DEFAULT_PRIVILEGES, LARGE_OBJECT, PARAMETER, ROLE, SUBSCRIPTION, TABLESPACE, TRANSFORM ->
                Optional.empty();
        };
    }

    /** The same constraint as one of a domain. */
    static Address ofDomainConstraint(ObjectRef ref) {
        ObjectName owner = ref.owner() == null ? ref.name() : ref.owner();
        return new Address(
                "domain constraint",
                "",
                List.of(owner.quoted()),
                List.of(ref.name().name()));
    }

    private static String words(ObjectKind kind) {
        return kind.name().replace('_', ' ').toLowerCase(Locale.ROOT);
    }

    private static List<String> parts(ObjectName name) {
        String schema = name.schema();
        return schema == null ? List.of(name.name()) : List.of(schema, name.name());
    }

    private static Optional<Address> named(String kind, ObjectName name) {
        return Optional.of(new Address(kind, name.quoted(), parts(name), List.of()));
    }

    private static Optional<Address> part(ObjectRef ref, String kind) {
        ObjectName owner = ref.owner();
        if (owner == null) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>(parts(owner));
        names.add(ref.name().name());
        boolean column = kind.equals("column");
        return Optional.of(new Address(
                kind, owner.quoted(), names, column ? List.of(ref.name().name()) : List.of()));
    }

    private static Optional<Address> routine(ObjectRef ref) {
        boolean signed = ref.signature() != null;
        return Optional.of(new Address(
                signed ? words(ref.kind()) : "routine of one name",
                ref.name().quoted(),
                parts(ref.name()),
                ref.argumentTypes()));
    }

    private static Optional<Address> operator(ObjectRef ref) {
        String schema = ref.name().schema();
        String quoted = schema == null
                ? ref.name().name()
                : new ObjectName(null, schema).quoted() + "." + ref.name().name();
        boolean created = ref.role() == ObjectRole.CREATED && ref.signature() == null;
        return Optional.of(new Address(
                created ? "operator of one name" : "operator", quoted, parts(ref.name()), ref.argumentTypes()));
    }

    /** The signature is SERVER name. */
    private static Optional<Address> userMapping(ObjectRef ref) {
        String signature = ref.signature() == null ? "" : ref.signature();
        return Optional.of(new Address(
                "user mapping", "", parts(ref.name()), List.of(signature.substring(signature.lastIndexOf(' ') + 1))));
    }

    /** The signature is USING method. */
    private static Optional<Address> method(ObjectRef ref) {
        String signature = ref.signature();
        if (signature == null) {
            return named("operator class of one name", ref.name());
        }
        List<String> names = new ArrayList<>();
        names.add(signature.substring(signature.lastIndexOf(' ') + 1));
        names.addAll(parts(ref.name()));
        return Optional.of(new Address(words(ref.kind()), ref.name().quoted(), names, List.of()));
    }
}
