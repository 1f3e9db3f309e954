package io.ddlrep.gateway.node;

import io.ddlrep.gateway.wire.Frame;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Messages to a server, one behind the other in one buffer. Used by one thread; {@link #done} ends it. */
final class Messages {
    private static final String OWN = "ddlrep";

    private final ByteBuf out;

    Messages(ByteBuf out) {
        this.out = out;
    }

    /** A simple query. */
    Messages query(String sql) {
        int start = begin('Q');
        text(sql);
        return end(start);
    }

    /** Parse, Bind, Describe and Execute of the unnamed statement and portal, everything in text form. */
    Messages run(String sql, List<Parameter> parameters) {
        return parse("", sql, parameters).bind("", parameters).describe("").execute("");
    }

    private Messages parse(String name, String sql, List<Parameter> parameters) {
        int start = begin('P');
        text(name);
        text(sql);
        out.writeShort(parameters.size());
        parameters.forEach(p -> out.writeInt(p.type()));
        return end(start);
    }

    private Messages bind(String name, List<Parameter> parameters) {
        int start = begin('B');
        text(name);
        text(name);
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
        return end(start);
    }

    private Messages describe(String portal) {
        int start = begin('D');
        out.writeByte('P');
        text(portal);
        return end(start);
    }

    private Messages execute(String portal) {
        int start = begin('E');
        text(portal);
        out.writeInt(0);
        return end(start);
    }

    /** The same by names of the gateway's own, made and closed here: nothing unnamed of the client's is lost. */
    Messages runNamed(String sql, List<Parameter> parameters) {
        close().parse(OWN, sql, parameters);
        bind(OWN, parameters).describe(OWN).execute(OWN);
        return close();
    }

    /** Closes what {@link #runNamed} may have left. */
    Messages close() {
        for (char kind : new char[] {'P', 'S'}) {
            int start = begin('C');
            out.writeByte(kind);
            text(OWN);
            end(start);
        }
        return this;
    }

    /** Flush. */
    Messages flush() {
        return end(begin('H'));
    }

    /** A message of the client's, as it came. */
    Messages frame(Frame frame) {
        frame.encode(out);
        return this;
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
