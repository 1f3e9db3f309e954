package io.ddlrep.gateway.cli;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection string as libpq takes it: keywords and values, or a URI. Immutable; prints no passwords.
 */
final class ConnInfo {
    /** libpq's keywords up to 18; what pgjdbc has no use for is accepted and left out. */
    static final Set<String> KEYWORDS = Set.of(
            "host",
            "hostaddr",
            "port",
            "dbname",
            "user",
            "password",
            "passfile",
            "require_auth",
            "channel_binding",
            "connect_timeout",
            "client_encoding",
            "options",
            "application_name",
            "fallback_application_name",
            "keepalives",
            "keepalives_idle",
            "keepalives_interval",
            "keepalives_count",
            "tcp_user_timeout",
            "replication",
            "gssencmode",
            "sslmode",
            "requiressl",
            "sslnegotiation",
            "sslcompression",
            "sslcert",
            "sslkey",
            "sslkeylogfile",
            "sslpassword",
            "sslcertmode",
            "sslrootcert",
            "sslcrl",
            "sslcrldir",
            "sslsni",
            "requirepeer",
            "ssl_min_protocol_version",
            "ssl_max_protocol_version",
            "min_protocol_version",
            "max_protocol_version",
            "krbsrvname",
            "gsslib",
            "gssdelegation",
            "scram_client_key",
            "scram_server_key",
            "service",
            "servicefile",
            "target_session_attrs",
            "load_balance_hosts",
            "oauth_issuer",
            "oauth_client_id",
            "oauth_client_secret",
            "oauth_scope");

    private static final List<String> SCHEMES = List.of("postgresql://", "postgres://");

    private final Map<String, String> values;

    private ConnInfo(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads a connection string.
     *
     * @throws IllegalArgumentException with libpq's words where it is malformed; the message holds no value
     */
    static ConnInfo parse(String text) {
        for (String scheme : SCHEMES) {
            if (text.startsWith(scheme)) {
                return new ConnInfo(Uri.parse(text.substring(scheme.length()), false));
            }
        }
        return new ConnInfo(new Words(text).read());
    }

    /** Reads {@code jdbc:ddlrep:} and {@code jdbc:postgresql:} URLs; their properties are pgjdbc's and are kept as they are. */
    static ConnInfo parseUrl(String url) {
        String rest = null;
        for (String prefix : List.of("jdbc:ddlrep:", "jdbc:postgresql:")) {
            if (url.startsWith(prefix)) {
                rest = url.substring(prefix.length());
            }
        }
        if (rest == null) {
            throw new IllegalArgumentException("a URL begins with jdbc:ddlrep:");
        }
        Map<String, String> values = rest.startsWith("//")
                ? Uri.parse(rest.substring(2), true)
                : Uri.parse("/" + (rest.startsWith("/") ? rest.substring(1) : rest), true);
        for (String service : List.of("user", "password")) {
            String key = "service" + service.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + service.substring(1);
            String value = values.remove(key);
            if (value != null) {
                values.put(service, value);
            }
        }
        return new ConnInfo(values);
    }

    /** The values that were given. */
    Map<String, String> values() {
        return values;
    }

    /** A value, or null. */
    @Nullable
    String get(String keyword) {
        return values.get(keyword);
    }

    @Override
    public String toString() {
        return "ConnInfo" + values.keySet();
    }

    /** Keywords and values. */
    private static final class Words {
        private final String text;
        private int at;

        Words(String text) {
            this.text = text;
        }

        Map<String, String> read() {
            Map<String, String> values = new LinkedHashMap<>();
            skipBlanks();
            while (at < text.length()) {
                int start = at;
                while (at < text.length() && text.charAt(at) != '=' && !Character.isWhitespace(text.charAt(at))) {
                    at++;
                }
                String keyword = text.substring(start, at);
                skipBlanks();
                if (at >= text.length() || text.charAt(at) != '=') {
                    throw new IllegalArgumentException(
                            "missing \"=\" after \"" + keyword + "\" in connection info string");
                }
                at++;
                skipBlanks();
                if (!KEYWORDS.contains(keyword)) {
                    throw new IllegalArgumentException("invalid connection option \"" + keyword + "\"");
                }
                values.put(keyword, value());
                skipBlanks();
            }
            return values;
        }

        private String value() {
            boolean quoted = at < text.length() && text.charAt(at) == '\'';
            if (quoted) {
                at++;
            }
            StringBuilder value = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at);
                if (c == '\\') {
                    at++;
                    if (at < text.length()) {
                        value.append(text.charAt(at++));
                    }
                } else if (quoted ? c == '\'' : Character.isWhitespace(c)) {
                    at++;
                    return value.toString();
                } else {
                    value.append(c);
                    at++;
                }
            }
            if (quoted) {
                throw new IllegalArgumentException("unterminated quoted string in connection info string");
            }
            return value.toString();
        }

