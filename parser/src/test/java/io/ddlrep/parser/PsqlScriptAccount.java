package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.parser.internal.StringSetting;
import io.ddlrep.parser.internal.TokenList;
import java.io.StringReader;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Keeps account of a script that {@link PsqlScript} reads: what a piece holds is taken off the text, in order, and nothing but
 * separators may be left. Without variables, whose values are not in the text. Used by one thread, for one script.
 */
final class PsqlScriptAccount {
    private final PsqlScript script;
    private final SplittableRandom random;
    private boolean standardStrings;

    /** The script without the commands and the data that were told. */
    private String left;

    /** Before this place all is told. */
    private int told;

    PsqlScriptAccount(String text, boolean standardStrings, SplittableRandom random) {
        this.script = new PsqlScript(new StringReader(text), new ParserOptions(standardStrings), name -> null);
        this.random = random;
        this.standardStrings = standardStrings;
        // Each line has its line feed, also the last.
        this.left = text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    }

    /** Reads to the end. */
    void check() {
        int most = left.length() + 1;
        int pieces = 0;
        for (PsqlScript.Piece piece = script.next(); piece != null; piece = script.next()) {
            assertThat(++pieces).as("pieces").isLessThanOrEqualTo(most);
            if (piece instanceof PsqlScript.Command command) {
                take(command);
            } else {
                take((PsqlScript.Query) piece);
            }
        }
        assertThat(afterSeparators()).as("told of <%s>", left).isEqualTo(left.length());
    }

    private void take(PsqlScript.Query query) {
        assertThat(query.options().standardConformingStrings()).isEqualTo(standardStrings);
        told = after(query.text(), afterSeparators());
        TokenList tokens = new TokenList(query.text());
        SqlLexer lexer = new SqlLexer(query.text(), query.options());
        boolean copies = false;
        while (lexer.next() != TokenType.END) {
            if (lexer.end() < query.text().length() || !lexer.isSymbol(';')) {
                tokens.add(lexer);
                copies |= lexer.isWord("STDIN");
            }
        }
        Boolean strings = StringSetting.of(tokens);
        standardStrings = strings == null ? standardStrings : strings;
        if (copies && query.text().toLowerCase(Locale.ROOT).startsWith("copy")) {
            takeData();
        }
    }

    private void takeData() {
        String data = script.copyData();
        int line = left.indexOf('\n', told) + 1;
        if (line == 0) {
            assertThat(data).isEmpty();
            return;
        }
        assertThat(left).startsWith(left.substring(0, line) + data);
        int end = line + data.length();
        int dot = left.startsWith("\\.\n", end) ? 3 : left.startsWith("\\.\r\n", end) ? 4 : 0;
        assertThat(dot > 0 || end == left.length())
                .as("data end at <%s>", left.substring(end))
                .isTrue();
        left = left.substring(0, line) + left.substring(end + dot);
    }

    private void take(PsqlScript.Command command) {
        int at = backslash();
        assertThat(at).as("a backslash in <%s>", left.substring(told)).isNotEqualTo(left.length());
        String name = "\\" + command.name();
        assertThat(left.substring(at)).startsWith(name);
        int arguments = afterBlanks(at + name.length(), command.arguments().length());
        assertThat(left.substring(arguments)).startsWith(command.arguments());
        int end = afterBlanks(arguments + command.arguments().length(), 1);
        end = left.startsWith("\\\\", end) ? end + 2 : end;
        left = left.substring(0, at) + left.substring(end);
        if (random.nextInt(3) == 0) {
            skipEmpty(at);
            String query = script.takeQuery();
            int start = query.isEmpty() ? told : afterSpace(told);
            assertThat(left.substring(after(query, start), at)).isBlank();
            told = at;
        }
    }

    /** Behind the blanks of a line, which stay in front of what is not there. */
    private int afterBlanks(int from, int wanted) {
        int i = from;
        while (wanted > 0 && i < left.length() && left.charAt(i) != '\n' && Character.isWhitespace(left.charAt(i))) {
            i++;
        }
        return i;
    }

    private int afterSpace(int from) {
        int i = from;
        while (Character.isWhitespace(left.charAt(i))) {
            i++;
        }
        return i;
    }

    /** Where the first command stands; the end where there is none. */
    private int backslash() {
        SqlLexer lexer = new SqlLexer(left, told, left.length(), standardStrings);
        while (lexer.next() != TokenType.END) {
            int at = lexer.start();
            if (lexer.type() == TokenType.UNKNOWN && left.charAt(at) == '\\' && !left.startsWith("\\;", at)) {
                return at;
            }
        }
        return left.length();
    }

    /** Behind a query which stands at this place, perhaps with a backslash before some of its semicolons. */
    private int after(String query, int from) {
        int at = from;
        for (int i = 0; i < query.length(); i++) {
            at += query.charAt(i) == ';' && left.startsWith("\\;", at) ? 1 : 0;
            if (at == left.length() || left.charAt(at) != query.charAt(i)) {
                throw new AssertionError("<" + query + "> is told of <" + left.substring(from) + ">");
            }
            at++;
        }
        return at;
    }

    /** Queries of nothing are over. */
    private void skipEmpty(int limit) {
        SqlLexer lexer = new SqlLexer(left, told, limit, standardStrings);
        while (lexer.next() != TokenType.END && lexer.isSymbol(';')) {
            told = lexer.end();
        }
    }

    private int afterSeparators() {
        SqlLexer lexer = new SqlLexer(left, told, left.length(), standardStrings);
        while (lexer.next() != TokenType.END) {
            if (!lexer.isSymbol(';')) {
                return lexer.start();
            }
        }
        return left.length();
    }
}
