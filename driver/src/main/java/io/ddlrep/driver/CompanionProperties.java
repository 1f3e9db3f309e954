package io.ddlrep.driver;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Which of the client's pgjdbc properties the engine's own connections get: how to reach and to trust a server, but
 * nothing that changes what a session does, for the engine sets that itself. Stateless.
 */
final class CompanionProperties {
    private static final List<String> PREFIXES =
            List.of("ssl", "gss", "jaas", "kerberos", "sspi", "socketFactory", "scram");

    private static final List<String> NAMES = List.of(
            "authenticationPluginClassName",
            "channelBinding",
            "connectTimeout",
            "localSocketAddress",
            "loginTimeout",
            "receiveBufferSize",
            "requireAuth",
            "sendBufferSize",
            "tcpKeepAlive",
            "tcpNoDelay",
            "useSpnego");

    private CompanionProperties() {}

    static Map<String, String> of(Properties properties) {
        Map<String, String> chosen = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith)) {
                chosen.put(name, properties.getProperty(name));
            }
        }
        return Map.copyOf(chosen);
    }
}
