package io.ddlrep.gateway.cli;

import java.util.HashMap;
import java.util.Map;

/** Names of libpq's connection options at pgjdbc. Stateless. */
final class JdbcProperties {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("sslmode", "sslmode"),
            Map.entry("sslcert", "sslcert"),
            Map.entry("sslkey", "sslkey"),
            Map.entry("sslrootcert", "sslrootcert"),
            Map.entry("sslpassword", "sslpassword"),
            Map.entry("sslnegotiation", "sslNegotiation"),
            Map.entry("channel_binding", "channelBinding"),
            Map.entry("gssencmode", "gssEncMode"),
            Map.entry("krbsrvname", "kerberosServerName"),
            Map.entry("require_auth", "requireAuth"),
            Map.entry("connect_timeout", "connectTimeout"),
            Map.entry("options", "options"));

    private JdbcProperties() {}

    /** pgjdbc's properties; what is pgjdbc's already (from a URL) stays. */
    static Map<String, String> of(Map<String, String> values) {
        Map<String, String> properties = new HashMap<>();
        values.forEach((keyword, value) -> {
            String name = NAMES.get(keyword);
            if (name != null) {
                properties.put(name, value);
            } else if (!ConnInfo.KEYWORDS.contains(keyword)) {
                properties.put(keyword, value);
            }
        });
        return properties;
    }
}
