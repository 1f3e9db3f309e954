package io.ddlrep.testkit.proxy;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one direction of a connection into messages. One thread at a time.
 *
 * <pre>
 * client to server   start-up packets: Int32 length, body        (SSLRequest, GSSENCRequest, Cancel, StartupMessage)
 *                    then:             Byte1 type, Int32 length, body
 * server to client   answer to SSLRequest, GSSENCRequest: one byte without a length
 *                    then:             Byte1 type, Int32 length, body
 * </pre>
 */
final class MessageReader {

    private static final int LARGEST_WHOLE = 1 << 20;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSSENC_REQUEST = 80877104;

    /** What the two directions of one connection must know of each other. Thread-safe. */
    static final class Handshake {
        private volatile boolean encryptionAsked;
        private volatile boolean started;
        private volatile boolean opaque;
    }

    private final DataInputStream in;
    private final BooleanSupplier untyped;
    private final boolean fromClient;
    private final Handshake handshake;
    private int restOfLarge;

    private MessageReader(InputStream stream, boolean fromClient, Handshake handshake) {
        this.in = new DataInputStream(new BufferedInputStream(stream, 1 << 16));
        this.fromClient = fromClient;
        this.handshake = handshake;
        this.untyped = fromClient ? () -> !handshake.started : () -> handshake.encryptionAsked;
    }

    static MessageReader ofClient(InputStream stream, Handshake handshake) {
        return new MessageReader(stream, true, handshake);
    }

    static MessageReader ofServer(InputStream stream, Handshake handshake) {
        return new MessageReader(stream, false, handshake);
    }

    /** The next message, or null at the end of the stream. */
    @Nullable
    WireMessage next() throws IOException {
        if (restOfLarge > 0) {
            int length = Math.min(restOfLarge, LARGEST_WHOLE);
            restOfLarge -= length;
            return untyped(in.readNBytes(length));
        }
        int first = in.read();
        if (first < 0) {
            return null;
        }
        if (handshake.opaque) {
            return opaque(first);
        }
        if (untyped.getAsBoolean()) {
            return fromClient ? startupPacket(first) : encryptionAnswer(first);
        }
        return typed(first);
    }

    private WireMessage typed(int type) throws IOException {
        int length = in.readInt();
        int wanted = Math.min(length - Integer.BYTES, LARGEST_WHOLE);
        restOfLarge = length - Integer.BYTES - wanted;
        ByteBuffer message = ByteBuffer.allocate(1 + Integer.BYTES + wanted);
        message.put((byte) type).putInt(length).put(in.readNBytes(wanted));
        return new WireMessage((char) type, message.array());
    }

    private WireMessage startupPacket(int first) throws IOException {
        byte[] restOfLength = in.readNBytes(3);
        int length = ByteBuffer.allocate(Integer.BYTES)
                .put((byte) first)
                .put(restOfLength)
                .getInt(0);
        if (length < 2 * Integer.BYTES || length > LARGEST_WHOLE) {
            throw new IOException("a start-up packet of " + length + " bytes");
        }
        ByteBuffer packet = ByteBuffer.allocate(length);
        packet.putInt(length).put(in.readNBytes(length - Integer.BYTES));
        int code = packet.getInt(Integer.BYTES);
        if (code == SSL_REQUEST || code == GSSENC_REQUEST) {
            handshake.encryptionAsked = true;
        } else {
            handshake.started = true;
        }
        return untyped(packet.array());
    }

    private WireMessage encryptionAnswer(int answer) throws IOException {
        handshake.encryptionAsked = false;
        if (answer == 'E') {
            return typed(answer);
        }
        // From here on both directions are encrypted: nothing can be told apart any more.
        handshake.opaque = answer == 'S' || answer == 'G';
        return untyped(new byte[] {(byte) answer});
    }

    private WireMessage opaque(int first) throws IOException {
        byte[] chunk = new byte[1 + Math.max(0, in.available())];
        chunk[0] = (byte) first;
        int read = chunk.length == 1 ? 0 : Math.max(0, in.read(chunk, 1, chunk.length - 1));
        return untyped(Arrays.copyOf(chunk, 1 + read));
    }

    private static WireMessage untyped(byte[] bytes) {
        return new WireMessage(WireMessage.UNTYPED, bytes);
    }
}
