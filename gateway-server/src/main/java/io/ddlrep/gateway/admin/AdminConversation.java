package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.ServerError;
import io.ddlrep.gateway.wire.ErrorMessage;
import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of PostgreSQL's protocol, for one session of the virtual database: simple and extended queries, text and
 * binary values. Used by one thread at a time, but for {@link #cancel}.
 */
final class AdminConversation implements AutoCloseable {
    /** The oldest that the gateway serves, so that no client warns of a server newer than itself. */
    static final String SERVER_VERSION = "14.0 (ddlrep)";

    private static final Logger LOG = LoggerFactory.getLogger(AdminConversation.class);

    private final AdminPlanner planner;
    private final AdminOutput out;
    private final Map<String, Prepared> statements = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();
    private char status = 'I';
    private boolean skipping;
    /** Shared with who cancels: something was asked and is not answered; it was cancelled; what runs for it. */
    private volatile boolean asked;

    private volatile boolean cancelled;
    private volatile @Nullable Plan running;

    /** A statement that was parsed. */
    private record Prepared(String sql, List<Integer> oids, List<ColumnType> parameters, List<Column> columns) {
        private List<ColumnType> declared() {
            return oids.stream().map(ColumnType::ofOid).toList();
        }

        /** As the client has named it; else as it was found out. */
        private int oid(int place) {
            int named = place < oids.size() ? oids.get(place) : 0;
            return named == 0 ? parameters.get(place).oid() : named;
        }
    }

    /** A statement with its values, and how far it was read. */
    private static final class Portal {
        private final @Nullable Plan plan;
        private final List<@Nullable Object> values;
        private final boolean[] binary;
        private @Nullable Rows rows;
        private long count;
        private boolean over;

        Portal(@Nullable Plan plan, List<@Nullable Object> values, boolean[] binary) {
            this.plan = plan;
            this.values = values;
            this.binary = binary;
        }

        private List<Column> columns() {
            return plan == null ? List.of() : plan.columns();
        }

        private void close() {
            Rows open = rows;
            if (open != null) {
                open.close();
            }
            if (plan != null) {
                plan.close();
            }
        }
    }

    AdminConversation(AdminPlanner planner, AdminOutput out) {
        this.planner = planner;
        this.out = out;
    }

    /**
     * What a server says behind AuthenticationOk.
     *
     * @param user who has logged in
     * @param cancelKey process id and secret
     */
    void begin(String user, byte[] cancelKey) {
        out.setting("server_version", SERVER_VERSION);
        out.setting("server_encoding", "UTF8");
        out.setting("client_encoding", "UTF8");
        out.setting("DateStyle", "ISO, MDY");
        out.setting("TimeZone", "UTC");
        out.setting("integer_datetimes", "on");
        out.setting("standard_conforming_strings", "on");
        out.setting("is_superuser", "off");
        out.setting("session_authorization", user);
        out.message('K', cancelKey);
        out.ready(status);
        out.flush();
    }

    /** Answers one message. */
    void take(Frame frame) {
        if (skipping && frame.type() != 'S') {
            return;
        }
        if (!asked) {
            cancelled = false;
            asked = true;
        }
        try {
            answer(frame);
        } catch (AdminException e) {
            failed(e.error(), frame);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            failed(ServerError.of("08P01", "invalid message: " + e.getMessage()), frame);
        } catch (RuntimeException e) {
            LOG.warn("a statement in the virtual database failed", e);
            failed(AdminException.of(e, "").error(), frame);
        }
    }

    private void answer(Frame frame) {
        AdminMessage in = new AdminMessage(frame.body());
        switch (frame.type()) {
            case 'Q' -> query(in.text());
            case 'P' -> parse(in);
            case 'B' -> bind(in);
            case 'D' -> describe(in);
            case 'E' -> execute(in);
            case 'C' -> close(in);
            case 'H' -> out.flush();
            case 'S' -> {
                skipping = false;
                ready();
            }
            case 'd', 'c', 'f' -> {
                // What is left of a COPY that there never was.
            }
            case 'F' -> throw new AdminException("0A000", "the database ddlrep has no function calls");
            default -> throw new AdminException("08P01", "invalid frontend message type " + (int) frame.type());
        }
    }

    private void failed(ServerError error, Frame frame) {
        if (status == 'T') {
            status = 'E';
        }
        out.message('E', ErrorMessage.error(error).body());
        if (frame.type() == 'Q' || frame.type() == 'F') {
            ready();
        } else {
            skipping = true;
            out.flush();
        }
    }

    private void ready() {
        if (status == 'I') {
            closePortals();
        }
        asked = false;
        out.ready(status);
        out.flush();
    }

    private void query(String sql) {
        closePortal("");
        statements.remove("");
        boolean any = false;
        for (Statement statement : SqlParser.parse(sql, ParserOptions.DEFAULT)) {
            any = true;
            refuseInAborted(statement.text());
            try (Plan plan = planner.plan(statement.text(), List.of())) {
                boolean[] text = new boolean[plan.columns().size()];
                Portal portal = new Portal(plan, List.of(), text);
                if (!plan.columns().isEmpty()) {
                    out.columns(plan.columns(), text);
                }
                run(plan, portal, 0);
            } catch (AdminException e) {
                throw moved(e, sql, statement);
            }
        }
        if (!any) {
            out.empty('I');
        }
        ready();
    }

    /** Positions are counted from the beginning of the client's text. */
    private static AdminException moved(AdminException failure, String sql, Statement statement) {
        int before = sql.codePointCount(0, statement.span().start());
        int position = failure.error().position();
        return position == 0 ? failure : new AdminException(failure.error().at(position + before), failure);
    }

    private void refuseInAborted(String sql) {
        if (status == 'E' && !AdminPlanner.endsTransaction(sql)) {
            throw new AdminException(
                    "25P02", "current transaction is aborted, commands ignored until end of transaction block");
        }
    }

    private void parse(AdminMessage in) {
        String name = in.text();
        String sql = in.text();
        List<Integer> oids = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            oids.add(in.number());
        }
        if (!name.isEmpty() && statements.containsKey(name)) {
            throw new AdminException("42P05", "prepared statement \"" + name + "\" already exists");
        }
        List<Statement> parsed = SqlParser.parse(sql, ParserOptions.DEFAULT);
        if (parsed.size() > 1) {
            throw new AdminException("42601", "cannot insert multiple commands into a prepared statement");
        }
        if (parsed.isEmpty()) {
            statements.put(name, new Prepared("", oids, List.of(), List.of()));
        } else {
            refuseInAborted(parsed.get(0).text());
            List<ColumnType> declared = oids.stream().map(ColumnType::ofOid).toList();
            try (Plan plan = planner.plan(parsed.get(0).text(), declared)) {
                statements.put(name, new Prepared(parsed.get(0).text(), oids, plan.parameters(), plan.columns()));
            } catch (AdminException e) {
                throw moved(e, sql, parsed.get(0));
            }
        }
        out.empty('1');
    }

    private void bind(AdminMessage in) {
        String name = in.text();
        Prepared prepared = prepared(in.text());
        boolean[] binaryValues = in.formats();
        int count = in.count();
        if (count != prepared.parameters().size()) {
            throw new AdminException(
                    "08P01",
                    "bind message supplies " + count + " parameters, but the statement requires "
                            + prepared.parameters().size());
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean binary = AdminMessage.isBinary(binaryValues, i);
            if (binary && !ColumnType.isBinaryKnown(prepared.oid(i))) {
                throw new AdminException("0A000", "no binary parameters of type " + prepared.oid(i) + " here");
            }
            values.add(in.value(prepared.parameters().get(i), binary));
        }
        boolean[] formats = in.formats();
        boolean[] binary = new boolean[prepared.columns().size()];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = AdminMessage.isBinary(formats, i);
        }
        if (!name.isEmpty() && portals.containsKey(name)) {
            throw new AdminException("42P03", "cursor \"" + name + "\" already exists");
        }
        closePortal(name);
        Plan plan = prepared.sql().isEmpty() ? null : planner.plan(prepared.sql(), prepared.declared());
        portals.put(name, new Portal(plan, Collections.unmodifiableList(values), binary));
        out.empty('2');
    }

    private Prepared prepared(String name) {
        Prepared prepared = statements.get(name);
        if (prepared == null) {
            throw new AdminException("26000", "prepared statement \"" + name + "\" does not exist");
        }
        return prepared;
    }

    private Portal portal(String name) {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw new AdminException("34000", "portal \"" + name + "\" does not exist");
        }
        return portal;
    }

    private void describe(AdminMessage in) {
        boolean statement = in.type() == 'S';
        String name = in.text();
        if (statement) {
            Prepared prepared = prepared(name);
            out.parameters(IntStream.range(0, prepared.parameters().size())
                    .map(prepared::oid)
                    .toArray());
            out.columns(prepared.columns(), new boolean[prepared.columns().size()]);
        } else {
            Portal portal = portal(name);
            out.columns(portal.columns(), portal.binary);
        }
    }

    private void execute(AdminMessage in) {
        Portal portal = portal(in.text());
        int most = in.number();
        Plan plan = portal.plan;
        if (plan == null) {
            out.empty('I');
        } else {
            run(plan, portal, Math.max(0, most));
        }
    }

    private void run(Plan plan, Portal portal, int most) {
        running = plan;
        try {
            if (cancelled) {
                throw AdminException.canceled();
            }
            Rows rows = portal.rows;
            if (rows == null) {
                rows = plan.run(portal.values);
                portal.rows = rows;
            }
            long sent = 0;
            while (!portal.over && (most == 0 || sent < most)) {
                @Nullable Object[] row = rows.next();
                if (row == null) {
                    portal.over = true;
                } else {
                    out.row(portal.columns(), row, portal.binary);
                    sent++;
                    portal.count++;
                }
            }
            if (portal.over) {
                String tag = rows.tag(portal.count);
                moved(tag);
                out.complete(tag);
            } else {
                out.empty('s');
            }
        } finally {
            running = null;
        }
    }

    private void moved(String tag) {
        switch (tag) {
            case "BEGIN", "START TRANSACTION" -> status = 'T';
            case "COMMIT", "ROLLBACK" -> status = 'I';
            default -> {
                // Stays.
            }
        }
    }

    private void close(AdminMessage in) {
        boolean statement = in.type() == 'S';
        String name = in.text();
        if (statement) {
            statements.remove(name);
        } else {
            closePortal(name);
        }
        out.empty('3');
    }

    private void closePortal(String name) {
        Portal old = portals.remove(name);
        if (old != null) {
            old.close();
        }
    }

    private void closePortals() {
        portals.values().forEach(Portal::close);
        portals.clear();
    }

    /** Cancels what runs, if anything does; called by any thread. */
    void cancel() {
        // It may come before the plan is there.
        cancelled = asked;
        Plan plan = running;
        if (plan != null) {
            plan.cancel();
        }
    }

    @Override
    public void close() {
        closePortals();
    }
}
