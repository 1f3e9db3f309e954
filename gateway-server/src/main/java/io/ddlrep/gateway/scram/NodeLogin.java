package io.ddlrep.gateway.scram;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A login on a node by what a client's own login has left. One login, one thread. */
public final class NodeLogin {
    private static final int OK = 0;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final @Nullable ClientExchange exchange;
    private boolean accepted;

    /**
     * Begins one.
     *
     * @param key the client's; null where there is none, so that the node must ask for nothing
     * @param binding the hash of the node's certificate, by {@link ChannelBinding}; empty where the connection is not
     *     encrypted
     */
    public NodeLogin(@Nullable ClientKey key, Optional<byte[]> binding) {
        this.exchange = key == null ? null : new ClientExchange(key, binding);
    }

    /**
     * Answers a request for authentication.
     *
     * @param body of the message
     * @return what goes back; empty where nothing does
     * @throws ScramException 28000 where the node asks for what is not there, 28P01 where the key is not good
     */
    public Optional<byte[]> answer(byte[] body) throws ScramException {
        ByteBuffer in = ByteBuffer.wrap(body);
        int code = in.remaining() < Integer.BYTES ? -1 : in.getInt();
        byte[] data = new byte[in.remaining()];
        in.get(data);
        if (code == OK) {
            accepted = true;
            return Optional.empty();
        }
        ClientExchange open = exchange;
        if (open == null || code < SASL || code > SASL_FINAL) {
            throw new ScramException(
                    "28000",
                    "the node asks for a login that the gateway has nothing for (request " + code + ")",
                    "The gateway's address needs scram-sha-256 in the node's pg_hba.conf; without passwords, trust, or cert for"
                            + " the gateway's own certificate.");
        }
        return switch (code) {
            case SASL -> {
                List<String> offered = List.of(new String(data, StandardCharsets.US_ASCII).split("\0", -1));
                yield Optional.of(open.initialResponse(offered));
            }
            case SASL_CONTINUE -> Optional.of(open.last(data).getBytes(StandardCharsets.UTF_8));
            default -> {
                open.verify(data);
                yield Optional.empty();
            }
        };
    }

    /** Whether the node has let the client in. */
    public boolean isAccepted() {
        return accepted;
    }
}
