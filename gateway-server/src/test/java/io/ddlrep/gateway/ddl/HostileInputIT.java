package io.ddlrep.gateway.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ddlrep.gateway.Frontend;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no client should send. Nobody else is harmed, every connection ends, and nothing is left behind. */
class HostileInputIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int READ_MILLIS = 20_000;

    /** How long random messages are sent; {@code -Dddlrep.fuzz.seconds=600} for longer. */
    private static final Duration FUZZ = Duration.ofSeconds(Integer.getInteger("ddlrep.fuzz.seconds", 4));

    /** Each how many bytes a conversation is cut, from a random one on; {@code -Dddlrep.fuzz.stride=1} for each of them. */
    private static final int STRIDE = Integer.getInteger("ddlrep.fuzz.stride", 10);

    private static final byte[] TYPES = "QPBDECSHXFpdcf?\0".getBytes(StandardCharsets.ISO_8859_1);

    /**
     * In random messages no portal is unnamed: PostgreSQL (17.7 as seen) ends by a segmentation fault, and every session with it,
     * where the unnamed portal that a failed Query has left in a failed transaction is executed. No gateway is needed for that.
     */
    private static final String PORTAL = "p";

    private static GatewayGroup group;
    private WireClient bystander;

    @BeforeAll
    static void start() throws SQLException {
        group = GatewayGroup.create("hostile");
        group.through().execute("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t VALUES (1)");
    }

    @AfterAll
    static void stop() {
        group.close();
    }

    @BeforeEach
    void connect() {
        bystander = WireClient.connect(group.through());
    }

    @AfterEach
    void nobodyIsHarmed() throws SQLException {
        bystander.lines().clear();
        bystander.query("SELECT id FROM t");
        assertThat(bystander.lines()).contains("D [1]").endsWith("Z I");
        bystander.close();
        await("every session has ended")
                .atMost(SOON)
                .until(() -> group.gateway().sessions().count() == 0);
        group.through().execute("ALTER TABLE t ADD c int", "ALTER TABLE t DROP c");
        group.assertEqualNodes();
    }

    private static byte[] startup() {
        return Frontend.startup(
                "user", group.through().superuser(), "database", group.through().database());
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }

    /** Queries, a pipeline, DDL that is held and run, and fails, in a transaction and outside of one. */
    private static byte[] conversation() throws IOException {
        return concat(
                startup(),
                Frontend.message('Q', "SELECT 1\0"),
                Frontend.message('P', "s\0ALTER TABLE nowhere ADD a int\0\0\0"),
                Frontend.message('B', "\0s\0\0\0\0\0\0\0"),
                Frontend.message('D', "P\0"),
                Frontend.message('E', "\0\0\0\0\0"),
                Frontend.message('S', ""),
                Frontend.message('Q', "BEGIN\0"),
                Frontend.message('Q', "ALTER TABLE t ADD b int\0"),
                Frontend.message('P', "\0SELECT 1\0\0\0"),
                Frontend.message('B', "\0\0\0\0\0\0\0\0"),
                Frontend.message('E', "\0\0\0\0\0"),
                Frontend.message('H', ""),
                Frontend.message('S', ""),
                Frontend.message('Q', "ROLLBACK\0"),
                Frontend.message('X', ""));
    }

    /** How a client leaves. */
    private enum Leaving {
        CLOSED,
        ENDED,
        RESET
    }

    @ParameterizedTest
    @EnumSource(Leaving.class)
    void a_conversation_cut_at_every_byte(Leaving how) throws IOException {
        byte[] all = conversation();
        for (int cut = new Random().nextInt(STRIDE); cut <= all.length; cut += STRIDE) {
            try (Socket socket =
                    new Socket(group.through().host(), group.through().port())) {
                socket.setSoTimeout(READ_MILLIS);
                socket.getOutputStream().write(all, 0, cut);
                if (how == Leaving.RESET) {
                    socket.setSoLinger(true, 0);
                } else if (how == Leaving.ENDED) {
                    socket.shutdownOutput();
                    drain(socket);
                }
            } catch (SocketTimeoutException e) {
                throw new AssertionError("no end after " + cut + " bytes of " + all.length, e);
            }
        }
    }

    /** Reads to the end; one that does not come within {@link #READ_MILLIS} is a hang. */
    private static void drain(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketException e) {
            // Reset, which is an end, too.
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 3, 4, 1 << 30, Integer.MAX_VALUE})
    void lengths_that_are_wrong_in_each_type_of_message(int length) throws IOException {
        for (byte type : TYPES) {
            try (Socket socket =
                    new Socket(group.through().host(), group.through().port())) {
                socket.setSoTimeout(READ_MILLIS);
                socket.getOutputStream().write(concat(startup(), Frontend.message((char) type, length, new byte[] {
                    0, 0, 0
                })));
                socket.shutdownOutput();
                drain(socket);
            }
        }
    }

    @Test
    void random_messages() throws IOException {
        long seed = Long.getLong("ddlrep.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        List<byte[]> known = List.of(
                Frontend.message('Q', "SELECT 1\0"),
                Frontend.message('Q', "BEGIN; ALTER TABLE nowhere ADD a int\0"),
                Frontend.message('Q', "ALTER TABLE t ADD b int; SELECT 1/0\0"),
                Frontend.message('Q', "COPY t FROM STDIN\0"),
                Frontend.message('Q', "ROLLBACK\0"),
                Frontend.message('P', "\0ALTER TABLE nowhere ADD a int\0\0\0"),
                Frontend.message('B', PORTAL + "\0\0\0\0\0\0\0\0"),
                Frontend.message('E', PORTAL + "\0\0\0\0\0"),
                Frontend.message('D', "P" + PORTAL + "\0"),
                Frontend.message('d', "7\n"),
                Frontend.message('f', "no\0"),
                Frontend.message('H', ""),
                Frontend.message('S', ""));
        Instant end = Instant.now().plus(FUZZ);
        int sessions = 0;
        while (Instant.now().isBefore(end)) {
            byte[] sent = messages(random, known);
            try (Socket socket =
                    new Socket(group.through().host(), group.through().port())) {
                socket.setSoTimeout(READ_MILLIS);
                socket.getOutputStream().write(concat(startup(), sent));
                socket.shutdownOutput();
                drain(socket);
                sessions++;
            } catch (SocketException e) {
                // The gateway has ended it already.
            } catch (IOException e) {
                throw new IOException(
                        "with -Dddlrep.fuzz.seed=" + seed + ", session " + sessions + ": "
                                + new String(sent, StandardCharsets.ISO_8859_1).replace("\0", "~"),
                        e);
            }
        }
        assertThat(sessions).as("sessions, -Dddlrep.fuzz.seed=%s", seed).isPositive();
    }

    private static byte[] messages(Random random, List<byte[]> known) throws IOException {
        List<byte[]> parts = new ArrayList<>();
        for (int left = random.nextInt(12); left >= 0; left--) {
            byte[] next = known.get(random.nextInt(known.size())).clone();
            switch (random.nextInt(6)) {
                case 0 -> {
                    byte[] body = new byte[random.nextInt(40)];
                    random.nextBytes(body);
                    char type = (char) TYPES[random.nextInt(TYPES.length)];
                    if (type == 'E' && body.length > 0 && body[0] == 0) {
                        body[0] = (byte) PORTAL.charAt(0);
                    }
                    next = Frontend.message(type, 4 + body.length, body);
                }
                case 1 -> next[random.nextInt(next.length)] ^= (byte) (1 << random.nextInt(8));
                default -> {
                    // As it should be.
                }
            }
            parts.add(next);
        }
        return concat(parts.toArray(byte[][]::new));
    }
}
