package io.ddlrep.examples.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A line of a client's file of steps; {@code examples/clients/README.md} has the format. Immutable.
 *
 * @param kind what is expected of it
 * @param command for a shell
 * @param text what a failing command must say; empty for the others
 */
record Step(Kind kind, String command, String text) {
    /** What is expected of a command. */
    enum Kind {
        /** Without it the client is skipped. */
        NEED,
        /** It succeeds and changes something. */
        CHANGE,
        /** It fails with the step's text and changes nothing. */
        FAILURE
    }

    /** The steps of a file, without its comments. */
    static List<Step> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Step::parse)
                .toList();
    }

    private static Step parse(String line) {
        if (line.startsWith("? ")) {
            return new Step(Kind.NEED, line.substring(2), "");
        }
        if (!line.startsWith("! ")) {
            return new Step(Kind.CHANGE, line, "");
        }
        int bar = line.indexOf(" | ");
        if (bar < 0) {
            throw new IllegalArgumentException("a line of the form \"! text | command\" is expected: " + line);
        }
        return new Step(Kind.FAILURE, line.substring(bar + 3), line.substring(2, bar));
    }
}
