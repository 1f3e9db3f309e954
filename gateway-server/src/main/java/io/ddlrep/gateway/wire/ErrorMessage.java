package io.ddlrep.gateway.wire;

import io.ddlrep.engine.node.ServerError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An ErrorResponse or a NoticeResponse of the gateway's own. Immutable.
 *
 * @param severity FATAL, ERROR, WARNING or NOTICE
 * @param error what it says
 */
public record ErrorMessage(String severity, ServerError error) {
    /** One without position and context. */
    public ErrorMessage(
            String severity, String sqlState, String message, @Nullable String detail, @Nullable String hint) {
        this(severity, ServerError.of(sqlState, message).with(detail, hint));
    }

    /** One that ends the connection. */
    public static ErrorMessage fatal(String sqlState, String message, @Nullable String detail, @Nullable String hint) {
        return new ErrorMessage("FATAL", sqlState, message, detail, hint);
    }

    /** One that ends the statement. */
    public static ErrorMessage error(ServerError error) {
        return new ErrorMessage("ERROR", error);
    }

    /** The ErrorResponse. */
    public ByteBuf frame(ByteBufAllocator allocator) {
        return new Frame((byte) 'E', body()).encode(allocator);
    }

    /** Its body. */
    public byte[] body() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        field(out, 'S', severity);
        field(out, 'V', severity);
        field(out, 'C', error.sqlState());
        field(out, 'M', error.message());
        field(out, 'D', error.detail());
        field(out, 'H', error.hint());
        field(out, 'P', error.position() == 0 ? null : Integer.toString(error.position()));
        field(out, 'W', error.where());
        field(out, 's', error.schema());
        field(out, 't', error.table());
        field(out, 'c', error.column());
        field(out, 'd', error.dataType());
        field(out, 'n', error.constraint());
        out.write(0);
        return out.toByteArray();
    }

    /** The SQLSTATE in the beginning of a body; empty where it does not stand there. */
    static String sqlState(byte[] body) {
        int at = 0;
        while (at < body.length && body[at] != 0) {
            int end = at + 1;
            while (end < body.length && body[end] != 0) {
                end++;
            }
            if (body[at] == 'C' && end < body.length) {
                return new String(body, at + 1, end - at - 1, StandardCharsets.US_ASCII);
            }
            at = end + 1;
        }
        return "";
    }

    private static void field(ByteArrayOutputStream out, char type, @Nullable String value) {
        if (value != null) {
            out.write(type);
            out.writeBytes(value.replace('\0', ' ').getBytes(StandardCharsets.UTF_8));
            out.write(0);
        }
    }
}
