package io.ddlrep.gateway.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";

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
        String key = properties.get("sslkey");
        if (key != null) {
            algorithm(Path.of(key)).ifPresent(algorithm -> properties.putIfAbsent("pemKeyAlgorithm", algorithm));
        }
        return properties;
    }

    /**
     * What kind of key is in a file, which pgjdbc wants to be told.
     *
     * @return empty where it is none that is known, or cannot be read: the connection says that
     */
    private static Optional<String> algorithm(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.US_ASCII);
            int begin = text.indexOf(BEGIN);
            int end = text.indexOf("-----END", Math.max(begin, 0));
            if (begin < 0 || end < 0) {
                return Optional.empty();
            }
            byte[] key = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
            for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
                if (isKey(algorithm, key)) {
                    return Optional.of(algorithm);
                }
            }
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isKey(String algorithm, byte[] key) {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key)) != null;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
