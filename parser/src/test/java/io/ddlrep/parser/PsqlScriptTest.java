package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PsqlScriptTest {
    private static PsqlScript script(String text, Map<String, String> variables) {
        return new PsqlScript(new StringReader(text), ParserOptions.DEFAULT, variables::get);
    }

    private static String text(PsqlScript script) {
        return script.next() instanceof PsqlScript.Query query ? query.text() : "";
    }

    private static List<String> pieces(String text) {
        return pieces(text, Map.of());
    }

    private static List<String> pieces(String text, Map<String, String> variables) {
        PsqlScript script = script(text, variables);
        List<String> pieces = new ArrayList<>();
        PsqlScript.Piece piece = script.next();
        while (piece != null) {
            String shown;
            if (piece instanceof PsqlScript.Command command) {
                shown = "\\" + command.name() + "|" + command.arguments();
                if (command.name().startsWith("g")) {
                    shown += "|" + script.takeQuery();
                }
            } else {
                shown = ((PsqlScript.Query) piece).text();
            }
            pieces.add(piece.line() + ": " + shown);
            piece = script.next();
        }
        return pieces;
    }

    @Test
    void queries_end_as_the_server_ends_statements() {
        assertThat(
                        pieces(
                                "SELECT 1;;\n-- c;\nSELECT ';' /* ; */,\n 2; SELECT $x$;\n$x$;\nCREATE RULE r AS ON INSERT TO t DO"
                                        + " (DELETE FROM a; DELETE FROM b);\nCREATE PROCEDURE p() BEGIN ATOMIC SELECT 1; END;\nSELECT 3"))
                .containsExactly(
                        "1: SELECT 1;",
                        "3: SELECT ';' /* ; */,\n 2;",
                        "4: SELECT $x$;\n$x$;",
                        "6: CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b);",
                        "7: CREATE PROCEDURE p() BEGIN ATOMIC SELECT 1; END;",
                        "8: SELECT 3");
    }

    @Test
    void a_backslash_starts_a_command_but_in_strings_names_and_comments() {
        assertThat(pieces(
                        "\\set x 'a\\'b' \\\\ SELECT '\\a', \"\\b\" -- \\c\n/* \\d */;\n\\a\\t\n\\copy t from 'a\\b'\n\\! ls \\\\ x\n"
                                + "\\restrict abc\nSELECT 2 \\d t\n, 3;"))
                .containsExactly(
                        "1: \\set|x 'a\\'b'",
                        "1: SELECT '\\a', \"\\b\" -- \\c\n/* \\d */;",
                        "3: \\a|",
                        "3: \\t|",
                        "4: \\copy|t from 'a\\b'",
                        "5: \\!|ls \\\\ x",
                        "6: \\restrict|abc",
                        "7: \\d|t",
                        "7: SELECT 2 \n, 3;");
    }

    @Test
    void commands_may_send_the_query_in_which_they_stand() {
        assertThat(pieces("SELECT 1 AS a \\gset p_\nSELECT 2\\; SELECT 3; SELECT 4 \\g\n\\g\n"))
                .containsExactly(
                        "1: \\gset|p_|SELECT 1 AS a", "2: SELECT 2; SELECT 3;", "2: \\g||SELECT 4", "3: \\g||");
    }

    @Test
    void variables_stand_for_their_values_where_they_are_set() {
        Map<String, String> variables = Map.of("t", "a; SELECT :u", "u", "no", "q", "it's \"\\");
        assertThat(pieces("SELECT :t, x::t, a[1:n], ':u', :'q', :\"q\", :{?u}, :{?n}, :u:='x';", variables))
                .containsExactly(
                        "1: SELECT a;",
                        "1: SELECT :u, x::t, a[1:n], ':u',  E'it''s \"\\\\', \"it's \"\"\\\", TRUE, FALSE, no:='x';");
    }

    @Test
    void a_variable_may_stand_for_itself() {
        assertThat(pieces("SELECT :me;", Map.of("me", ":me"))).containsExactly("1: SELECT :me;");
    }

    @Test
    void the_data_of_a_copy_are_the_lines_behind_its_own() {
        PsqlScript script = script("SELECT 0;\nCOPY t FROM stdin; SELECT 1;\na;\\b\r\n\\.\nSELECT 2;\n", Map.of());
        script.next();
        assertThat(text(script)).isEqualTo("COPY t FROM stdin;");
        assertThat(script.copyLine()).isEqualTo("a;\\b\r");
        assertThat(script.copyLine()).isNull();
        assertThat(text(script)).isEqualTo("SELECT 1;");
        assertThat(text(script)).isEqualTo("SELECT 2;");
        assertThat(script.next()).isNull();
        assertThat(script.copyLine()).isNull();
    }

    @Test
    void a_backslash_in_a_string_is_what_the_setting_says() {
        assertThat(new PsqlScript(new StringReader("SELECT 'a\\'; b';"), new ParserOptions(false), name -> null).next())
                .isEqualTo(new PsqlScript.Query(1, "SELECT 'a\\'; b';", new ParserOptions(false)));
        assertThat(pieces("SET standard_conforming_strings = off; SELECT 'a\\'; b';"))
                .containsExactly("1: SET standard_conforming_strings = off;", "1: SELECT 'a\\'; b';");
        assertThat(pieces("SELECT 'a\\'; SELECT 1;")).containsExactly("1: SELECT 'a\\';", "1: SELECT 1;");
    }

    @Test
    void a_statement_of_many_lines_takes_time_as_its_length() {
        String rows = IntStream.range(0, 200_000).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(",\n"));
        List<String> pieces = pieces("INSERT INTO t VALUES\n" + rows + ";\nSELECT 1;");
        assertThat(pieces).hasSize(2).last().isEqualTo("200002: SELECT 1;");
    }

    @Test
    void what_does_not_end_is_given_at_the_end() {
        assertThat(pieces("SELECT 1;\n  \n-- no more\n")).containsExactly("1: SELECT 1;");
        assertThat(pieces("SELECT 'a;\nb")).containsExactly("1: SELECT 'a;\nb\n");
        assertThat(pieces("")).isEmpty();
    }
}
