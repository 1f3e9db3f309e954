package io.ddlrep.engine.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.differential.RawSession.Failure;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.junit.Seeded;
import io.ddlrep.testkit.server.PgBinaries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random scripts, whole and damaged, are sent to the server as one simple query, and their pieces one by one. A text is
 * sent behind a statement that fails when it runs: so the server reads it to its end and runs nothing of it.
 */
class SplitterDifferentialIT {
    private static final int RUNS = Integer.getInteger("ddlrep.splitter.runs", 50);
    private static final String FAILS = "SELECT 1/0;";
    private static final String DIVISION_BY_ZERO = "22012";
    private static final int NO_POSITION = 0;
    private static final Path CORPUS = Path.of(System.getProperty("ddlrep.root", ".."), "parser/src/test/resources");

    private static final List<String> SEPARATORS =
            List.of(";", " ; ", ";;", "; -- it's; \n", "/* ; ' */;", "\n;\n", ";/* /* ; */ ; */", " ;\t; ");

    /** What misleads a splitter; good and bad ones. */
    private static final List<String> FRAGMENTS = List.of(
            "'",
            "''",
            "\"",
            "E'\\'",
            "E'a'\n'b\\';c'",
            "'a' --x;\n'b;c'",
            "U&'\\0041'",
            "U&\"a;b\"",
            "B'01'",
            "X'1f'",
            "$$;$$",
            "$a$;$a$",
            "$a",
            "$1",
            "$é$;$é$",
            "a$b$c",
            "foo$$",
            "\\",
            "-- x;\n",
            "--",
            "/* ; */",
            "/* /* ; */",
            "*/",
            "@-",
            "::",
            ":=",
            "..",
            "1.5e",
            "1e5",
            ";",
            "(",
            ")",
            "[",
            "]",
            ",",
            " ",
            "\n",
            "\u000b",
            "\u00a0",
            "ü",
            "😀",
            "begin atomic",
            "begin",
            "atomic",
            "end",
            "case when true then 1 end",
            "select 2 as end",
            "create function f() returns int begin atomic select 1; select 2; end",
            "create or replace procedure p() begin atomic; end",
            "create rule r as on insert to t do also (a; b)",
            "select begin atomic from t",
            "return 1;",
            "begin; select 1; end");

    private final List<String> statements = statements();

    private static List<String> statements() {
        List<String> all = new ArrayList<>(List.of(
                "SELECT 'a\\'; SELECT 2; --'",
                "SELECT 1 AS \"a;b\", $x$;$x$, 'x' /* ; */",
                "CREATE FUNCTION f(begin int) RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; "
                        + "SELECT 2 AS end; SELECT begin; END",
                "CREATE PROCEDURE p() BEGIN ATOMIC INSERT INTO t VALUES (1); END",
                "CREATE RULE r AS ON INSERT TO t DO ALSO (DELETE FROM a; UPDATE b SET c = 1;)",
                "SELECT U&'d\\0061t' UESCAPE '!', E'\\';'"));
        try (Stream<Path> files = Files.walk(CORPUS)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".sql"))
                    .sorted()
                    .toList()) {
                String sql = Files.readString(file, StandardCharsets.UTF_8);
                for (Statement statement : SqlParser.parse(sql, ParserOptions.DEFAULT)) {
                    if (!statement.text().contains("standard_conforming_strings")) {
                        all.add(statement.text());
                    }
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_server_splits_where_we_split(boolean standardStrings) throws Exception {
        try (PgGroup group = PgGroup.create("splitter", 1, PgBinaries.defaultMajor());
                RawSession session = new RawSession(group.node(1))) {
            session.query("SET standard_conforming_strings = " + (standardStrings ? "on" : "off")
                    + "; SET escape_string_warning = off; SET lc_messages = 'C'");
            Seeded.check(RUNS, random -> {
                String script = script(random);
                compare(session, script, SqlParser.parse(script, new ParserOptions(standardStrings)));
            });
        }
    }

    private String script(SplittableRandom random) {
        StringBuilder script = new StringBuilder(random.nextBoolean() ? "" : " -- first;\n");
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            script.append(pick(random, random.nextInt(4) == 0 ? FRAGMENTS : statements))
                    .append(pick(random, SEPARATORS));
        }
        int damages = random.nextInt(4) - 1;
        for (int i = 0; i < damages; i++) {
            damage(script, random);
        }
        return script.toString();
    }

    private static void damage(StringBuilder script, SplittableRandom random) {
        if (script.length() == 0) {
            return;
        }
        int at = script.offsetByCodePoints(0, random.nextInt(script.codePointCount(0, script.length())));
        switch (random.nextInt(3)) {
            case 0 -> script.insert(at, pick(random, FRAGMENTS));
            case 1 -> script.delete(at, script.offsetByCodePoints(at, 1));
            default ->
                script.insert(
                        at,
                        script.substring(at, Math.min(script.length(), at + 1)).strip());
        }
    }

    private static <T> T pick(SplittableRandom random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static void compare(RawSession session, String script, List<Statement> pieces) throws IOException {
        Optional<Failure> whole = misread(session, script);
        int bad = 0;
        while (bad < pieces.size() && misread(session, pieces.get(bad).text()).isEmpty()) {
            String text = pieces.get(bad).text();
            assertThat(session.parse(text).map(Failure::message))
                    .as("<%s> of <%s>", text, script)
                    .isNotEqualTo(Optional.of("cannot insert multiple commands into a prepared statement"));
            bad++;
        }
        if (whole.isEmpty()) {
            assertThat(bad).as("pieces that the server reads, of <%s>", script).isEqualTo(pieces.size());
            return;
        }
        Failure failure = whole.get();
        if (bad == pieces.size()) {
            assertThat(failure.message()).as("of <%s>", script).startsWith("unterminated /* comment");
            return;
        }
        if (failure.position() == NO_POSITION) {
            // The grammar refuses some things without a place: an unknown strategy of PARTITION BY, up to 17.
            assertThat(misread(session, pieces.get(bad).text()).map(Failure::message))
                    .as("error of the first bad piece of <%s>", script)
                    .contains(failure.message());
            return;
        }
        int at = script.offsetByCodePoints(
                0, Math.min(failure.position() - 1, script.codePointCount(0, script.length())));
        int next = bad + 1 < pieces.size() ? pieces.get(bad + 1).span().start() : script.length();
        assertThat(at)
                .as("place of %s in <%s>", failure, script)
                .isBetween(pieces.get(bad).span().start(), next);
    }

    /** The error of reading a text; empty where the server can read it, whether it could run it or not. */
    private static Optional<Failure> misread(RawSession session, String text) throws IOException {
        Failure failure = session.query(FAILS + text).orElseThrow();
        return failure.sqlState().equals(DIVISION_BY_ZERO)
                ? Optional.empty()
                : Optional.of(new Failure(failure.sqlState(), failure.message(), place(failure.position())));
    }

    /** Where in the text behind {@link #FAILS} a place is; 1 where the server points before it. */
    private static int place(int position) {
        return position == NO_POSITION ? NO_POSITION : Math.max(1, position - FAILS.length());
    }
}
