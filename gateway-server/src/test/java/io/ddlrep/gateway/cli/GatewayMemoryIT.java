package io.ddlrep.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.gateway.Frontend;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.server.PgServerOptions;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much memory a gateway takes; with figures on standard output. Run it alone with {@code -Dexcluded.tags=none}. */
@Tag("long")
class GatewayMemoryIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CLIENTS = 1_000;
    private static final long GIGABYTE = 1L << 30;

    private static PgGroup group;

    @BeforeAll
    static void create() {
        group = PgGroup.dedicated(2, PgServerOptions.defaults().withMaxConnections(CLIENTS + 50));
        GatewayProcess.init(group);
    }

    @AfterAll
    static void drop() {
        group.close();
    }

    private static Socket connect(PgNode node) throws IOException {
        Socket socket = new Socket(node.host(), node.port());
        socket.setSoTimeout((int) SOON.toMillis());
        socket.getOutputStream().write(Frontend.startup("user", node.superuser(), "database", node.database()));
        return socket;
    }

    /** Reads up to the next ReadyForQuery. */
    private static void answered(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte type;
        do {
            type = in.readByte();
            in.skipNBytes(in.readInt() - 4L);
        } while (type != 'Z');
    }

    @Test
    void a_thousand_idle_clients_take_less_than_256_megabytes() throws IOException {
        List<Socket> clients = new ArrayList<>();
        // As ./ddlrep starts it.
        try (GatewayProcess gateway =
                GatewayProcess.start(List.of("-XX:+UseSerialGC"), group.node(1), "--listen", "127.0.0.1:0")) {
            PgNode through = gateway.through(group.node(1));
            long before = gateway.megabytes();
            for (int i = 0; i < CLIENTS; i++) {
                Socket client = connect(through);
                clients.add(client);
                answered(client);
                client.getOutputStream().write(Frontend.message('Q', "SELECT 1\0"));
                answered(client);
            }
            long with = gateway.megabytes();
            System.out.printf("%d idle clients: %d MB, %d MB before the first%n", CLIENTS, with, before);
            assertThat(with).isLessThan(256);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void a_reader_that_stops_takes_no_memory() throws IOException, SQLException {
        PgNode origin = group.node(1);
        try (GatewayProcess gateway = GatewayProcess.start(
                        List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m"), origin, "--listen", "127.0.0.1:0");
                Socket client = connect(gateway.through(origin))) {
            answered(client);
            long before = gateway.megabytes();
            client.getOutputStream()
                    .write(Frontend.message(
                            'Q', "SELECT repeat('x', 1024) FROM generate_series(1, 1048576) AS stopped\0"));
            client.getOutputStream().write(Frontend.message('X', ""));
            InputStream in = client.getInputStream();
            long read = in.readNBytes(1 << 20).length;
            await("the origin waits for the reader")
                    .atMost(SOON)
                    .until(
                            () -> "ClientWrite"
                                    .equals(
                                            origin.queryText(
                                                    "SELECT wait_event FROM pg_stat_activity WHERE query LIKE '%AS stopped%' AND pid <> pg_backend_pid()")));
            long stopped = gateway.megabytes();
            // Others are served meanwhile.
            gateway.through(origin).execute("CREATE TABLE IF NOT EXISTS meanwhile (id int)");
            byte[] buffer = new byte[1 << 16];
            for (int some = in.read(buffer); some >= 0; some = in.read(buffer)) {
                read += some;
            }
            System.out.printf(
                    "a reader of %d MB that stops: %d MB, %d MB before, %d MB after it has read all%n",
                    read >> 20, stopped, before, gateway.megabytes());
            assertThat(read).isGreaterThan(GIGABYTE);
            assertThat(gateway.lines()).noneMatch(line -> line.contains("OutOfMemory"));
        }
    }
}
