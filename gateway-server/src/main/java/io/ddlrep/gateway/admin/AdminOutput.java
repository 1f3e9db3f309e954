package io.ddlrep.gateway.admin;

import io.ddlrep.gateway.wire.Channels;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server's messages to one client. Used by one thread at a time, never one of an event loop. */
final class AdminOutput {
    private static final int BATCH = 32 << 10;
    private static final int TEXT_SIZE = -1;

    private final Channel client;
    private ByteBuf out = Unpooled.EMPTY_BUFFER;

    AdminOutput(Channel client) {
        this.client = client;
    }

    /** A message without a body. */
    void empty(char type) {
        end(begin(type));
    }

    /** A body that is made elsewhere. */
    void message(char type, byte[] body) {
        int start = begin(type);
        out.writeBytes(body);
        end(start);
    }

    /** CommandComplete. */
    void complete(String tag) {
        int start = begin('C');
        text(tag);
        end(start);
    }

    /** ParameterStatus. */
    void setting(String name, String value) {
        int start = begin('S');
        text(name);
        text(value);
        end(start);
    }

    /** ReadyForQuery. */
    void ready(char status) {
        int start = begin('Z');
        out.writeByte(status);
        end(start);
    }

    /** ParameterDescription. */
    void parameters(int[] oids) {
        int start = begin('t');
        out.writeShort(oids.length);
        for (int oid : oids) {
            out.writeInt(oid);
        }
        end(start);
    }

    /** RowDescription, or NoData. */
    void columns(List<Column> columns, boolean[] binary) {
        if (columns.isEmpty()) {
            empty('n');
            return;
        }
        int start = begin('T');
        out.writeShort(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            text(column.name());
            out.writeInt(0).writeShort(0).writeInt(column.type().oid());
            out.writeShort(column.type().size()).writeInt(TEXT_SIZE).writeShort(binary[i] ? 1 : 0);
        }
        end(start);
    }

    /** DataRow. */
    void row(List<Column> columns, @Nullable Object[] values, boolean[] binary) {
        int start = begin('D');
        out.writeShort(values.length);
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value == null) {
                out.writeInt(-1);
            } else {
                ColumnType type = columns.get(i).type();
                byte[] bytes = binary[i] ? type.binary(value) : type.text(value);
                out.writeInt(bytes.length).writeBytes(bytes);
            }
        }
        end(start);
        if (out.readableBytes() > BATCH) {
            flush();
        }
    }

    /** Sends what there is; waits where the client does not keep up. */
    void flush() {
        if (!client.isActive()) {
            out.release();
            out = Unpooled.EMPTY_BUFFER;
            throw new AdminException("08006", "the client is gone");
        }
        if (!out.isReadable()) {
            return;
        }
        ByteBuf full = out;
        out = Unpooled.EMPTY_BUFFER;
        if (client.isWritable()) {
            Channels.send(client, full);
        } else {
            ChannelFuture unused = client.writeAndFlush(full).awaitUninterruptibly();
        }
    }

    private int begin(char type) {
        if (!out.isReadable()) {
            out = client.alloc().buffer();
        }
        out.writeByte(type).writeInt(0);
        return out.writerIndex() - Integer.BYTES;
    }

    private void end(int start) {
        out.setInt(start, out.writerIndex() - start);
    }

    private void text(String value) {
        out.writeCharSequence(value.replace('\0', ' '), StandardCharsets.UTF_8);
        out.writeByte(0);
    }
}
