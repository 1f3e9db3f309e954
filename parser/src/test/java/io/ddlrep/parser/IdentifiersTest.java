package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class IdentifiersTest {
    @Test
    void only_ascii_is_folded() {
        assertThat(Identifiers.fold("TITLE_ÄÖ_İI")).isEqualTo("title_ÄÖ_İi");
    }

    @Test
    void names_are_cut_to_63_bytes_at_a_character() {
        assertThat(Identifiers.fold("x".repeat(70))).hasSize(63);
        assertThat(Identifiers.fold("ü".repeat(40))).isEqualTo("ü".repeat(31));
        assertThat(Identifiers.fold("😀".repeat(20))).isEqualTo("😀".repeat(15));
        String exact = "a".repeat(61) + "ü";
        assertThat(exact.getBytes(StandardCharsets.UTF_8)).hasSize(63);
        assertThat(Identifiers.fold(exact)).isEqualTo(exact);
    }

    @Test
    void quoted_names_keep_case_and_halve_quotes() {
        assertThat(Identifiers.unquote("\"A\"\"b\"")).isEqualTo("A\"b");
        assertThat(Identifiers.unquote("\"open")).isEqualTo("open");
        assertThat(Identifiers.unquote("\"")).isEmpty();
    }

    @Test
    void unicode_escapes_are_decoded() {
        assertThat(Identifiers.decodeUnicode("U&\"d\\0061t\\+000061\"", '\\')).isEqualTo("data");
        assertThat(Identifiers.decodeUnicode("U&\"d!0061ta!!\"", '!')).isEqualTo("data!");
        assertThat(Identifiers.decodeUnicode("u&\"\\d83d\\de00\"", '\\')).isEqualTo("😀");
        assertThat(Identifiers.decodeUnicode("U&\"\\00zz\\\"", '\\')).isEqualTo("\\00zz\\");
    }
}