        private void skipBlanks() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
    }

    /** A URI behind its {@code scheme://}. */
    private static final class Uri {
        private Uri() {}

        static Map<String, String> parse(String text, boolean jdbc) {
            Map<String, String> values = new LinkedHashMap<>();
            String rest = text;
            int query = rest.indexOf('?');
            String parameters = "";
            if (query >= 0) {
                parameters = rest.substring(query + 1);
                rest = rest.substring(0, query);
            }
            int slash = rest.indexOf('/');
            String authority = slash >= 0 ? rest.substring(0, slash) : rest;
            String database = slash >= 0 ? rest.substring(slash + 1) : "";
            int sign = authority.lastIndexOf('@');
            if (sign >= 0) {
                String[] who = authority.substring(0, sign).split(":", 2);
                putIfGiven(values, "user", decode(who[0]));
                if (who.length > 1) {
                    putIfGiven(values, "password", decode(who[1]));
                }
            }
            hosts(values, authority.substring(sign + 1));
            putIfGiven(values, "dbname", decode(database));
            parameters(values, parameters, jdbc);
            return values;
        }

        private static void hosts(Map<String, String> values, String text) {
            StringBuilder hosts = new StringBuilder();
            StringBuilder ports = new StringBuilder();
            for (String each : text.split(",", -1)) {
                String separator = hosts.length() == 0 && ports.length() == 0 ? "" : ",";
                String host = each;
                String port = "";
                if (each.startsWith("[")) {
                    int end = each.indexOf(']');
                    if (end < 0) {
                        throw new IllegalArgumentException("missing matching \"]\" in IPv6 host address in URI");
                    }
                    host = each.substring(1, end);
                    String behind = each.substring(end + 1);
                    if (host.isEmpty() || !(behind.isEmpty() || behind.startsWith(":"))) {
                        throw new IllegalArgumentException("malformed IPv6 host address in URI");
                    }
                    port = behind.isEmpty() ? "" : behind.substring(1);
                } else if (each.indexOf(':') >= 0) {
                    host = each.substring(0, each.indexOf(':'));
                    port = each.substring(each.indexOf(':') + 1);
                }
                hosts.append(separator).append(decode(host));
                ports.append(separator).append(decode(port));
            }
            putIfGiven(values, "host", hosts.toString());
            putIfGiven(values, "port", ports.toString());
        }

        private static void parameters(Map<String, String> values, String text, boolean jdbc) {
            if (text.isEmpty()) {
                return;
            }
            for (String each : text.split("&", -1)) {
                int equals = each.indexOf('=');
                if (equals < 0 || each.indexOf('=', equals + 1) >= 0) {
                    throw new IllegalArgumentException(
                            (equals < 0 ? "missing" : "extra") + " key/value separator \"=\" in URI query parameter");
                }
                String key = decode(each.substring(0, equals));
                String value = decode(each.substring(equals + 1));
                if (!jdbc && key.equals("ssl") && value.equals("true")) {
                    key = "sslmode";
                    value = "require";
                }
                if (!jdbc && !KEYWORDS.contains(key)) {
                    throw new IllegalArgumentException("invalid URI query parameter: \"" + key + "\"");
                }
                values.put(key, value);
            }
        }

        private static void putIfGiven(Map<String, String> values, String key, String value) {
            if (!value.isEmpty()) {
                values.put(key, value);
            }
        }

        /** Percent-encoding only: a plus sign is a plus sign. */
        private static String decode(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) == '%') {
                    boolean good = i + 2 < text.length()
                            && Character.digit(text.charAt(i + 1), 16) >= 0
                            && Character.digit(text.charAt(i + 2), 16) >= 0;
                    if (!good) {
                        throw new IllegalArgumentException("invalid percent-encoded token in URI");
                    }
                    if (text.startsWith("00", i + 1)) {
                        throw new IllegalArgumentException("forbidden value %00 in percent-encoded value in URI");
                    }
                }
            }
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnInfo info && values.equals(info.values);
    }

    @Override
    public int hashCode() {
        return Objects.hash(values);
    }
}
