package io.ddlrep.engine.differential;

import io.ddlrep.parser.ObjectRef;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.Transactability;
import io.ddlrep.testkit.PgNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Runs statements in a scratch database, and tells what the server has done. One thread at a time. */
final class DdlProbe implements AutoCloseable {
    private final Connection connection;

    private DdlProbe(Connection connection) {
        this.connection = connection;
    }

    static DdlProbe on(PgNode node) throws SQLException, IOException {
        try (InputStream sql = Objects.requireNonNull(DdlProbe.class.getResourceAsStream("probe.sql"))) {
            node.execute(new String(sql.readAllBytes(), StandardCharsets.UTF_8));
        }
        return new DdlProbe(node.connect());
    }

    void execute(String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean idle() throws SQLException {
        return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
    }

    /** Runs a statement where it may run, and undoes nothing but its failure. */
    Seen run(Statement.Ddl ddl) throws SQLException {
        boolean alone = ddl.transactability() == Transactability.REFUSED;
        boolean idle = idle();
        if (!alone) {
            execute(idle ? "BEGIN" : "SAVEPOINT ddlprobe");
        }
        try {
            execute("DELETE FROM ddlprobe.event");
            Map<ObjectRef, String> before = addresses(ddl, false);
            Set<Long> known = numbers("SELECT ddlprobe.relations()");
            Set<Long> reach = reach(before.values());
            execute(ddl.text());
            Map<ObjectRef, String> addresses = addresses(ddl, true);
            addresses.putAll(before);
            known.addAll(numbers("SELECT ddlprobe.relations()"));
            reach.addAll(reach(addresses.values()));
            Seen seen = new Seen(tag(), events(reach), addresses, strangers(known, reach), types(addresses));
            if (!alone) {
                execute(idle ? "COMMIT" : "RELEASE ddlprobe");
            }
            return seen;
        } catch (SQLException e) {
            if (!alone) {
                execute(idle ? "ROLLBACK" : "ROLLBACK TO ddlprobe");
            }
            throw e;
        }
    }

    private Map<ObjectRef, String> addresses(Statement.Ddl ddl, boolean created) throws SQLException {
        Map<ObjectRef, String> found = new HashMap<>();
        for (ObjectRef ref : ddl.objects()) {
            if ((ref.role() == ObjectRole.CREATED) == created) {
                Optional<Address> address = Address.of(ref);
                String at = address.isPresent() ? at(address.get()) : null;
                if (at == null && address.isPresent() && address.get().kind().equals("table constraint")) {
                    at = at(Address.ofDomainConstraint(ref));
                }
                if (at != null) {
                    found.put(ref, at);
                }
            }
        }
        return found;
    }

    private String at(Address address) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("SELECT ddlprobe.address(?, ?, ?, ?)")) {
            call.setString(1, address.kind());
            call.setString(2, address.quoted());
            call.setArray(3, connection.createArrayOf("text", address.names().toArray()));
            call.setArray(4, connection.createArrayOf("text", address.args().toArray()));
            try (ResultSet row = call.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    private Set<Long> reach(Iterable<String> addresses) throws SQLException {
        List<Long> relids = new ArrayList<>();
        for (String address : addresses) {
            String[] parts = address.split(":", -1);
            relids.addAll(numbers("SELECT ddlprobe.leads('" + parts[0] + "', " + parts[1] + ")"));
        }
        return numbers("SELECT ddlprobe.reach(ARRAY[" + joined(relids) + "]::oid[])");
    }

    private static String joined(Iterable<Long> numbers) {
        StringBuilder list = new StringBuilder();
        numbers.forEach(number -> list.append(list.isEmpty() ? "" : ",").append(number));
        return list.toString();
    }

    private Set<String> strangers(Set<Long> known, Set<Long> reach) throws SQLException {
        return texts("SELECT coalesce(l.relation::regclass::text, '') || ' in ' || l.mode FROM pg_catalog.pg_locks l"
                + " WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation' AND l.mode <> 'AccessShareLock'"
                + " AND l.relation = ANY (ARRAY[" + joined(known) + "]::oid[])"
                + " AND l.relation <> ALL (ARRAY[" + joined(reach) + "]::oid[])"
                + " AND l.relation IN (SELECT oid FROM pg_catalog.pg_class)");
    }

    /** Types of what was made, but those that come with a relation or a type that the statement refers to. */
    private Set<String> types(Map<ObjectRef, String> addresses) throws SQLException {
        Set<Long> used = new LinkedHashSet<>();
        Set<Long> named = new LinkedHashSet<>();
        for (Map.Entry<ObjectRef, String> entry : addresses.entrySet()) {
            String[] parts = entry.getValue().split(":", -1);
            Set<Long> types = numbers("SELECT ddlprobe.types('" + parts[0] + "', " + parts[1] + ")");
            if (parts[0].equals("pg_type")) {
                named.add(Long.valueOf(parts[1]));
            }
            (entry.getKey().role() == ObjectRole.CREATED ? used : named).addAll(types);
        }
        used.removeAll(named);
        return texts("SELECT t::pg_catalog.regtype::text FROM pg_catalog.unnest(ARRAY[" + joined(used) + "]::oid[]) t");
    }

    private Optional<String> tag() throws SQLException {
        return texts("SELECT max(tag) FROM ddlprobe.event WHERE event = 'end'").stream()
                .findFirst();
    }

    private List<Seen.Event> events(Set<Long> reach) throws SQLException {
        List<Seen.Event> events = new ArrayList<>();
        try (java.sql.Statement query = connection.createStatement();
                ResultSet rows = query.executeQuery(
                        "SELECT event = 'drop', command_tag, classid::regclass::text || ':' || objid || ':' || objsubid,"
                                + " identity, original, classid = 'pg_class'::regclass AND (objsubid = 0 OR EXISTS (SELECT FROM"
                                + " pg_catalog.pg_class c WHERE c.oid = objid AND c.relkind = 'c'))"
                                + " AND objid = ANY (ARRAY[" + joined(reach)
                                + "]::oid[]) FROM ddlprobe.event WHERE event <> 'end'")) {
            while (rows.next()) {
                events.add(new Seen.Event(
                        rows.getBoolean(1),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4),
                        rows.getBoolean(5),
                        rows.getBoolean(6)));
            }
        }
        return events;
    }

    private Set<Long> numbers(String sql) throws SQLException {
        Set<Long> numbers = new LinkedHashSet<>();
        for (String text : texts(sql)) {
            numbers.add(Long.valueOf(text));
        }
        return numbers;
    }

    private Set<String> texts(String sql) throws SQLException {
        Set<String> texts = new LinkedHashSet<>();
        try (java.sql.Statement query = connection.createStatement();
                ResultSet rows = query.executeQuery(sql)) {
            while (rows.next()) {
                if (rows.getString(1) != null) {
                    texts.add(rows.getString(1));
                }
            }
        }
        return texts;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
