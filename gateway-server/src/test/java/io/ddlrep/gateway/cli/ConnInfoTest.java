package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples are those of the manual's section on connection strings, where it has one. */
class ConnInfoTest {
    private static Map<String, String> parsed(String text) {
        return ConnInfo.parse(text).values();
    }

    @Test
    void keywords_and_values() {
        assertThat(parsed("host=localhost port=5432 dbname=mydb connect_timeout=10"))
                .isEqualTo(Map.of("host", "localhost", "port", "5432", "dbname", "mydb", "connect_timeout", "10"));
        assertThat(parsed("")).isEmpty();
        assertThat(parsed("  \n\t ")).isEmpty();
    }

    @Test
    void blanks_around_the_equal_sign_are_optional() {
        assertThat(parsed("host = localhost  port= 5433 user =u"))
                .isEqualTo(Map.of("host", "localhost", "port", "5433", "user", "u"));
    }

    @Test
    void quotes_and_backslashes() {
        assertThat(parsed("password='it\\'s \\\\ secret' dbname=''"))
                .isEqualTo(Map.of("password", "it's \\ secret", "dbname", ""));
        assertThat(parsed("password=a\\ b\\'c\\\\d user=x")).isEqualTo(Map.of("password", "a b'c\\d", "user", "x"));
        assertThat(parsed("password=a'b")).isEqualTo(Map.of("password", "a'b"));
        assertThat(parsed("options='-c geqo=off'host=h")).isEqualTo(Map.of("options", "-c geqo=off", "host", "h"));
        assertThat(parsed("user=last user=wins")).isEqualTo(Map.of("user", "wins"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host | missing \"=\" after \"host\"",
                "host x | missing \"=\" after \"host\"",
                "password='open | unterminated quoted string",
                "hots=x | invalid connection option \"hots\"",
                "postgresql://h?ssl | missing key/value separator",
                "postgresql://h?a=b=c | extra key/value separator",
                "postgresql://h?hots=x | invalid URI query parameter: \"hots\"",
                "postgresql://h/%zz | invalid percent-encoded token",
                "postgresql://h/%4 | invalid percent-encoded token",
                "postgresql://h/%00 | forbidden value %00",
                "postgresql://[::1 | missing matching \"]\"",
                "postgresql://[::1]x | malformed IPv6"
            })
    void malformed_strings_are_refused_in_the_words_of_libpq(String text, String message) {
        assertThatThrownBy(() -> ConnInfo.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void uris() {
        assertThat(parsed("postgresql://")).isEmpty();
        assertThat(parsed("postgresql://localhost")).isEqualTo(Map.of("host", "localhost"));
        assertThat(parsed("postgresql://localhost:5433")).isEqualTo(Map.of("host", "localhost", "port", "5433"));
        assertThat(parsed("postgresql://localhost/mydb")).isEqualTo(Map.of("host", "localhost", "dbname", "mydb"));
        assertThat(parsed("postgres://user@localhost")).isEqualTo(Map.of("user", "user", "host", "localhost"));
        assertThat(parsed("postgresql://user:secret@localhost"))
                .isEqualTo(Map.of("user", "user", "password", "secret", "host", "localhost"));
        assertThat(parsed("postgresql://other@localhost/otherdb?connect_timeout=10&application_name=myapp"))
                .isEqualTo(Map.of(
                        "user",
                        "other",
                        "host",
                        "localhost",
                        "dbname",
                        "otherdb",
                        "connect_timeout",
                        "10",
                        "application_name",
                        "myapp"));
        assertThat(parsed("postgresql:///mydb?host=localhost&port=5433"))
                .isEqualTo(Map.of("dbname", "mydb", "host", "localhost", "port", "5433"));
        assertThat(parsed("postgresql://[2001:db8::1234]/database"))
                .isEqualTo(Map.of("host", "2001:db8::1234", "dbname", "database"));
        assertThat(parsed("postgresql://[::1]:5433/d")).isEqualTo(Map.of("host", "::1", "port", "5433", "dbname", "d"));
        assertThat(parsed("postgresql://h1:1,h2:2/d")).isEqualTo(Map.of("host", "h1,h2", "port", "1,2", "dbname", "d"));
        assertThat(parsed("postgresql://h?ssl=true")).isEqualTo(Map.of("host", "h", "sslmode", "require"));
        assertThat(parsed("postgresql://h?sslmode=verify-full"))
                .isEqualTo(Map.of("host", "h", "sslmode", "verify-full"));
    }

    @Test
    void percent_encoding_in_every_part() {
        assertThat(parsed(
                        "postgresql://us%40er:p%2Fw%3A%25+x@%2Fvar%2Frun/d%20b?options=-c%20synchronous_commit%3Doff"))
                .isEqualTo(Map.of(
                        "user",
                        "us@er",
                        "password",
                        "p/w:%+x",
                        "host",
                        "/var/run",
                        "dbname",
                        "d b",
                        "options",
                        "-c synchronous_commit=off"));
        assertThat(parsed("postgresql://%C3%BC@h")).isEqualTo(Map.of("user", "ü", "host", "h"));
    }

    @Test
    void jdbc_urls_keep_pgjdbcs_properties_and_the_service_role_goes_first() {
        assertThat(ConnInfo.parseUrl("jdbc:ddlrep://h:1/d?user=app&password=x&ssl=true&serviceUser=s&servicePassword=y")
                        .values())
                .isEqualTo(
                        Map.of("host", "h", "port", "1", "dbname", "d", "user", "s", "password", "y", "ssl", "true"));
        assertThat(ConnInfo.parseUrl("jdbc:ddlrep:d").values()).isEqualTo(Map.of("dbname", "d"));
        assertThatThrownBy(() -> ConnInfo.parseUrl("jdbc:mysql://h")).hasMessageContaining("jdbc:ddlrep:");
    }

    @Test
    void names_before_connection_strings() {
        assertThat(NamedConnInfo.parse("berlin=host=h port=1", "n2"))
                .isEqualTo(new NamedConnInfo("berlin", "host=h port=1"));
        assertThat(NamedConnInfo.parse("n7=postgresql://h", "n2")).isEqualTo(new NamedConnInfo("n7", "postgresql://h"));
        assertThat(NamedConnInfo.parse("host=h port=1", "n2")).isEqualTo(new NamedConnInfo("n2", "host=h port=1"));
        assertThat(NamedConnInfo.parse("postgresql://h?sslmode=require", "n2").name())
                .isEqualTo("n2");
    }

    @Test
    void nothing_prints_a_password() {
        assertThat(ConnInfo.parse("password=secret user=u").toString()).doesNotContain("secret");
        assertThat(NamedConnInfo.parse("n1=password=secret", "n1").toString()).doesNotContain("secret");
    }
}
