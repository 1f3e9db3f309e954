package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.internal.Cursor;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the words that name a kind of object, as COMMENT ON, DROP, GRANT and others have them. Stateless. */
final class ObjectKinds {
    private record Phrase(List<String> words, ObjectKind kind) {}

    private static final Map<String, List<Phrase>> BY_FIRST_WORD = Arrays.stream(ObjectKind.values())
            .map(kind -> new Phrase(List.of(kind.name().split("_", -1)), kind))
            .sorted(Comparator.comparingInt((Phrase phrase) -> phrase.words().size())
                    .reversed())
            .collect(Collectors.groupingBy(phrase -> phrase.words().get(0)));

    private ObjectKinds() {}

    /** Reads the kind that stands here; null where none does. */
    static @Nullable ObjectKind read(Cursor cursor) {
        if (cursor.accept("USER", "MAPPING")) {
            return ObjectKind.USER_MAPPING;
        }
        if (cursor.acceptAny("USER", "GROUP")) {
            return ObjectKind.ROLE;
        }
        if (cursor.accept("FOREIGN", "SERVER")) {
            return ObjectKind.SERVER;
        }
        if (cursor.at("PROCEDURAL") && cursor.at(1, "LANGUAGE")) {
            cursor.skip();
        }
        for (Phrase phrase : BY_FIRST_WORD.getOrDefault(cursor.word(), List.of())) {
            if (fits(cursor, phrase)) {
                cursor.moveTo(cursor.index() + phrase.words().size());
                return phrase.kind();
            }
        }
        return null;
    }

    private static boolean fits(Cursor cursor, Phrase phrase) {
        for (int i = 0; i < phrase.words().size(); i++) {
            if (!cursor.at(i, phrase.words().get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The kind that a CREATE, ALTER or DROP command is about. */
    static ObjectKind of(SqlCommand command) {
        String name = command.name().substring(command.word(0).length() + 1);
        return switch (name) {
            case "USER", "GROUP" -> ObjectKind.ROLE;
            case "SYSTEM" -> ObjectKind.PARAMETER;
            case "TABLE_AS" -> ObjectKind.TABLE;
            case "OWNED" -> ObjectKind.ROLE;
            default -> ObjectKind.valueOf(name);
        };
    }

    /** Whether ALTER TABLE's sub-commands work on it. */
    static boolean isRelation(ObjectKind kind) {
        return kind == ObjectKind.TABLE
                || kind == ObjectKind.FOREIGN_TABLE
                || kind == ObjectKind.INDEX
                || kind == ObjectKind.VIEW
                || kind == ObjectKind.MATERIALIZED_VIEW
                || kind == ObjectKind.SEQUENCE;
    }
}
