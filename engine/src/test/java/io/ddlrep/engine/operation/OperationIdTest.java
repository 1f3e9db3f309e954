package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationIdTest {
    private final OperationId op = new OperationId("0123456789abcdef");

    @Test
    void a_gid_reads_back_as_what_was_printed() {
        OperationId.Gid gid = OperationId.random(new SecureRandom()).gid("g1", "n'2");

        assertThat(OperationId.Gid.parse(gid.toString())).contains(gid);
        assertThat(op.gid("g1", "n2")).hasToString("ddlrep:g1:n2:0123456789abcdef");
        assertThat(op.gid("g1", "n2")).isNotEqualTo(op.gid("g1", "n3")).isNotEqualTo(op.gid("g2", "n2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "other:g1:n2:0123456789abcdef",
                "ddlrep:g1:n2",
                "ddlrep:g1:n2:0123456789abcdef:x",
                "ddlrep:g1:n2:0123456789ABCDEF",
                "ddlrep:g1:n2:0123456789abcde",
                "ddlrep:g1:n2:0123456789abcdef0",
                " ddlrep:g1:n2:0123456789abcdef"
            })
    void a_gid_of_somebody_else_is_none_of_ours(String text) {
        assertThat(OperationId.Gid.parse(text)).isEmpty();
    }

    @Test
    void a_literal_cannot_be_left() {
        assertThat(op.gid("g1", "n'; DROP TABLE t; --").literal())
                .isEqualTo("'ddlrep:g1:n''; DROP TABLE t; --:0123456789abcdef'");
    }

    @Test
    void ids_are_sixteen_digits_and_differ() {
        SecureRandom random = new SecureRandom();

        assertThat(OperationId.random(random)).isNotEqualTo(OperationId.random(random));
        assertThat(op).hasToString("0123456789abcdef");
        assertThatThrownBy(() -> new OperationId("0123456789abcdeg"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0123456789abcdeg");
    }
}
