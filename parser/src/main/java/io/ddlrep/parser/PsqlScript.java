package io.ddlrep.parser;

import io.ddlrep.parser.internal.LineReader;
import io.ddlrep.parser.internal.MetaCommand;
import io.ddlrep.parser.internal.Nesting;
import io.ddlrep.parser.internal.PsqlVariable;
import io.ddlrep.parser.internal.StringSetting;
import io.ddlrep.parser.internal.TokenList;
import java.io.Reader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a script for psql piece by piece: SQL, and psql's own commands. Each piece is read when it is asked for, since what
 * comes behind it may hang on what it does: COPY data, variables. Semicolons end a
 * query as they do for the server, see {@link SqlParser#parse}; psql's own count of BEGIN and END misjudges a few texts that
 * the server reads.
 *
 * <p>The rules are those of src/bin/psql (mainloop.c, psqlscan.l, psqlscanslash.l): a backslash outside of strings, quoted
 * names and comments starts a command of psql's, which ends with its line or at {@code \\}; {@code \;} is a semicolon that
 * does not end the query; {@code :name}, {@code :'name'}, {@code :"name"} and {@code :{?name}} are replaced where the
 * variable is set. What a variable stands for is not searched for variables again.
 *
 * <p>A script of any size is read in the memory of its largest statement. One thread at a time.
 */
public final class PsqlScript {
    private final LineReader lines;
    private final Function<String, @Nullable String> variables;
    private ParserOptions options;
    /** What was read and not yet given out; the query so far first. */
    private String text = "";

    /** Where the query so far begins in the text. */
    private int from;
    /** The number of the line that {@link #from} stands in. */
    private int line = 1;
    /** Before this place variables are replaced already. */
    private int replaced;
    /** Before this place semicolons do not end the query. */
    private int joined;
    /** Where the last command of psql's stood: the end of the query so far. */
    private int command;
    /** The text was changed while it was scanned, so that it has to be scanned again. */
    private boolean changed;

    /** A piece of a script. */
    public sealed interface Piece {
        /** The number of the line that it starts in, from 1. */
        int line();
    }

    /**
     * SQL to send as one message. Immutable.
     *
     * @param line where it starts
     * @param text from its first token to its last, with the ending semicolon if it has one; several statements where
     *     {@code \;} stands between them
     * @param options how strings are read in it
     */
    public record Query(int line, String text, ParserOptions options) implements Piece {}

    /**
     * A command of psql's; {@link PsqlScript#takeQuery} gives the query that it stands in or behind, such as that of
     * {@code \g}. Immutable.
     *
     * @param line where it stands
     * @param name without the backslash
     * @param arguments the rest, as written, without the white space around
     */
    public record Command(int line, String name, String arguments) implements Piece {}

    /**
     * A reader at the start of a script.
     *
     * @param script the text; not closed
     * @param options how strings are read at its start; {@code SET standard_conforming_strings} in it is followed
     * @param variables gives the value of a variable, or null where it is not set; asked whenever one is met
     */
    public PsqlScript(Reader script, ParserOptions options, Function<String, @Nullable String> variables) {
        this.options = options;
        this.lines = new LineReader(script);
        this.variables = variables;
    }

    /**
     * Reads the next piece.
     *
     * @return null at the end
     * @throws java.io.UncheckedIOException where the script cannot be read
     */
    public @Nullable Piece next() {
        Piece piece = null;
        changed = true;
        while (piece == null && (changed || more())) {
            changed = false;
            piece = scan(new SqlLexer(text, from, text.length(), options.standardConformingStrings()));
        }
        return piece == null ? rest() : piece;
    }

    /**
     * Takes the query in which the last command of psql's stood, or which it ended; what is behind the command starts a new
     * one.
     *
     * @return empty where there is none
     */
    public String takeQuery() {
        String query = text.substring(from, command).strip();
        advance(command);
        return query;
    }

    /** All lines of the data that follow the query which was read last, see {@link #copyLine}, each with a line feed. */
    public String copyData() {
        StringBuilder data = new StringBuilder();
        for (String next = copyLine(); next != null; next = copyLine()) {
            data.append(next).append('\n');
        }
        return data.toString();
    }

    /**
     * The next line of the data that follow the query which was read last, a COPY FROM STDIN; they begin with the next line.
     *
     * @return null at {@code \.} and at the end of the script
     */
    public @Nullable String copyLine() {
        int end = text.indexOf('\n', from);
        if (end < 0) {
            // Only an end of the script without a line break.
            end = text.length();
        }
        String behind = text.substring(from, Math.min(end + 1, text.length()));
        int next = text.indexOf('\n', end + 1);
        String data;
        if (next >= 0) {
            data = text.substring(end + 1, next);
            text = behind + text.substring(next + 1);
        } else {
            data = lines.next();
            text = behind;
        }
        from = 0;
        replaced = 0;
        joined = 0;
        if (data == null) {
            return null;
        }
        line++;
        return data.equals("\\.") || data.equals("\\.\r") ? null : data;
    }

    /** Looks for the end of a piece in what was read; null where there is none, or where the text was changed. */
    private @Nullable Piece scan(SqlLexer lexer) {
        TokenList tokens = new TokenList(text);
        Nesting nesting = new Nesting(tokens);
        while (lexer.next() != TokenType.END) {
            if (lexer.isSymbol(';') && lexer.start() >= joined && !nesting.isInside()) {
                if (tokens.size() > 0) {
                    Query query = query(tokens.start(0), lexer.end());
                    Boolean strings = StringSetting.of(tokens);
                    options = strings == null ? options : new ParserOptions(strings);
                    return query;
                }
                advance(lexer.end());
            } else if (lexer.type() == TokenType.UNKNOWN && text.charAt(lexer.start()) == '\\') {
                return backslash(lexer.start());
            } else if (lexer.isSymbol(':') && lexer.start() >= replaced && replaceVariable(lexer)) {
                return null;
            } else {
                tokens.add(lexer);
                if (lexer.isSymbol(';')) {
                    nesting.separator();
                } else {
                    nesting.count(lexer);
                }
            }
        }
        return null;
    }

    private boolean replaceVariable(SqlLexer colon) {
        PsqlVariable variable = PsqlVariable.at(text, colon.end(), variables);
        if (variable == null) {
            return false;
        }
        text = text.substring(0, colon.start()) + variable.text() + text.substring(variable.end());
        replaced = colon.start() + variable.text().length();
        changed = true;
        return true;
    }

    private @Nullable Piece backslash(int at) {
        if (text.startsWith("\\;", at)) {
            text = text.substring(0, at) + text.substring(at + 1);
            joined = at + 1;
            changed = true;
            return null;
        }
        MetaCommand read = MetaCommand.at(text, at);
        Command found = new Command(line + lines(from, at), read.name(), read.arguments());
        text = text.substring(0, at) + text.substring(read.end());
        command = at;
        return found;
    }

    private Query query(int start, int end) {
        Query query = new Query(line + lines(from, start), text.substring(start, end), options);
        advance(end);
        return query;
    }

    /** What stands before the end of the script without a semicolon. */
    private @Nullable Query rest() {
        SqlLexer lexer = new SqlLexer(text, from, text.length(), options.standardConformingStrings());
        int start = -1;
        int end = -1;
        while (lexer.next() != TokenType.END) {
            start = start < 0 ? lexer.start() : start;
            end = lexer.end();
        }
        return start < 0 ? null : query(start, end);
    }

    private void advance(int to) {
        line += lines(from, to);
        from = to;
    }

    private int lines(int start, int end) {
        int count = 0;
        for (int i = text.indexOf('\n', start); i >= 0 && i < end; i = text.indexOf('\n', i + 1)) {
            count++;
        }
        return count;
    }

    /** Reads on: as much as the query has so far, so that a long one is not scanned again for each of its lines. */
    private boolean more() {
        StringBuilder read = new StringBuilder(text.substring(from));
        int wanted = 2 * read.length();
        replaced = Math.max(0, replaced - from);
        joined = Math.max(0, joined - from);
        command = Math.max(0, command - from);
        from = 0;
        boolean any = false;
        do {
            String next = lines.next();
            if (next == null) {
                break;
            }
            read.append(next).append('\n');
            any = true;
        } while (read.length() < wanted);
        text = read.toString();
        return any;
    }
}
