package io.ddlrep.driver;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Opens connections of the driver, without a pool. Set the URL, or server, port and database; {@link #setProperty} takes
 * every property of ddlrep and of pgjdbc. Thread-safe.
 */
public class DdlrepDataSource implements DataSource {
    private final DdlrepDriver driver = new DdlrepDriver();
    private final ReentrantLock lock = new ReentrantLock();
    private final Properties properties = new Properties();
    private @Nullable String url;
    private String serverName = "localhost";
    private int portNumber = 5432;
    private String databaseName = "";
    private @Nullable PrintWriter logWriter;

    /** A source that is set by its properties. */
    public DdlrepDataSource() {}

    @Override
    public Connection getConnection() throws SQLException {
        return connect(new Properties());
    }

    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        Properties login = new Properties();
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        return connect(login);
    }

    private Connection connect(Properties login) throws SQLException {
        Properties all = new Properties();
        lock.lock();
        try {
            all.putAll(properties);
        } finally {
            lock.unlock();
        }
        all.putAll(login);
        String target = getUrl();
        Connection connection = driver.connect(target, all);
        if (connection == null) {
            throw new PSQLException("not a URL of ddlrep: " + target, PSQLState.INVALID_PARAMETER_VALUE);
        }
        return connection;
    }

    /** The URL that was set, or the one made of server, port and database. */
    public String getUrl() {
        String set = url;
        if (set != null) {
            return set.startsWith("jdbc:postgresql:") ? DdlrepUrl.PREFIX + set.substring("jdbc:".length()) : set;
        }
        return DdlrepUrl.PREFIX + "//" + serverName + ":" + portNumber + "/" + databaseName;
    }

    /** A {@code jdbc:ddlrep:} URL; one of {@code jdbc:postgresql:} is taken as well. */
    public void setUrl(String url) {
        this.url = url;
    }

    /** As {@link #getUrl()}; some tools spell it so. */
    public String getURL() {
        return getUrl();
    }

    /** As {@link #setUrl}; some tools spell it so. */
    public void setURL(String url) {
        setUrl(url);
    }

    /** The host. */
    public String getServerName() {
        return serverName;
    }

    /** The host. */
    public void setServerName(String serverName) {
        this.serverName = serverName;
    }

    /** The port. */
    public int getPortNumber() {
        return portNumber;
    }

    /** The port. */
    public void setPortNumber(int portNumber) {
        this.portNumber = portNumber;
    }

    /** The database. */
    public String getDatabaseName() {
        return databaseName;
    }

    /** The database. */
    public void setDatabaseName(String databaseName) {
        this.databaseName = databaseName;
    }

    /** The role that logs in. */
    public @Nullable String getUser() {
        return getProperty("user");
    }

    /** The role that logs in. */
    public void setUser(@Nullable String user) {
        setProperty("user", user);
    }

    /** Its password. */
    public void setPassword(@Nullable String password) {
        setProperty("password", password);
    }

    /** {@link DriverProperty#REQUIRE_GROUP}. */
    public void setRequireGroup(boolean requireGroup) {
        setProperty(DriverProperty.REQUIRE_GROUP.key(), Boolean.toString(requireGroup));
    }

    /** {@link DriverProperty#SERVICE_USER}. */
    public void setServiceUser(@Nullable String serviceUser) {
        setProperty(DriverProperty.SERVICE_USER.key(), serviceUser);
    }

    /** {@link DriverProperty#SERVICE_PASSWORD}. */
    public void setServicePassword(@Nullable String servicePassword) {
        setProperty(DriverProperty.SERVICE_PASSWORD.key(), servicePassword);
    }

    /** {@link DriverProperty#APPLY_PASSWORD}. */
    public void setApplyPassword(@Nullable String applyPassword) {
        setProperty(DriverProperty.APPLY_PASSWORD.key(), applyPassword);
    }

    /** {@link DriverProperty#LOCK_WAIT}. */
    public void setLockWait(String lockWait) {
        setProperty(DriverProperty.LOCK_WAIT.key(), lockWait);
    }

    /** {@link DriverProperty#LOCK_SLICE}. */
    public void setLockSlice(String lockSlice) {
        setProperty(DriverProperty.LOCK_SLICE.key(), lockSlice);
    }

    /** {@link DriverProperty#NOTICES}. */
    public void setNotices(String notices) {
        setProperty(DriverProperty.NOTICES.key(), notices);
    }

    /** {@link DriverProperty#NODE_DOWN}. */
    public void setNodeDown(String nodeDown) {
        setProperty(DriverProperty.NODE_DOWN.key(), nodeDown);
    }

    /** {@link DriverProperty#IDLE_LIMIT}. */
    public void setIdleLimit(String idleLimit) {
        setProperty(DriverProperty.IDLE_LIMIT.key(), idleLimit);
    }

    /** Any property of ddlrep or pgjdbc, or null. */
    public @Nullable String getProperty(String name) {
        return properties.getProperty(name);
    }

    /** Any property of ddlrep or pgjdbc; null takes it back. */
    public void setProperty(String name, @Nullable String value) {
        lock.lock();
        try {
            if (value == null) {
                properties.remove(name);
            } else {
                properties.setProperty(name, value);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int getLoginTimeout() {
        String seconds = getProperty("loginTimeout");
        return seconds == null ? 0 : Integer.parseInt(seconds);
    }

    @Override
    public void setLoginTimeout(int seconds) {
        setProperty("loginTimeout", Integer.toString(seconds));
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return logWriter;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        logWriter = out;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return driver.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new PSQLException("not a wrapper for " + type.getName(), PSQLState.INVALID_PARAMETER_TYPE);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
