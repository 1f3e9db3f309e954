package io.ddlrep.gateway.node;

import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.NodeSocket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** A link over a socket that the thread itself reads: nobody has to be woken between the thread and the server. */
final class SocketLink implements WireLink {
    private static final int BUFFER = 64 << 10;

    private final String node;
    private final NodeSocket connection;
    private final BufferedInputStream buffered;
    private final DataInputStream in;
    private final OutputStream out;
    private final Runnable whenClosed;

    /**
     * Makes one.
     *
     * @param node the node's name, for errors
     * @param whenClosed called when this is closed, by whoever does
     */
    SocketLink(String node, NodeSocket connection, Runnable whenClosed) throws IOException {
        this.whenClosed = whenClosed;
        this.node = node;
        this.connection = connection;
        this.buffered = new BufferedInputStream(connection.socket().getInputStream(), BUFFER);
        this.in = new DataInputStream(buffered);
        this.out = connection.socket().getOutputStream();
    }

    @Override
    public ByteBuf buffer() {
        return Unpooled.buffer();
    }

    @Override
    public void send(ByteBuf frames) {
        try {
            frames.readBytes(out, frames.readableBytes());
        } catch (IOException e) {
            // The server may have said why, in a message that is still to be read.
            if (connection.isClosed()) {
                throw lost(e);
            }
        } finally {
            frames.release();
        }
    }

    @Override
    public Frame take() {
        return take(Duration.ZERO);
    }

    /**
     * The next frame.
     *
     * @param limit zero: as long as the connection lives
     * @throws io.ddlrep.engine.node.NodeException 08006 where none comes in time, or the connection ends
     */
    Frame take(Duration limit) {
        try {
            connection.socket().setSoTimeout(Math.toIntExact(limit.toMillis()));
            byte type = in.readByte();
            int length = in.readInt() - Integer.BYTES;
            if (length < 0) {
                throw new IOException("a message of " + length + " bytes");
            }
            byte[] body = new byte[length];
            in.readFully(body);
            return new Frame(type, body);
        } catch (SocketTimeoutException e) {
            close();
            throw WireErrors.lost(node, "the server did not answer in " + limit.toMillis() + " ms");
        } catch (EOFException e) {
            close();
            throw WireErrors.lost(node, "the server closed the connection");
        } catch (IOException e) {
            close();
            throw lost(e);
        }
    }

    private RuntimeException lost(IOException cause) {
        return WireErrors.lost(node, "the connection is gone: " + cause.getMessage());
    }

    @Override
    public boolean isEmpty() {
        try {
            return buffered.available() == 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed();
    }

    @Override
    public void sendAndClose(ByteBuf last) {
        try {
            send(last);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        connection.close();
        whenClosed.run();
    }
}
