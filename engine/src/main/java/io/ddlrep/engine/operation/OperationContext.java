package io.ddlrep.engine.operation;

import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.substrate.OperationSession;
import io.ddlrep.engine.substrate.Standing;
import io.ddlrep.parser.Secrets;
import io.ddlrep.parser.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of one operation share. Owned by the thread that runs the operation.
 */
final class OperationContext {
    private final OperationId op;
    private final Services services;
    private final Group group;
    private final List<Group.Publication> publications;
    private final OperationSettings settings;
    private final ClientState state;
    private final Link client;
    private final NodeSession service;
    private final List<Companion> companions = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();
    private final List<String> tags = new ArrayList<>();
    private final Set<String> sequences = new LinkedHashSet<>();
    private final long startedNanos = System.nanoTime();
    private final Map<String, String> preparers = new HashMap<>();
    private final Map<String, String> servers = new HashMap<>();
    private final Map<DrainStep.Lag, Standing> standings = new ConcurrentHashMap<>();
    private GroupTables tables = new GroupTables();
    private long watermark;
    private boolean standbys;
    private Map<String, String> told = Map.of();
    private long lockNanosLeft;
    private long lockedNanos;
    private boolean ownRows;

    /** Who takes part: fixed for the whole operation. */
    record Party(
            OperationId op,
            Services services,
            Group group,
            List<Group.Publication> publications,
            OperationSettings settings,
            ClientState state,
            Link client,
            NodeSession service) {}

    OperationContext(Party party) {
        this.op = party.op();
        this.services = party.services();
        this.group = party.group();
        this.publications = party.publications();
        this.settings = party.settings();
        this.state = party.state();
        this.client = party.client();
        this.service = party.service();
        this.lockNanosLeft = settings.lockWait().toNanos();
        this.ownRows = state.xid() != null;
    }

    OperationId op() {
        return op;
    }

    Services services() {
        return services;
    }

    Group group() {
        return group;
    }

    List<Group.Publication> publications() {
        return publications;
    }

    List<String> publicationNames() {
        return publications.stream().map(Group.Publication::name).toList();
    }

    OperationSettings settings() {
        return settings;
    }

    /** The client when the operation began. */
    ClientState state() {
        return state;
    }

    Link client() {
        return client;
    }

    /** The service session on the origin, for this operation alone. */
    NodeSession service() {
        return service;
    }

    List<Companion> companions() {
        return companions;
    }

    List<OperationSession> companionSessions() {
        return companions.stream().<OperationSession>map(Companion::link).toList();
    }

    GroupTables tables() {
        return tables;
    }

    void tables(GroupTables restored) {
        tables = restored;
    }

    /** Texts of the statements so far. */
    List<String> statementTexts() {
        return List.copyOf(statements);
    }

    void addStatement(Statement.Ddl ddl) {
        statements.add(Secrets.masked(ddl));
        tags.add(ddl.tag());
    }

    /** What was done, for a notice: one tag, or how many statements. */
    String summary() {
        return tags.size() == 1 ? tags.get(0) : tags.size() + " statements";
    }

    /** Forgets statements that a ROLLBACK TO undid. */
    void truncateStatements(int count) {
        statements.subList(count, statements.size()).clear();
        tags.subList(count, tags.size()).clear();
    }

    /** Qualified, quoted names of sequences whose position travels with the operation. */
    Set<String> sequences() {
        return sequences;
    }

    /** The highest own seq that was carried. */
    /** The client's environment as the companions have it; see {@link Environment}. */
    Map<String, String> told() {
        return told;
    }

    void told(Map<String, String> environment) {
        told = Map.copyOf(environment);
    }

    long watermark() {
        return watermark;
    }

    /** Whether the client's COMMIT waits for synchronous standbys; known from the decision on. */
    boolean standbys() {
        return standbys;
    }

    void standbys(boolean wait) {
        standbys = wait;
    }

    void watermark(long seq) {
        watermark = seq;
    }

    /** Whether the client's transaction may hold rows that were not carried. */
    boolean mayHaveOwnRows() {
        return ownRows;
    }

    /** From now on it may: the client has run statements of its own since. */
    void ownRowsPossible() {
        ownRows = true;
    }

    /** The client's transaction wrote something if it has an id. */
    void ownRowsPossible(ClientState now) {
        ownRows |= now.xid() != null;
    }

    /** What is left of lock_wait. */
    Duration lockBudget() {
        return Duration.ofNanos(Math.max(0, lockNanosLeft));
    }

    void spendLockBudget(long nanos) {
        lockNanosLeft -= nanos;
    }

    /** Writers wait from the first lock on the origin. */
    void locked() {
        if (lockedNanos == 0) {
            lockedNanos = System.nanoTime();
        }
    }

    /** How long writers have waited so far, in milliseconds. */
    long writersWaitedMillis() {
        return lockedNanos == 0 ? 0 : (System.nanoTime() - lockedNanos) / 1_000_000;
    }

    /** How long the operation has taken so far, in milliseconds. */
    long elapsedMillis() {
        return (System.nanoTime() - startedNanos) / 1_000_000;
    }

    /** Notes which role prepares the client's transaction on a node; null where nothing can be prepared. */
    void preparer(String node, @Nullable String role) {
        if (role != null) {
            preparers.put(node, role);
        }
    }

    /** The role that prepares the client's transaction on a node. */
    Optional<String> preparer(String node) {
        return Optional.ofNullable(preparers.get(node));
    }

    /** Whether the node can prepare transactions; else its companion is held open until the origin has committed. */
    boolean canPrepare(String node) {
        return preparers.containsKey(node);
    }

    /** Notes which server a node is a database of; equal texts mean the same running server. */
    void server(String node, String identifier) {
        servers.put(node, identifier);
    }

    /** One companion for each server but the origin's. */
    List<Companion> companionsOnOtherServers() {
        Set<String> seen = new HashSet<>();
        seen.add(servers.getOrDefault(client.node(), ""));
        return companions.stream()
                .filter(c -> seen.add(servers.getOrDefault(c.node(), c.node())))
                .toList();
    }

    /** Where replicas were when they were last asked; thread-safe. */
    Map<DrainStep.Lag, Standing> standings() {
        return standings;
    }

    /** Number of nodes that take part. */
    int nodeCount() {
        return companions.size() + 1;
    }
}
