package io.ddlrep.gateway.cli;

import io.ddlrep.gateway.admin.AdminUsers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * With what a gateway runs: flags, else the file, else what is usual. Immutable.
 *
 * @param listen where clients connect
 * @param origin a node of the group as libpq takes it; empty: as every other command finds it
 * @param auth who asks clients for their passwords
 * @param tls with which files clients' connections are encrypted
 * @param shared whether other processes may listen there, too
 * @param logs how it logs
 * @param http where monitoring asks; empty: nowhere
 * @param replicate whether the gateway takes changes to the replicas
 * @param drain how long clients may take to end their transactions
 * @param connectTimeout how long to wait for a connection to the origin
 * @param loginTimeout how long a login may take
 * @param users who may use the database {@code ddlrep}
 */
record GatewaySettings(
        String listen,
        Optional<String> origin,
        GatewayCommand.Auth auth,
        ClientTlsSettings tls,
        boolean shared,
        LogSettings logs,
        Optional<String> http,
        boolean replicate,
        Duration drain,
        Duration connectTimeout,
        Duration loginTimeout,
        AdminUsers users) {
    /** How lines of the log are written. */
    enum LogFormat {
        /** For people. */
        TEXT,
        /** For programs. */
        JSON
    }

    /**
     * How a gateway logs.
     *
     * @param format of its lines
     * @param connections whether each session's begin and end are told
     */
    record LogSettings(LogFormat format, boolean connections) {
        private static LogSettings of(GatewayFlags flags, ConfigFile file) {
            return new LogSettings(
                    flags.logFormat()
                            .or(() -> file.word("log_format", Set.of("text", "json"))
                                    .map(word -> LogFormat.valueOf(word.toUpperCase(Locale.ROOT))))
                            .orElse(LogFormat.TEXT),
                    flags.logConnections() || file.flag("log_connections").orElse(false));
        }
    }

    static final String LISTEN = "localhost:6432";

    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration LOGIN = Duration.ofMinutes(1);
    private static final Set<String> KEYS = Set.of(
            "listen",
            "origin",
            "auth",
            "tls_cert",
            "tls_key",
            "tls_client_ca",
            "tls_user_map",
            "reuse_port",
            "http",
            "log_format",
            "log_connections",
            "replicate",
            "drain",
            "connect_timeout",
            "login_timeout",
            "admin_users",
            "stats_users");

    /**
     * Puts flags and file together.
     *
     * @param flags what was said on the command line
     * @throws IllegalArgumentException where the file cannot be read, or something in it is wrong
     */
    static GatewaySettings of(GatewayFlags flags) {
        ConfigFile file =
                flags.config().map(path -> ConfigFile.read(path, KEYS)).orElseGet(ConfigFile::none);
        Set<String> admins = new LinkedHashSet<>(file.texts("admin_users"));
        admins.addAll(flags.admins());
        Set<String> readers = new LinkedHashSet<>(file.texts("stats_users"));
        readers.addAll(flags.readers());
        GatewaySettings settings = new GatewaySettings(
                flags.listen().or(() -> file.text("listen")).orElse(LISTEN),
                file.text("origin"),
                flags.auth()
                        .or(() -> file.word("auth", Set.of("scram", "cert", "trust"))
                                .map(word -> GatewayCommand.Auth.valueOf(word.toUpperCase(Locale.ROOT))))
                        .orElse(GatewayCommand.Auth.SCRAM),
                ClientTlsSettings.of(flags, file),
                flags.shared() || file.flag("reuse_port").orElse(false),
                LogSettings.of(flags, file),
                flags.http().or(() -> file.text("http")),
                !flags.idle() && file.flag("replicate").orElse(true),
                flags.drain().or(() -> file.duration("drain")).orElse(DRAIN),
                file.duration("connect_timeout").orElse(CONNECT),
                file.duration("login_timeout").orElse(LOGIN),
                new AdminUsers(admins, readers));
        if (settings.auth() == GatewayCommand.Auth.CERT
                && settings.tls().authorities().isEmpty()) {
            throw new IllegalArgumentException("--auth cert needs --tls-client-ca, whose certificates are good");
        }
        address(file, "listen", settings.listen());
        settings.http().ifPresent(http -> address(file, "http", http));
        return settings;
    }

    private static void address(ConfigFile file, String key, String text) {
        try {
            Objects.requireNonNull(ListenAddress.parse(text));
        } catch (IllegalArgumentException e) {
            throw file.text(key).filter(text::equals).isPresent() ? file.wrong(key, String.valueOf(e.getMessage())) : e;
        }
    }

    /** What differs in other settings and takes effect only in a new process. */
    List<String> needRestart(GatewaySettings other) {
        List<String> changed = new ArrayList<>();
        compare(changed, "listen", listen, other.listen);
        compare(changed, "origin", origin, other.origin);
        compare(changed, "auth", auth, other.auth);
        compare(changed, "http", http, other.http);
        compare(changed, "replicate", replicate, other.replicate);
        compare(changed, "connect_timeout", connectTimeout, other.connectTimeout);
        compare(changed, "login_timeout", loginTimeout, other.loginTimeout);
        compare(changed, "reuse_port", shared, other.shared);
        compare(changed, "log_format", logs.format(), other.logs.format());
        compare(
                changed,
                "tls_cert",
                tls.certificate().isPresent(),
                other.tls.certificate().isPresent());
        return changed;
    }

    private static void compare(List<String> changed, String key, Object now, Object then) {
        if (!now.equals(then)) {
            changed.add(key);
        }
    }

    /** For SHOW CONFIG. */
    Map<String, String> shown() {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("listen", listen);
        shown.put("auth", auth.name().toLowerCase(Locale.ROOT));
        shown.put("tls_cert", tls.certificate().map(Path::toString).orElse(""));
        shown.put("tls_client_ca", tls.authorities().map(Path::toString).orElse(""));
        shown.put("tls_user_map", tls.users().map(Path::toString).orElse(""));
        shown.put("reuse_port", shared ? "on" : "off");
        shown.put("log_format", logs.format().name().toLowerCase(Locale.ROOT));
        shown.put("log_connections", logs.connections() ? "on" : "off");
        shown.put("http", http.orElse(""));
        shown.put("replicate", replicate ? "on" : "off");
        shown.put("drain", drain.toMillis() + "ms");
        shown.put("connect_timeout", connectTimeout.toMillis() + "ms");
        shown.put("login_timeout", loginTimeout.toMillis() + "ms");
        shown.put("admin_users", String.join(", ", users.admins()));
        shown.put("stats_users", String.join(", ", users.readers()));
        return shown;
    }
}
