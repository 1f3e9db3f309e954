package io.ddlrep.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeededTest {

    @AfterEach
    void clearSeed() {
        System.clearProperty(Seeded.SEED);
    }

    @Test
    void every_run_gets_other_numbers() {
        Set<Long> numbers = new HashSet<>();
        Seeded.check(20, random -> numbers.add(random.nextLong()));
        assertThat(numbers).hasSize(20);
    }

    @Test
    void a_failure_names_the_seed_that_repeats_it() {
        List<Long> failed = new ArrayList<>();
        String message = "";
        try {
            Seeded.check(1, random -> {
                failed.add(random.nextLong());
                throw new IllegalStateException("boom");
            });
        } catch (AssertionError e) {
            message = String.valueOf(e.getMessage());
        }
        assertThat(message).contains("-Dddlrep.seed=").contains("boom");
        String seed = message.replaceAll("(?s).*-Dddlrep.seed=(-?\\d+).*", "$1");
        System.setProperty(Seeded.SEED, seed);
        Seeded.check(20, random -> failed.add(random.nextLong()));
        assertThat(failed).hasSize(2);
        assertThat(failed.get(1)).isEqualTo(failed.get(0));
        assertThat(Seeded.seed()).isEqualTo(Long.parseLong(seed));
    }

    @Test
    void a_failed_assertion_is_a_failure_too() {
        assertThatThrownBy(() -> Seeded.check(1, random -> assertThat(1).isEqualTo(2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Dddlrep.seed=");
    }

    @Test
    void shrinking_finds_the_two_elements_that_fail_together() {
        List<Integer> numbers = IntStream.range(0, 100).boxed().toList();
        assertThat(Seeded.shrink(numbers, list -> list.contains(13) && list.contains(77)))
                .containsExactly(13, 77);
    }
}
