package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PgSnapshotTest {
    private static PgSnapshot snapshot(String text) {
        return PgSnapshot.parse(text);
    }

    @Test
    void prints_what_it_read() {
        for (String text : new String[] {"10:20:10,14,15", "795:799:795,797", "5:5:"}) {
            assertThat(snapshot(text)).hasToString(text);
        }
    }

    @Test
    void refuses_other_texts() {
        for (String text : new String[] {"", "1:2", "a:b:c", "1:2:x"}) {
            assertThatThrownBy(() -> snapshot(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void sees_transactions_that_were_finished() {
        PgSnapshot snapshot = snapshot("10:20:10,14");
        assertThat(snapshot.sees(9)).isTrue();
        assertThat(snapshot.sees(10)).isFalse();
        assertThat(snapshot.sees(11)).isTrue();
        assertThat(snapshot.sees(14)).isFalse();
        assertThat(snapshot.sees(19)).isTrue();
        assertThat(snapshot.sees(20)).isFalse();
    }

    @Test
    void covers_itself_and_everything_older() {
        PgSnapshot now = snapshot("12:22:12,21");
        assertThat(now.covers(now)).isTrue();
        assertThat(now.covers(snapshot("10:20:10,12,14"))).isTrue();
        assertThat(now.covers(snapshot("10:20:10,14")))
                .as("12 was finished there")
                .isFalse();
        assertThat(now.covers(snapshot("12:23:12,21")))
                .as("22 was finished there")
                .isFalse();
        assertThat(now.covers(snapshot("12:23:12,21,22")))
                .as("22 was running there")
                .isTrue();
        assertThat(now.covers(snapshot("21:9000000000:21"))).isFalse();
    }
}
