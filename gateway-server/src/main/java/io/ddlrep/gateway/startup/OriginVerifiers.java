package io.ddlrep.gateway.startup;

import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.gateway.scram.Verifier;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Asks the origin for verifiers, in a session of the service role, which may call {@code ddlrep.login_verifier()} and reads no
 * password table itself. Every login asks anew, so that a changed password is good at once. Thread-safe: one thread of its
 * own uses the session.
 */
public final class OriginVerifiers implements Verifiers, AutoCloseable {
    private static final String SQL = "SELECT v.verifier, v.mock FROM ddlrep.login_verifier($1) v";

    private final Connector connector;
    private final NodeAddress origin;
    private final Credentials service;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread own = new Thread(task, "ddlrep-verifiers");
        own.setDaemon(true);
        return own;
    });
    private @Nullable NodeSession session;

    /**
     * Makes it.
     *
     * @param connector opens the session
     * @param origin where
     * @param service who asks
     */
    public OriginVerifiers(Connector connector, NodeAddress origin, Credentials service) {
        this.connector = connector;
        this.origin = origin;
        this.service = service;
    }

    @Override
    public CompletionStage<Verifier> of(String user) {
        return CompletableFuture.supplyAsync(() -> read(user), thread);
    }

    /**
     * Asks once, so that what stands in the way of every login is known before the first one.
     *
     * @throws NodeException when the origin cannot be asked, or refuses
     */
    public void check() {
        try {
            Verifier unused = CompletableFuture.supplyAsync(() -> read(service.user()), thread)
                    .join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof NodeException refused)) {
                throw e;
            }
            throw refused.error().sqlState().equals("42501")
                    ? new NodeException(
                            refused.node(),
                            ServerError.of("42501", "role " + service.user() + " may not read verifiers")
                                    .with(
                                            refused.error().message(),
                                            "Log in as ddlrep_service, with DDLREP_SERVICE_PASSWORD, or as a superuser."),
                            refused)
                    : refused;
        }
    }

    private Verifier read(String user) {
        if (user.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a name cannot hold a zero byte");
        }
        try {
            return ask(user);
        } catch (NodeException e) {
            if (!e.isConnectionLost()) {
                throw e;
            }
            // The session may have been left over from before a restart of the server.
            closeSession();
            return ask(user);
        }
    }

    private Verifier ask(String user) {
        NodeSession open = session;
        if (open == null || open.isClosed()) {
            open = connector.open(origin, service, "ddlrep service");
            session = open;
        }
        var row = open.query(SQL, user).get(0);
        String text = row.get("verifier");
        Verifier mock = Verifier.mock(row.text("mock").getBytes(StandardCharsets.US_ASCII), user);
        return text == null ? mock : Verifier.parse(text).orElse(mock);
    }

    private void closeSession() {
        NodeSession open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        thread.execute(this::closeSession);
        thread.shutdown();
    }
}
