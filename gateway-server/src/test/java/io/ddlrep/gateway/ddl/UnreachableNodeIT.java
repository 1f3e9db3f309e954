package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.node.NodeAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** A node that cannot be reached is no reason for a client to give its own connection up. */
class UnreachableNodeIT {
    @Test
    void ddl_is_refused_and_everything_else_goes_on() throws IOException {
        int closed;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = free.getLocalPort();
        }
        try (GatewayGroup group =
                        GatewayGroup.create("unreachable", new NodeAddress("n3", "127.0.0.1", closed, "nowhere"));
                WireClient client = WireClient.connect(group.through())) {
            client.query("CREATE TABLE t (id int PRIMARY KEY)");
            assertThat(client.lines())
                    .anySatisfy(line -> assertThat(line).startsWith("E ").contains("n3"))
                    .noneMatch(line -> line.contains("C=08") || line.contains("C=57P"))
                    .endsWith("Z I");
            client.lines().clear();
            client.query("CREATE TEMP TABLE own (id int)").query("SELECT count(*) FROM own");
            assertThat(client.lines()).contains("C CREATE TABLE", "D [0]").endsWith("Z I");
        }
    }
}
