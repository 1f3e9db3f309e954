package io.ddlrep.driver;

import io.ddlrep.driver.session.EngineFactory;
import io.ddlrep.driver.session.Engines;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * The driver of {@code jdbc:ddlrep:} URLs. The connections of one instance share an engine for each group and
 * configuration. Thread-safe.
 */
public final class DdlrepDriver implements Driver {
    private final org.postgresql.Driver postgresql = new org.postgresql.Driver();
    private final Engines engines = new Engines();
    private final ConnectionOpener opener;

    static {
        try {
            DriverManager.registerDriver(new DdlrepDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The driver as {@link DriverManager} and pools make it. */
    public DdlrepDriver() {
        this(DefaultEngine.FACTORY);
    }

    /** A driver with another engine behind it. */
    DdlrepDriver(EngineFactory factory) {
        this.opener = new ConnectionOpener(engines, factory);
    }

    @Override
    public @Nullable Connection connect(@Nullable String url, @Nullable Properties info) throws SQLException {
        DdlrepUrl parsed = parse(url).orElse(null);
        if (parsed == null) {
            return null;
        }
        Map<String, String> own = new HashMap<>();
        Properties passed = new Properties();
        split(info, own, passed);
        // As in pgjdbc, what the URL says wins.
        own.putAll(parsed.own());
        DriverOptions options;
        try {
            options = DriverOptions.of(own);
        } catch (IllegalArgumentException e) {
            throw invalid(e);
        }
        return opener.open(parsed, options, passed);
    }

    private static void split(@Nullable Properties info, Map<String, String> own, Properties passed)
            throws SQLException {
        if (info == null) {
            return;
        }
        // stringPropertyNames sees the defaults inside the properties too.
        for (String name : info.stringPropertyNames()) {
            String value = info.getProperty(name);
            try {
                if (DriverProperty.of(name).isPresent()) {
                    own.put(name, value);
                } else {
                    passed.setProperty(name, value);
                }
            } catch (IllegalArgumentException e) {
                throw invalid(e);
            }
        }
    }

    private static Optional<DdlrepUrl> parse(@Nullable String url) throws SQLException {
        try {
            return DdlrepUrl.parse(url);
        } catch (IllegalArgumentException e) {
            throw invalid(e);
        }
    }

    private static SQLException invalid(IllegalArgumentException e) {
        return new PSQLException(e.getMessage(), PSQLState.INVALID_PARAMETER_VALUE, e);
    }

    @Override
    public boolean acceptsURL(@Nullable String url) {
        return DdlrepUrl.accepts(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(@Nullable String url, @Nullable Properties info) throws SQLException {
        Optional<DdlrepUrl> parsed = parse(url);
        Map<String, String> own = new HashMap<>();
        Properties passed = new Properties();
        split(info, own, passed);
        parsed.ifPresent(known -> own.putAll(known.own()));
        List<DriverPropertyInfo> all = new ArrayList<>();
        for (DriverProperty property : DriverProperty.values()) {
            all.add(property.info(own.get(property.key())));
        }
        String postgresqlUrl = parsed.map(DdlrepUrl::postgresqlUrl).orElse("jdbc:postgresql:");
        Collections.addAll(all, postgresql.getPropertyInfo(postgresqlUrl, passed));
        return all.toArray(new DriverPropertyInfo[0]);
    }

    /** Engines that the open connections share at this moment. */
    public int openEngines() {
        return engines.size();
    }

    @Override
    public int getMajorVersion() {
        return 0;
    }

    @Override
    public int getMinorVersion() {
        return 1;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("io.ddlrep");
    }
}
