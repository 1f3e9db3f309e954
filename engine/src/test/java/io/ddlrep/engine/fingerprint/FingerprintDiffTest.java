package io.ddlrep.engine.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FingerprintDiffTest {
    private static final Fingerprint PRICE_10 = price("numeric(10,2)");
    private static final Fingerprint PRICE_12 = price("numeric(12,2)");

    private static Fingerprint price(String type) {
        return Fingerprint.of("public.t1", List.of("column price\ttype\t" + type, "relation\tkind\tr"));
    }

    @Test
    void equal_fingerprints_have_no_difference() {
        assertThat(FingerprintDiff.of(Map.of("n1", PRICE_10, "n2", PRICE_10)).isEmpty())
                .isTrue();
    }

    @Test
    void the_node_that_differs_is_named_and_the_others_are_elsewhere() {
        assertThat(FingerprintDiff.of(Map.of("n1", PRICE_12, "n2", PRICE_10, "n3", PRICE_12))
                        .lines())
                .containsExactly("n2: column price of public.t1: type numeric(10,2), elsewhere numeric(12,2)");
    }

    @Test
    void a_fact_that_only_some_have_is_absent_elsewhere() {
        Fingerprint owned = Fingerprint.of(
                "public.t1",
                List.of("column price\ttype\tnumeric(10,2)", "relation\tcomment\tx\\ty", "relation\tkind\tr"));
        assertThat(FingerprintDiff.of(Map.of("n1", PRICE_10, "n2", owned, "n3", PRICE_10))
                        .lines())
                .containsExactly("n2: public.t1: comment x\\ty, elsewhere absent");
    }

    @Test
    void a_relation_that_does_not_exist_is_said_once() {
        Fingerprint none = Fingerprint.of("public.t1", List.of());
        assertThat(FingerprintDiff.of(Map.of("n1", PRICE_10, "n2", none)).lines())
                .containsExactly("n2: public.t1 does not exist");
    }
}
