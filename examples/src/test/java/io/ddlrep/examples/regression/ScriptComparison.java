package io.ddlrep.examples.regression;

import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.StatementKind;
import io.ddlrep.parser.TokenType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a script by the parser, and holds what it finds against what psql has sent for the same script and what the server
 * has made of that. Used by one thread.
 */
final class ScriptComparison {
    /** Messages of psql's own, for its commands and by its settings. */
    private static final String OWN = "(?s).*\\bpg_catalog\\..*|BEGIN|COMMIT|ROLLBACK|.*\\bpg_psql_temporary_savepoint"
            + "|FETCH FORWARD \\d+ FROM _psql_cursor|CLOSE _psql_cursor|(?i:set client_encoding to) .*";

    private static final String BY_CURSOR = "DECLARE _psql_cursor NO SCROLL CURSOR FOR\n";
    /** How many messages of a script's own may be left out before one; more before a text that is not said everywhere. */
    private static final int FAR = 3;

    private static final int SHORT = 20;

    private static final int SQLSTATE_LENGTH = 5;

    private final String file;
    private final List<Exchange> sent;
    private final Psql psql;
    private final List<Difference> differences = new ArrayList<>();
    private int next;
    private int statements;

    /** Of what a difference is. */
    enum Subject {
        /** The text has a statement that psql has not sent. */
        NOT_SENT,
        /** Psql has sent what the parser does not find in the text. */
        NOT_FOUND,
        /** The data of a COPY are others. */
        DATA,
        /** The server has found another number of statements in a message. */
        COUNT,
        /** The server has another command tag. */
        TAG,
        /** The server's command tag is not of that kind. */
        KIND,
        /** The server logs as DDL, or does not, what is not, or is, DDL here. */
        DDL
    }

    /** Something that is not the same on both sides. */
    record Difference(String file, int line, Subject subject, String here, String there, String text) {
        @Override
        public String toString() {
            String flat = text.replaceAll("\\s+", " ");
            return String.join(
                    "\t",
                    file + ":" + line,
                    subject.name(),
                    here,
                    there,
                    flat.substring(0, Math.min(160, flat.length())));
        }
    }

    ScriptComparison(String file, String text, Map<String, String> variables, List<Exchange> sent) {
        this.file = file;
        this.sent = sent;
        this.psql = new Psql(text, variables);
    }

    /** Reads the script to its end. */
    List<Difference> run() {
        for (Psql.Step step = psql.next(); step != null; step = psql.next()) {
            switch (step.send()) {
                case CONNECT -> {
                    // What follows is sent in another session, in the same order.
                }
                case COPY -> copy(step);
                default -> statement(step);
            }
        }
        skipTo(sent.size(), 0);
        return differences;
    }

    /** How many statements were found on both sides. */
    int statements() {
        return statements;
    }

    private void tell(int line, Subject subject, Object here, Object there, String text) {
        differences.add(new Difference(file, line, subject, here.toString(), there.toString(), text));
    }

    /** What psql has sent for \copy is written anew by it. */
    private void copy(Psql.Step step) {
        for (int i = next; i < sent.size() && i <= next + FAR; i++) {
            if (sent.get(i).text().startsWith("COPY ")) {
                skipTo(i, step.line());
                next++;
                if (step.text().toLowerCase(Locale.ROOT).matches("(?s).*\\bfrom\\s+stdin\\b.*")) {
                    data(step, sent.get(i));
                }
                return;
            }
        }
    }

    private void statement(Psql.Step step) {
        Exchange exchange = exchange(step.line(), step.text());
        if (exchange == null) {
            return;
        }
        data(step, exchange);
        if (step.send() == Psql.Send.GSET && exchange.rows().size() == 1) {
            List<@Nullable String> row = exchange.rows().get(0);
            for (int i = 0; i < row.size(); i++) {
                psql.keep(step.argument() + exchange.columns().get(i), row.get(i));
            }
        }
        if (step.send() == Psql.Send.GEXEC) {
            for (List<@Nullable String> row : exchange.rows()) {
                for (String field : row) {
                    if (field != null) {
                        exchange(step.line(), field);
                    }
                }
            }
        }
    }

    private void data(Psql.Step step, Exchange exchange) {
        for (String data : exchange.copied()) {
            String here = psql.copyData();
            if (!here.equals(withoutEnd(data))) {
                tell(step.line(), Subject.DATA, here.length() + " characters", data.length(), step.text());
            }
        }
    }

    /** Before version 18 psql sends the end of the data too. */
    private static String withoutEnd(String data) {
        return data.endsWith("\\.\n") ? data.substring(0, data.length() - 3) : data;
    }

