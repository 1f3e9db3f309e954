package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.gateway.node.WireConnector;
import io.ddlrep.gateway.scram.ClientKey;
import io.ddlrep.gateway.session.DaemonThreads;
import io.ddlrep.gateway.startup.StartupPacket;
import io.ddlrep.gateway.startup.VirtualDatabase;
import io.ddlrep.gateway.wire.Channels;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.ddlrep.gateway.wire.FrameReader;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The virtual database, and its sessions. Thread-safe. */
public final class AdminDatabase implements VirtualDatabase, AutoCloseable {
    /** What it is called. */
    public static final String NAME = "ddlrep";

    private static final int LONGEST = 16 << 20;
    private static final String APPLICATION = "ddlrep admin";

    private final Supplier<AdminUsers> users;
    private final List<AdminTable> tables;
    private final AdminCommands commands;
    private final Supplier<List<NodeAddress>> nodes;
    private final WireConnector connector;
    private final SecureRandom random = new SecureRandom();
    private final Map<ByteBuffer, AdminConversation> open = new ConcurrentHashMap<>();
    private final ExecutorService threads;

    /**
     * Makes it.
     *
     * @param users who may use it, now
     * @param tables its tables
     * @param commands what admins can have done
     * @param nodes the group's nodes, now; may block
     * @param connector opens sessions on nodes as the client
     */
    public AdminDatabase(
            Supplier<AdminUsers> users,
            List<AdminTable> tables,
            AdminCommands commands,
            Supplier<List<NodeAddress>> nodes,
            WireConnector connector) {
        this.users = users;
        this.tables = List.copyOf(tables);
        this.commands = commands;
        this.nodes = nodes;
        this.connector = connector;
        this.threads = Executors.newCachedThreadPool(new DaemonThreads("ddlrep-admin"));
    }

    @Override
    public boolean isAskedFor(StartupPacket startup) {
        return NAME.equals(startup.database()) && !startup.parameters().containsKey("replication");
    }

    @Override
    public void open(Channel client, String user, @Nullable ClientKey key, Runnable ok) {
        if (key != null) {
            Channels.whenClosed(client, key::close);
        }
        AdminUsers allowed = users.get();
        if (!allowed.mayRead(user)) {
            ErrorMessage refused = ErrorMessage.fatal(
                    "42501",
                    "permission denied for database \"" + NAME + "\"",
                    "It is the gateway's own, and user \"" + user + "\" is not among those who may use it.",
                    "The gateway's admin_users and stats_users name them.");
            Channels.sendAndClose(client, refused.frame(client.alloc()));
            return;
        }
        ok.run();
        AdminPlanner planner = new AdminPlanner(
                tables,
                commands,
                nodes,
                () -> new NodeSessions(address -> connector.open(address, user, key, APPLICATION)),
                allowed.isAdmin(user));
        AdminConversation conversation = new AdminConversation(planner, new AdminOutput(client));
        byte[] cancelKey = cancelKey();
        ByteBuffer registered = ByteBuffer.wrap(cancelKey);
        open.put(registered, conversation);
        AdminSession session = new AdminSession(conversation, threads, () -> open.remove(registered));
        client.pipeline().addLast(new FrameReader(LONGEST), session);
        session.work(client, () -> conversation.begin(user, cancelKey));
    }

    private byte[] cancelKey() {
        return ByteBuffer.allocate(2 * Integer.BYTES)
                .putInt(random.nextInt(Integer.MAX_VALUE))
                .putInt(random.nextInt())
                .array();
    }

    @Override
    public boolean cancel(byte[] cancelKey) {
        AdminConversation conversation = open.get(ByteBuffer.wrap(cancelKey));
        if (conversation == null) {
            return false;
        }
        threads.execute(conversation::cancel);
        return true;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
