package io.ddlrep.gateway.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What libpq adds to a connection string: the service file, the environment, built-in defaults, the password file, in
 * this order. Immutable.
 */
final class ConnDefaults {
    private static final Map<String, String> VARIABLES = Map.ofEntries(
            Map.entry("host", "PGHOST"),
            Map.entry("hostaddr", "PGHOSTADDR"),
            Map.entry("port", "PGPORT"),
            Map.entry("dbname", "PGDATABASE"),
            Map.entry("user", "PGUSER"),
            Map.entry("password", "PGPASSWORD"),
            Map.entry("passfile", "PGPASSFILE"),
            Map.entry("options", "PGOPTIONS"),
            Map.entry("connect_timeout", "PGCONNECT_TIMEOUT"),
            Map.entry("channel_binding", "PGCHANNELBINDING"),
            Map.entry("gssencmode", "PGGSSENCMODE"),
            Map.entry("krbsrvname", "PGKRBSRVNAME"),
            Map.entry("sslmode", "PGSSLMODE"),
            Map.entry("sslnegotiation", "PGSSLNEGOTIATION"),
            Map.entry("sslcert", "PGSSLCERT"),
            Map.entry("sslkey", "PGSSLKEY"),
            Map.entry("sslrootcert", "PGSSLROOTCERT"));

    private final Map<String, String> environment;
    private final Path home;
    private final String osUser;
    private final Consumer<String> warnings;

    ConnDefaults(Map<String, String> environment, Path home, String osUser, Consumer<String> warnings) {
        this.environment = Map.copyOf(environment);
        this.home = home;
        this.osUser = osUser;
        this.warnings = warnings;
    }

    /** Those of this process. */
    static ConnDefaults ofProcess(Consumer<String> warnings) {
        return new ConnDefaults(
                System.getenv(), Path.of(System.getProperty("user.home")), System.getProperty("user.name"), warnings);
    }

    /** Where libpq's files are looked for. */
    Path home() {
        return home;
    }

    /** A variable of the environment; empty counts as not set. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    /**
     * Completes a connection string.
     *
     * @throws IllegalArgumentException where a service is not defined, or something cannot be used here
     */
    ConnTarget complete(ConnInfo given) {
        Map<String, String> values = new LinkedHashMap<>(given.values());
        addService(values);
        VARIABLES.forEach(
                (keyword, variable) -> variable(variable).ifPresent(value -> values.putIfAbsent(keyword, value)));
        String user = values.getOrDefault("user", osUser);
        String host = single("host", values.getOrDefault("host", ""));
        String address = single("hostaddr", values.getOrDefault("hostaddr", ""));
        if (host.startsWith("/") || host.startsWith("@")) {
            throw new IllegalArgumentException(
                    "Unix sockets are not supported: give a host name, such as host=localhost");
        }
        String shown = host.isEmpty() ? (address.isEmpty() ? "localhost" : address) : host;
        int port = port(single("port", values.getOrDefault("port", "5432")));
        String database = values.getOrDefault("dbname", user);
        return new ConnTarget(
                new ConnTarget.Place(shown, port, database),
                user,
                Optional.ofNullable(values.get("password")).filter(value -> !value.isEmpty()),
                Optional.ofNullable(values.get("passfile")).map(Path::of),
                JdbcProperties.of(values));
    }

    /** The password for a role on a place: the one given, else the password file's; null for none. */
    @Nullable
    String password(ConnTarget target, ConnTarget.Place place, String user) {
        if (user.equals(target.user()) && target.password().isPresent()) {
            return target.password().get();
        }
        if (user.equals(ServiceCredentials.ROLE)
                && variable(ServiceCredentials.VARIABLE).isPresent()) {
            return variable(ServiceCredentials.VARIABLE).get();
        }
        Path file = target.passfile().orElse(home.resolve(".pgpass"));
        return new PasswordFile(file, warnings)
                .find(place.host(), place.port(), place.database(), user)
                .orElse(null);
    }

    private void addService(Map<String, String> values) {
        String service = values.remove("service");
        if (service == null) {
            service = variable("PGSERVICE").orElse(null);
        }
        String given = values.remove("servicefile");
        if (service == null) {
            return;
        }
        Path own = Path.of(
                given != null
                        ? given
                        : variable("PGSERVICEFILE")
                                .orElse(home.resolve(".pg_service.conf").toString()));
        Optional<Map<String, String>> found = ServiceFile.read(own, service);
        if (found.isEmpty() && variable("PGSYSCONFDIR").isPresent()) {
            found = ServiceFile.read(Path.of(variable("PGSYSCONFDIR").get(), "pg_service.conf"), service);
        }
        String name = service;
        found.orElseThrow(() -> new IllegalArgumentException("definition of service \"" + name + "\" not found"))
                .forEach(values::putIfAbsent);
    }

    private static String single(String keyword, String value) {
        if (value.indexOf(',') >= 0) {
            throw new IllegalArgumentException(
                    "several values of " + keyword + ": a node is one database on one server");
        }
        return value;
    }

    private static int port(String text) {
        if (text.isEmpty()) {
            return 5432;
        }
        try {
            int port = Integer.parseInt(text.strip());
            if (port < 1 || port > 65535) {
                throw new IllegalArgumentException("invalid port number: \"" + text + "\"");
            }
            return port;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "invalid integer value \"" + text + "\" for connection option \"port\"", e);
        }
    }
}
