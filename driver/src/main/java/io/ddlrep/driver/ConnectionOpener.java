package io.ddlrep.driver;

import io.ddlrep.driver.delegate.DdlrepConnection;
import io.ddlrep.driver.session.ClientWarnings;
import io.ddlrep.driver.session.DriverSession;
import io.ddlrep.driver.session.EngineFactory;
import io.ddlrep.driver.session.EngineKey;
import io.ddlrep.driver.session.Engines;
import io.ddlrep.driver.session.SessionOpener;
import io.ddlrep.engine.DdlEngine;
import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.jdbc.JdbcNodeSession;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Opens connections: pgjdbc's first, then the way to the group's engine where there is one. Thread-safe. */
final class ConnectionOpener {
    private final org.postgresql.Driver postgresql = new org.postgresql.Driver();
    private final Engines engines;
    private final EngineFactory factory;

    ConnectionOpener(Engines engines, EngineFactory factory) {
        this.engines = engines;
        this.factory = factory;
    }

    Connection open(DdlrepUrl url, DriverOptions options, Properties properties) throws SQLException {
        Connection raw = postgresql.connect(url.postgresqlUrl(), properties);
        if (raw == null) {
            throw new PSQLException("invalid URL " + url, PSQLState.INVALID_PARAMETER_VALUE);
        }
        try {
            // pgjdbc has read service files and defaults; what it made of the URL is what companions must use.
            Properties all = org.postgresql.Driver.parseURL(url.postgresqlUrl(), properties);
            BaseConnection base = raw.unwrap(BaseConnection.class);
            return wrap(base, url, options, all == null ? properties : all);
        } catch (SQLException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    private Connection wrap(BaseConnection raw, DdlrepUrl url, DriverOptions options, Properties properties)
            throws SQLException {
        // A replication connection speaks its own commands, never DDL.
        boolean replication = properties.getProperty("replication") != null;
        Group group = replication ? null : group(raw).orElse(null);
        if (group == null && options.requireGroup()) {
            throw refused("no ddlrep group here, and requireGroup is true");
        }
        if (group == null && !replication) {
            ClientWarnings.add(
                    raw, new SQLWarning("ddlrep: no ddlrep group here: DDL changes this database alone", "01000"));
        }
        DriverSession session = null;
        if (group != null && isOrigin(group)) {
            SessionOpener.Target target = target(raw, group, options, properties);
            session = new DriverSession(raw, new SessionOpener(engines, factory, target));
        } else if (group != null) {
            ClientWarnings.add(raw, new SQLWarning(replicaWarning(group), "01000"));
        }
        return new DdlrepConnection(raw, session, url.shown());
    }

    private static Optional<Group> group(BaseConnection raw) throws SQLException {
        try {
            return DdlEngine.groupOf(JdbcNodeSession.borrowing("origin", raw));
        } catch (NodeException e) {
            throw e.getCause() instanceof SQLException original ? original : refused(e.getMessage());
        }
    }

    private static boolean isOrigin(Group group) {
        return group.publications().isEmpty()
                || group.publications().stream()
                        .anyMatch(publication -> publication.origin().equals(group.self()));
    }

    private static String replicaWarning(Group group) {
        TreeSet<String> origins = new TreeSet<>();
        for (Group.Publication publication : group.publications()) {
            origins.add(String.valueOf(group.nodes().get(publication.origin())));
        }
        return "ddlrep: " + group.self() + " is a replica: connect to the origin for DDL, "
                + String.join(", ", origins);
    }

    private static SessionOpener.Target target(
            BaseConnection raw, Group group, DriverOptions options, Properties properties) throws SQLException {
        Credentials client = new Credentials(raw.getMetaData().getUserName(), properties.getProperty("password"));
        boolean superuser = "on".equals(raw.getParameterStatus("is_superuser"));
        Optional<Credentials> service =
                options.service().or(() -> superuser ? Optional.of(client) : Optional.<Credentials>empty());
        Map<String, String> connection = CompanionProperties.of(properties);
        EngineConfig config = new EngineConfig(
                options.settings(),
                service,
                options.apply(),
                options.addresses(),
                new JdbcConnector(connection),
                coordinator());
        EngineKey key = new EngineKey(
                group.groupId(),
                group.self(),
                options.settings(),
                service,
                options.apply(),
                options.addresses(),
                connection);
        return new SessionOpener.Target(group, key, config, client);
    }

    private static String coordinator() {
        String host = System.getenv("HOSTNAME");
        return "driver@" + (host == null ? "localhost" : host) + ":"
                + ProcessHandle.current().pid();
    }

    private static SQLException refused(@Nullable String message) {
        return new PSQLException(message, PSQLState.OBJECT_NOT_IN_STATE);
    }
}
