package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    private static Statement.Ddl ddl(String sql) {
        return (Statement.Ddl) SqlParser.parse(sql, ParserOptions.DEFAULT).get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "CREATE ROLE r LOGIN ENCRYPTED PASSWORD 'top''s' VALID UNTIL 'infinity'|CREATE ROLE r LOGIN ENCRYPTED PASSWORD '***' VALID UNTIL '***'",
                "ALTER USER password WITH PASSWORD E'a\\'b'|ALTER USER password WITH PASSWORD '***'",
                "CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'x', password $p$y$p$)|CREATE USER MAPPING FOR u SERVER s OPTIONS (user '***', password '***')",
                "ALTER SERVER s OPTIONS (SET sslkey 'k')|ALTER SERVER s OPTIONS (SET sslkey '***')",
                "CREATE SUBSCRIPTION s CONNECTION 'password=x' PUBLICATION p|CREATE SUBSCRIPTION s CONNECTION '***' PUBLICATION p",
                "DO $$BEGIN EXECUTE 'ALTER ROLE r PASSWORD ''x'''; END$$|DO '***'",
                "ALTER TABLE t ADD password text DEFAULT 'none'|ALTER TABLE t ADD password text DEFAULT 'none'",
                "COMMENT ON TABLE t IS 'x'|COMMENT ON TABLE t IS 'x'"
            })
    void what_may_be_a_secret_is_masked(String sql, String masked) {
        assertThat(Secrets.masked(ddl(sql))).isEqualTo(masked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "CREATE ROLE r PASSWORD 'x' LOGIN|CREATE ROLE r PASSWORD 'SCRAM$1' LOGIN",
                "alter user password encrypted password U&'d\\0061t' valid until 'x'|alter user password encrypted password 'SCRAM$1' valid until 'x'"
            })
    void a_password_is_replaced_and_nothing_else(String sql, String replaced) {
        assertThat(Secrets.setsPassword(ddl(sql))).isTrue();
        assertThat(Secrets.withPassword(ddl(sql), "SCRAM$1")).isEqualTo(replaced);
    }

    @Test
    void a_string_ends_where_the_session_reads_its_end() {
        String sql = "SET standard_conforming_strings = off; ALTER ROLE r PASSWORD 'a\\' s' VALID UNTIL 'b'";
        Statement.Ddl ddl =
                (Statement.Ddl) SqlParser.parse(sql, ParserOptions.DEFAULT).get(1);

        assertThat(Secrets.masked(ddl)).isEqualTo("ALTER ROLE r PASSWORD '***' VALID UNTIL '***'");
        assertThat(Secrets.withPassword(ddl, "SCRAM$1")).isEqualTo("ALTER ROLE r PASSWORD 'SCRAM$1' VALID UNTIL 'b'");
    }

    @Test
    void what_sets_no_password_has_none_to_replace() {
        assertThat(Secrets.setsPassword(ddl("ALTER ROLE r PASSWORD NULL"))).isFalse();
        assertThat(Secrets.setsPassword(ddl("ALTER ROLE password SET search_path = 'x'")))
                .isFalse();
        assertThatThrownBy(() -> Secrets.withPassword(ddl("CREATE ROLE r LOGIN"), "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
