package io.ddlrep.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An ErrorResponse of the gateway's own. Immutable.
 *
 * @param severity FATAL or ERROR
 * @param sqlState the SQLSTATE
 * @param message the primary message
 * @param detail more about it, or null
 * @param hint what to do, or null
 */
public record ErrorMessage(
        String severity,
        String sqlState,
        String message,
        @Nullable String detail,
        @Nullable String hint) {
    /** One that ends the connection. */
    public static ErrorMessage fatal(String sqlState, String message, @Nullable String detail, @Nullable String hint) {
        return new ErrorMessage("FATAL", sqlState, message, detail, hint);
    }

    /** The frame. */
    public ByteBuf frame(ByteBufAllocator allocator) {
        ByteBuf out = allocator.buffer();
        out.writeByte('E').writeInt(0);
        field(out, 'S', severity);
        field(out, 'V', severity);
        field(out, 'C', sqlState);
        field(out, 'M', message);
        field(out, 'D', detail);
        field(out, 'H', hint);
        out.writeByte(0);
        return out.setInt(1, out.writerIndex() - 1);
    }

    private static void field(ByteBuf out, char type, @Nullable String value) {
        if (value != null) {
            out.writeByte(type);
            out.writeCharSequence(value.replace('\0', ' '), StandardCharsets.UTF_8);
            out.writeByte(0);
        }
    }
}
