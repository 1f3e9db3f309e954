package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A gateway that ends lets transactions end first, those with DDL on all nodes among them. */
class DrainIT {
    private static final String FATAL = "57P01";

    private static CompletableFuture<Boolean> drain(GatewayGroup group, Duration limit) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return group.gateway().drain(limit);
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void idle_clients_leave_at_once_and_others_when_their_transaction_ends() throws SQLException {
        try (GatewayGroup group = GatewayGroup.create("drain");
                WireClient idle = WireClient.connect(group.through());
                WireClient open = WireClient.connect(group.through());
                WireClient piped = WireClient.connect(group.through())) {
            open.query("CREATE TABLE t (id int PRIMARY KEY)").query("BEGIN").query("ALTER TABLE t ADD a int");
            piped.run("SELECT 1").flush().send().until('C');
            CompletableFuture<Boolean> drained = drain(group, Duration.ofSeconds(30));
            idle.ready();
            assertThat(idle.lines()).anyMatch(line -> line.contains(FATAL)).endsWith("the end");
            assertThatThrownBy(() -> group.through().connect()).isInstanceOf(SQLException.class);
            open.query("ALTER TABLE t ADD b int").query("COMMIT");
            assertThat(open.lines()).contains("C COMMIT").endsWith("Z I");
            open.ready();
            assertThat(open.lines()).anyMatch(line -> line.contains(FATAL)).endsWith("the end");
            assertThat(drained).isNotDone();
            piped.sync().ready();
            assertThat(piped.lines()).anyMatch(line -> line.contains(FATAL)).endsWith("the end");
            assertThat(drained.join()).isTrue();
            assertThat(group.node(3)
                            .queryText("SELECT count(*) FROM information_schema.columns WHERE table_name = 't'"))
                    .isEqualTo("3");
            group.assertEqualNodes();
        }
    }

    @Test
    void a_transaction_that_does_not_end_in_time_is_rolled_back_everywhere() throws SQLException {
        try (GatewayGroup group = GatewayGroup.create("drainlate")) {
            try (WireClient open = WireClient.connect(group.through())) {
                open.query("CREATE TABLE t (id int PRIMARY KEY)").query("BEGIN").query("ALTER TABLE t ADD a int");
                assertThat(drain(group, Duration.ofMillis(200)).join()).isFalse();
                group.gateway().close();
                open.ready();
                assertThat(open.lines()).endsWith("the end");
            }
            group.assertEqualNodes();
            assertThat(group.node(1)
                            .queryText("SELECT count(*) FROM information_schema.columns WHERE table_name = 't'"))
                    .isEqualTo("1");
        }
    }
}
