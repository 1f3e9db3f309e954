package io.ddlrep.gateway.startup;

import io.ddlrep.gateway.scram.ClientKey;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** A database that the gateway answers for itself. Thread-safe. */
public interface VirtualDatabase {
    /** Whether a client asks for this database. */
    boolean isAskedFor(StartupPacket startup);

    /**
     * Begins the session of a client that has logged in, or refuses it; on the client's event loop.
     *
     * @param client its connection, which nothing reads any more
     * @param user who has logged in
     * @param key by which sessions on nodes are opened, taken over; null where nodes ask for none
     * @param ok tells the client that it is in
     */
    void open(Channel client, String user, @Nullable ClientKey key, Runnable ok);

    /**
     * Cancels what a session runs.
     *
     * @param cancelKey as the session was given it
     * @return whether there is such a session
     */
    boolean cancel(byte[] cancelKey);
}