    /** Finds what psql has sent for a text, and compares; null where it has sent nothing. */
    private @Nullable Exchange exchange(int line, String text) {
        int at = find(text);
        if (at < 0) {
            tell(line, Subject.NOT_SENT, "", "", text);
            return null;
        }
        skipTo(at, line);
        next++;
        Exchange exchange = sent.get(at);
        judge(line, exchange);
        if (!exchange.error().isEmpty()) {
            psql.keep("LAST_ERROR_SQLSTATE", exchange.error().substring(0, SQLSTATE_LENGTH));
            psql.keep("LAST_ERROR_MESSAGE", exchange.error().substring(SQLSTATE_LENGTH + 1));
        }
        return exchange;
    }

    private int find(String text) {
        String wanted = bare(text);
        int strangers = wanted.length() > SHORT ? -FAR * FAR : 0;
        for (int i = next; i < sent.size() && strangers <= FAR; i++) {
            String there = sent.get(i).text();
            if (bare(there).equals(wanted)
                    || (there.startsWith(BY_CURSOR)
                            && bare(there.substring(BY_CURSOR.length())).equals(wanted))) {
                return i;
            }
            strangers += isOwn(sent.get(i)) ? 0 : 1;
        }
        return -1;
    }

    private void skipTo(int index, int line) {
        for (; next < index; next++) {
            if (!isOwn(sent.get(next))) {
                tell(
                        line,
                        Subject.NOT_FOUND,
                        "",
                        sent.get(next).error(),
                        sent.get(next).text());
            }
        }
    }

    private static boolean isOwn(Exchange exchange) {
        return exchange.type() == 'F'
                || exchange.text().matches(OWN)
                || bare(exchange.text()).equals(";")
                || bare(exchange.text()).isEmpty();
    }

    /** The text from its first token on; with single spaces where a command of psql's may have stood in it. */
    private static String bare(String text) {
        SqlLexer lexer = new SqlLexer(text, ParserOptions.DEFAULT);
        lexer.next();
        return lexer.type() == TokenType.END
                ? ""
                : text.substring(lexer.start()).strip().replaceAll("\\s+", " ");
    }

    private void judge(int line, Exchange exchange) {
        List<Statement> pieces = SqlParser.parse(exchange.text(), new ParserOptions(exchange.standardStrings()));
        boolean failed = !exchange.error().isEmpty();
        int completed = exchange.type() == 'P' && !failed
                ? pieces.size()
                : exchange.tags().size();
        if (failed ? completed >= pieces.size() && !pieces.isEmpty() : completed != pieces.size()) {
            tell(line, Subject.COUNT, pieces.size(), completed + " " + exchange.error(), exchange.text());
            return;
        }
        statements += pieces.size();
        // What is only prepared is done under a tag of its own, and what cannot be read under none.
        boolean unread = failed && completed == 0 && exchange.lastTag().matches("idle.*|");
        if (unread || pieces.isEmpty() || exchange.type() != 'Q') {
            return;
        }
        tags(line, exchange, pieces, failed ? completed : completed - 1);
        boolean ddl = pieces.stream().anyMatch(piece -> piece.kind() == StatementKind.DDL);
        if (ddl != exchange.isLoggedAsDdl() && !isDdlOnlyHere(exchange.lastTag(), ddl)) {
            tell(line, Subject.DDL, ddl, exchange.isLoggedAsDdl(), exchange.text());
        }
    }

    /**
     * The server logs TRUNCATE as a change of rows, and REINDEX as neither; both are DDL to a group. DO it does not look into.
     */
    private static boolean isDdlOnlyHere(String tag, boolean ddl) {
        return ddl && Set.of("TRUNCATE TABLE", "REINDEX", "DO").contains(tag);
    }

    private void tags(int line, Exchange exchange, List<Statement> pieces, int last) {
        for (int i = 0; i <= last; i++) {
            Statement piece = pieces.get(i);
            String tag = i == last ? exchange.lastTag() : exchange.tags().get(i).replaceAll("( \\d+)+$", "");
            if (isSelectInto(piece, tag)) {
                continue;
            }
            if (!piece.tag().equals(tag)) {
                tell(line, Subject.TAG, piece.tag(), tag, piece.text());
            }
            if (!TagKinds.of(tag).contains(piece.kind())) {
                tell(line, Subject.KIND, piece.kind(), tag, piece.text());
            }
        }
    }

    /** The server calls it SELECT when it has read it, and SELECT INTO, as its event triggers do, when it has analysed it. */
    private static boolean isSelectInto(Statement piece, String tag) {
        return piece.tag().equals("SELECT INTO") && tag.equals("SELECT");
    }
}
