package io.ddlrep.engine.jdbc;

import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * Opens sessions with pgjdbc. Immutable and thread-safe. Extra properties (SSL and the like) are pgjdbc's own and go to
 * every connection; the driver hands on those of its URL.
 */
public final class JdbcConnector implements Connector {
    private final Map<String, String> properties;

    /**
     * Makes a connector.
     *
     * @param properties pgjdbc's connection properties for every session; user and password are set per session
     */
    public JdbcConnector(Map<String, String> properties) {
        this.properties = Map.copyOf(properties);
    }

    @Override
    public NodeSession open(NodeAddress address, Credentials credentials, String applicationName) {
        Properties all = new Properties();
        // A node that does not answer is told apart from a slow one within DESIGN's five seconds.
        all.setProperty("connectTimeout", "3");
        all.setProperty("loginTimeout", "3");
        all.setProperty("tcpKeepAlive", "true");
        all.setProperty("prepareThreshold", "3");
        properties.forEach(all::setProperty);
        if (!applicationName.endsWith(" service")) {
            // Code of users runs in these sessions, and PREPARE in it can take the name of a statement that the server
            // keeps
            // for pgjdbc: only statements without a name are safe from that.
            all.setProperty("prepareThreshold", "0");
            all.setProperty("preferQueryMode", "extended");
        }
        all.setProperty("user", credentials.user());
        String password = credentials.password();
        if (password != null) {
            all.setProperty("password", password);
        }
        all.setProperty("ApplicationName", applicationName);
        try {
            Connection connection = new Driver().connect(url(address), all);
            if (connection == null) {
                throw JdbcNodeSession.lost(address.name(), "pgjdbc does not accept its own URL");
            }
            return JdbcNodeSession.owning(address.name(), connection);
        } catch (SQLException e) {
            throw SqlErrors.from(address.name(), e);
        }
    }

    private static String url(NodeAddress address) {
        String host = address.host().contains(":") ? "[" + address.host() + "]" : address.host();
        return "jdbc:postgresql://" + host + ":" + address.port() + "/"
                + URLEncoder.encode(address.database(), StandardCharsets.UTF_8);
    }
}
