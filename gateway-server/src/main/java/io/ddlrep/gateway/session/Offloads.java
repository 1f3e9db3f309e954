package io.ddlrep.gateway.session;

import io.ddlrep.gateway.ddl.ClientDdl;
import io.ddlrep.gateway.ddl.DdlGate;
import io.ddlrep.gateway.ddl.Inspector;
import io.ddlrep.gateway.ddl.OriginEngine;
import io.ddlrep.gateway.node.WireConnector;
import io.ddlrep.gateway.scram.ClientKey;
import io.ddlrep.gateway.wire.Transport;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the sessions of a gateway share to run DDL: the engine, its threads, and who is at work. Thread-safe. */
public final class Offloads implements AutoCloseable {
    private final OriginEngine engine;
    private final DdlGate gate;
    private final WireConnector connector;
    private final Map<ByteBuffer, Offload> working = new ConcurrentHashMap<>();
    private final AtomicInteger threadNumber = new AtomicInteger();
    private final ExecutorService threads;

    /**
     * Makes it.
     *
     * @param engine the group's; closed with this
     * @param gate lets operations begin
     * @param connector opens companion sessions; closed with this
     * @param transport how sockets are served
     */
    public Offloads(OriginEngine engine, DdlGate gate, WireConnector connector, Transport transport) {
        this.engine = engine;
        this.gate = gate;
        this.connector = connector;
        this.threads = Executors.newCachedThreadPool(
                task -> new LoopThread(task, "ddlrep-client-" + threadNumber.incrementAndGet(), transport::io));
    }

    /** For one session. */
    Offload of(GatewaySession session, String user, @Nullable ClientKey key) {
        Offload offload = new Offload(this, session);
        ClientDdl ddl = new ClientDdl(
                engine,
                gate,
                (address, application) -> connector.open(address, user, key, application),
                () -> cancelAndWait(session),
                offload);
        offload.join(
                ddl,
                new Inspector(
                        session::reading,
                        () -> session.answered().status(),
                        ddl::isOperationOpen,
                        session.outstanding()));
        return offload;
    }

    /** Waits until the origin has the request, since one that came later might meet another statement. */
    private static void cancelAndWait(GatewaySession session) {
        CountDownLatch sent = new CountDownLatch(1);
        session.cancelOnOrigin(sent::countDown);
        if (!session.loop().inEventLoop()) {
            try {
                sent.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void run(Runnable task) {
        threads.execute(task);
    }

    void begins(byte[] cancelKey, Offload offload) {
        working.put(ByteBuffer.wrap(cancelKey), offload);
    }

    void ends(byte[] cancelKey, Offload offload) {
        working.remove(ByteBuffer.wrap(cancelKey), offload);
    }

    /**
     * Cancels what the gateway does for a client.
     *
     * @param cancelKey process id and secret, as the origin gave them to the client
     * @param done called when everybody who works for the client has been asked
     * @return false where the gateway does nothing for it at this moment: then the origin is to be asked
     */
    boolean cancel(byte[] cancelKey, Runnable done) {
        Offload offload = working.get(ByteBuffer.wrap(cancelKey));
        if (offload == null) {
            return false;
        }
        run(() -> {
            offload.ddl().cancel();
            done.run();
        });
        return true;
    }

    @Override
    public void close() {
        working.values().forEach(Offload::lose);
        connector.close();
        threads.shutdownNow();
        engine.close();
    }
}
