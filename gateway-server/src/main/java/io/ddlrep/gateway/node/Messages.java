package io.ddlrep.gateway.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Messages to a server, one behind the other in one buffer. Used by one thread; {@link #done} ends it. */
final class Messages {
    private final ByteBuf out;

    Messages(ByteBufAllocator allocator) {
        this.out = allocator.buffer();
    }

    /** A simple query. */
    Messages query(String sql) {
        int start = begin('Q');
        text(sql);
        return end(start);
    }

    /** Parse, Bind, Describe and Execute of the unnamed statement and portal, everything in text form. */
    Messages run(String sql, List<Parameter> parameters) {
        int start = begin('P');
        text("");
        text(sql);
        out.writeShort(parameters.size());
        parameters.forEach(p -> out.writeInt(p.type()));
        end(start);
        start = begin('B');
        text("");
        text("");
        out.writeShort(0);
        out.writeShort(parameters.size());
        for (Parameter parameter : parameters) {
            byte[] value = parameter.text();
            if (value == null) {
                out.writeInt(-1);
            } else {
                out.writeInt(value.length).writeBytes(value);
            }
        }
        out.writeShort(0);
        end(start);
        start = begin('D');
        out.writeByte('P');
        text("");
        end(start);
        start = begin('E');
        text("");
        out.writeInt(0);
        return end(start);
    }

    /** Sync. */
    Messages sync() {
        return end(begin('S'));
    }

    /** Data of a COPY. */
    Messages copyData(byte[] chunk) {
        int start = begin('d');
        out.writeBytes(chunk);
        return end(start);
    }

    /** The end of a COPY. */
    Messages copyDone() {
        return end(begin('c'));
    }

    /** A COPY given up. */
    Messages copyFail(String why) {
        int start = begin('f');
        text(why);
        return end(start);
    }

    /** The client leaves. */
    Messages terminate() {
        return end(begin('X'));
    }

    /** All of it. */
    ByteBuf done() {
        return out;
    }

    private int begin(char type) {
        out.writeByte(type).writeInt(0);
        return out.writerIndex() - Integer.BYTES;
    }

    private Messages end(int start) {
        out.setInt(start, out.writerIndex() - start);
        return this;
    }

    private void text(String value) {
        out.writeCharSequence(value, StandardCharsets.UTF_8);
        out.writeByte(0);
    }
}
