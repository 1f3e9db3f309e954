package io.ddlrep.parser.internal;

import io.ddlrep.parser.SqlCommand;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the row of {@link SqlCommand} that a statement's first words name: the longest that fits. Stateless. */
final class CommandFinder {
    private static final Map<String, List<SqlCommand>> BY_FIRST_WORD = Stream.of(SqlCommand.values())
            .sorted(Comparator.comparingInt(SqlCommand::length).reversed())
            .collect(Collectors.groupingBy(command -> command.word(0)));

    /** Words between CREATE, ALTER or DROP and the kind of object. */
    private static final Set<String> MODIFIERS = Set.of(
            "TEMP",
            "TEMPORARY",
            "LOCAL",
            "GLOBAL",
            "UNLOGGED",
            "UNIQUE",
            "TRUSTED",
            "PROCEDURAL",
            "CONSTRAINT",
            "RECURSIVE");

    private CommandFinder() {}

    /**
     * A command and where the tokens behind its words begin.
     *
     * @param command the row
     * @param next index of the first token behind the words of its title
     */
    record Found(SqlCommand command, int next) {}

    static @Nullable Found find(TokenList tokens) {
        String first = firstWord(tokens);
        int second = first.equals("CREATE") || first.equals("DROP") || first.equals("ALTER")
                ? afterModifiers(tokens)
                : afterScope(tokens, first);
        Found found = longest(tokens, first, second);
        return found == null && second > 1 ? longest(tokens, first, 1) : found;
    }

    private static String firstWord(TokenList tokens) {
        return switch (tokens.word(0)) {
            case "RELEASE" -> "RELEASE SAVEPOINT";
            case "ANALYSE" -> "ANALYZE";
            default -> tokens.word(0);
        };
    }

    private static @Nullable Found longest(TokenList tokens, String first, int second) {
        if (first.equals("RELEASE SAVEPOINT")) {
            return new Found(SqlCommand.RELEASE_SAVEPOINT, 1);
        }
        for (SqlCommand command : BY_FIRST_WORD.getOrDefault(first, List.of())) {
            if (second > 1 && command.length() == 1) {
                continue;
            }
            if (fits(tokens, command, second)) {
                return new Found(command, second + command.length() - 1);
            }
        }
        return null;
    }

    private static boolean fits(TokenList tokens, SqlCommand command, int second) {
        for (int i = 1; i < command.length(); i++) {
            if (!tokens.isWord(second + i - 1, command.word(i))) {
                return false;
            }
        }
        return true;
    }

    private static int afterModifiers(TokenList tokens) {
        int i = 1;
        if (tokens.isWord(i, "OR") && tokens.isWord(i + 1, "REPLACE")) {
            i += 2;
        }
        if (tokens.isWord(i, "DEFAULT") && tokens.isWord(i + 1, "CONVERSION")) {
            i++;
        }
        while (MODIFIERS.contains(tokens.word(i))) {
            i++;
        }
        return i;
    }

    /** SET SESSION and SET LOCAL stand before ROLE, SESSION AUTHORIZATION and TRANSACTION too. */
    private static int afterScope(TokenList tokens, String first) {
        boolean scoped = first.equals("SET") && (tokens.isWord(1, "SESSION") || tokens.isWord(1, "LOCAL"));
        return scoped && !tokens.isWord(2, "CHARACTERISTICS") && !tokens.isWord(2, "TO") ? 2 : 1;
    }
}
