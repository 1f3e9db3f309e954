package io.ddlrep.gateway.startup;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A startup packet. Immutable.
 *
 * @param version major version in the upper half, minor in the lower
 * @param parameters by name, in their order
 */
public record StartupPacket(int version, Map<String, String> parameters) {
    private static final int HEADER = 8;

    /** Reads one without moving the buffer's indexes; empty where its layout is wrong. */
    public static Optional<StartupPacket> read(ByteBuf packet) {
        ByteBuf in = packet.slice();
        int version = in.getInt(4);
        in.skipBytes(HEADER);
        Map<String, String> parameters = new LinkedHashMap<>();
        while (true) {
            Optional<String> name = text(in);
            if (name.isEmpty()) {
                return Optional.empty();
            }
            if (name.get().isEmpty()) {
                return in.isReadable() ? Optional.empty() : Optional.of(new StartupPacket(version, parameters));
            }
            Optional<String> value = text(in);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            parameters.put(name.get(), value.get());
        }
    }

    private static Optional<String> text(ByteBuf in) {
        int length = in.bytesBefore((byte) 0);
        if (length < 0) {
            return Optional.empty();
        }
        String text = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
        in.skipBytes(1);
        return Optional.of(text);
    }

    /** The role that logs in, empty where none was named. */
    public String user() {
        return parameters.getOrDefault("user", "");
    }

    /** The database that is asked for; where none is named, the server takes the one that is called as the role. */
    public String database() {
        String named = parameters.getOrDefault("database", "");
        return named.isEmpty() ? user() : named;
    }
}
