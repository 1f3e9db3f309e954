package io.ddlrep.driver;

import io.ddlrep.testkit.PgNode;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;

/** Databases and connections for the driver's tests. Stateless. */
final class Databases {
    private Databases() {}

    /** Gives the node a control schema that names it as the origin of a group of one, for {@link LocalEngine}. */
    static void alone(PgNode node) throws SQLException {
        control(node, node);
    }

    /** Gives {@code node} a control schema in which {@code origin} is the origin. */
    static void control(PgNode node, PgNode origin) throws SQLException {
        node.execute(
                "CREATE SCHEMA ddlrep",
                "CREATE TABLE ddlrep.self (group_id text, node text)",
                "INSERT INTO ddlrep.self VALUES ('g1', '" + node.name() + "')",
                "CREATE TABLE ddlrep.node (name text, host text, port int, database text)",
                "INSERT INTO ddlrep.node VALUES ('" + origin.name() + "', '" + origin.host() + "', " + origin.port()
                        + ", '" + origin.database() + "')",
                "CREATE TABLE ddlrep.publication (name text, origin text, scope text, schemas text[] DEFAULT '{}')",
                "INSERT INTO ddlrep.publication VALUES ('p', '" + origin.name() + "', 'database')",
                "CREATE TABLE ddlrep.publication_node (publication text, node text, state text, reason text)");
    }

    static String url(PgNode node) {
        return node.jdbcUrl().replace("jdbc:postgresql:", "jdbc:ddlrep:");
    }

    /** A connection of the driver with another engine. */
    static Connection connect(Driver driver, PgNode node, Map<String, String> properties) throws SQLException {
        Connection connection = driver.connect(url(node), login(node, properties));
        if (connection == null) {
            throw new SQLException("the driver does not take " + url(node));
        }
        return connection;
    }

    static Connection plain(PgNode node, Map<String, String> properties) throws SQLException {
        return DriverManager.getConnection(node.jdbcUrl(), login(node, properties));
    }

    static Properties login(PgNode node, Map<String, String> properties) {
        Properties info = new Properties();
        info.setProperty("user", node.superuser());
        info.setProperty("password", node.password());
        info.putAll(properties);
        return info;
    }
}
