package io.ddlrep.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class RequiresProgramTest {

    @Test
    @RequiresProgram({"sh", "ls"})
    void a_test_runs_when_its_programs_are_there() {
        assertThat(Programs.find("sh")).isPresent();
    }

    @Test
    void a_program_that_is_missing_disables_the_test_and_is_named() {
        var result = RequiresProgramCondition.evaluate("sh", "no-such-program");
        assertThat(result.isDisabled()).isTrue();
        assertThat(result.getReason()).hasValue("not on this machine: no-such-program");
    }

    @Test
    void a_skip_is_junits_own_and_says_why() {
        Skip.unless(true, "never seen");
        assertThatThrownBy(() -> Skip.unless(false, "no such server"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("no such server");
    }
}
