package io.ddlrep.examples.regression;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message that psql has sent, and what the server has answered. Filled by {@link PsqlWire}, which is done with it when the
 * next one begins.
 */
final class Exchange {
    private static final int MOST_ROWS = 2000;

    private final int backend;
    private final char type;
    private final String text;
    private final boolean standardStrings;
    private final List<String> tags = new ArrayList<>();
    private final List<StringBuilder> copied = new ArrayList<>();
    private final List<List<@Nullable String>> rows = new ArrayList<>();
    private List<String> columns = List.of();
    private String error = "";

    /** Whether the server has logged it as DDL. */
    private boolean loggedAsDdl;

    /** The tag that the server has worked under when it was done with the message, or has failed. */
    private String lastTag = "";

    /**
     * What was sent.
     *
     * @param backend process id of the session's backend
     * @param type Q, P for one that is prepared, F for a call of a function
     * @param text its SQL
     * @param standardStrings the session's standard_conforming_strings then, as the server has reported it
     */
    Exchange(int backend, char type, String text, boolean standardStrings) {
        this.backend = backend;
        this.type = type;
        this.text = text;
        this.standardStrings = standardStrings;
    }

    void completed(String tag) {
        tags.add(tag);
    }

    void failed(String message) {
        error = message;
    }

    void columns(List<String> names) {
        columns = names;
        rows.clear();
    }

    void row(List<@Nullable String> values) {
        if (rows.size() < MOST_ROWS) {
            rows.add(values);
        }
    }

    void copyStarts() {
        copied.add(new StringBuilder());
    }

    void copied(String data) {
        copied.get(copied.size() - 1).append(data);
    }

    void logged(boolean asDdl, String tag) {
        loggedAsDdl = asDdl;
        lastTag = tag;
    }

    int backend() {
        return backend;
    }

    char type() {
        return type;
    }

    String text() {
        return text;
    }

    boolean standardStrings() {
        return standardStrings;
    }

    /** Tags of the statements that were completed, as the client is told them. */
    List<String> tags() {
        return tags;
    }

    /** The data of each COPY FROM STDIN that was begun. */
    List<String> copied() {
        return copied.stream().map(StringBuilder::toString).toList();
    }

    /** Names of the columns of {@link #rows}. */
    List<String> columns() {
        return columns;
    }

    /** Rows of the last statement that had some. */
    List<List<@Nullable String>> rows() {
        return rows;
    }

    /** The server's error; empty where there was none. */
    String error() {
        return error;
    }

    boolean isLoggedAsDdl() {
        return loggedAsDdl;
    }

    String lastTag() {
        return lastTag;
    }
}
