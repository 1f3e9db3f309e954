package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlLexerTest {
    private static List<String> tokens(String sql, boolean standardStrings) {
        List<String> tokens = new ArrayList<>();
        SqlLexer lexer = new SqlLexer(sql, new ParserOptions(standardStrings));
        while (lexer.next() != TokenType.END) {
            tokens.add(lexer.type() + ":" + sql.substring(lexer.start(), lexer.end()));
        }
        return tokens;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'a''b' | STRING:'a''b'",
                "'a\\' x | STRING:'a\\' WORD:x",
                "E'a\\'b' e'' | ESCAPE_STRING:E'a\\'b' ESCAPE_STRING:e''",
                "B'01' x'1F' U&'\\0041' | BIT_STRING:B'01' HEX_STRING:x'1F' UNICODE_STRING:U&'\\0041'",
                "B'0''1' X'a''b' | BIT_STRING:B'0' STRING:'1' HEX_STRING:X'a' STRING:'b'",
                "N'a' | WORD:N STRING:'a'",
                "\"a\"\"b\" U&\"x\" | QUOTED_IDENTIFIER:\"a\"\"b\" UNICODE_IDENTIFIER:U&\"x\"",
                "u&x | WORD:u OPERATOR:& WORD:x",
                "$$a$b$$ $é1$x$é1$ | DOLLAR_STRING:$$a$b$$ DOLLAR_STRING:$é1$x$é1$",
                "$a$x$b$a$ | DOLLAR_STRING:$a$x$b$a$",
                "$a b$ | UNKNOWN:$ WORD:a WORD:b$",
                "$1a $12 | PARAMETER:$1 WORD:a PARAMETER:$12",
                "a$b$c é | WORD:a$b$c WORD:é",
                "1.5e-3 1e5 1e x .5 1..2 | NUMBER:1.5e-3 NUMBER:1e5 NUMBER:1 WORD:e WORD:x NUMBER:.5 NUMBER:1 SYMBOL:.. NUMBER:2",
                "0x1F 0b_1_0 0b2 0o17 0b01 1_000 1_ | NUMBER:0x1F NUMBER:0b_1_0 NUMBER:0 WORD:b2 NUMBER:0o17 NUMBER:0b01 NUMBER:1_000 NUMBER:1 WORD:_",
                "1into | NUMBER:1 WORD:into",
                "a::b := c=>d | WORD:a SYMBOL::: WORD:b SYMBOL::= WORD:c OPERATOR:=> WORD:d",
                "1+-2 | NUMBER:1 OPERATOR:+ OPERATOR:- NUMBER:2",
                "a@-b | WORD:a OPERATOR:@- WORD:b",
                "*-- x | OPERATOR:*",
                "<>-/* x */1 | OPERATOR:<> OPERATOR:- NUMBER:1",
                "a ? b ?& c | WORD:a OPERATOR:? WORD:b OPERATOR:?& WORD:c",
                "/* /* */ */ a | WORD:a",
                "a[1] (b,c); | WORD:a SYMBOL:[ NUMBER:1 SYMBOL:] SYMBOL:( WORD:b SYMBOL:, WORD:c SYMBOL:) SYMBOL:;"
            })
    void cuts_as_the_server_does(String sql, String expected) {
        assertThat(String.join(" ", tokens(sql, true))).startsWith(expected);
    }

    @Test
    void strings_continue_over_line_breaks_and_comments() {
        assertThat(tokens("'a' -- it's\n  'b'\r'c' 'd'", true))
                .containsExactly("STRING:'a' -- it's\n  'b'\r'c'", "STRING:'d'");
        assertThat(tokens("E'a'\n'\\''", true)).containsExactly("ESCAPE_STRING:E'a'\n'\\''");
        assertThat(tokens("'a'\n'b", true)).containsExactly("STRING:'a'\n'b");
        assertThat(tokens("'a' /* x\n */ 'b'", true)).containsExactly("STRING:'a'", "STRING:'b'");
    }

    @Test
    void a_backslash_escapes_where_strings_are_not_standard() {
        assertThat(tokens("'a\\'b' E'c\\'d'", false))
                .containsExactly("ESCAPE_STRING:'a\\'b'", "ESCAPE_STRING:E'c\\'d'");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {"'a", "E'a\\", "\"a", "$$a", "/* /* */", "U&'a"})
    void unfinished_tokens_reach_to_the_end_and_say_so(String sql) {
        SqlLexer lexer = new SqlLexer(sql, ParserOptions.DEFAULT);
        while (lexer.next() != TokenType.END) {
            assertThat(lexer.end()).isEqualTo(sql.length());
        }
        assertThat(lexer.unterminated()).isTrue();
    }

    @Test
    void keywords_are_compared_in_ascii_only() {
        SqlLexer lexer = new SqlLexer("\u212Aey KeY", ParserOptions.DEFAULT);
        lexer.next();
        assertThat(lexer.isWord("KEY")).isFalse();
        lexer.next();
        assertThat(lexer.isWord("KEY")).isTrue();
    }
}
