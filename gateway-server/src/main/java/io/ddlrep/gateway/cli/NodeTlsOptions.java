package io.ddlrep.gateway.cli;

import io.ddlrep.gateway.wire.NodeTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** How the gateway encrypts its connections to nodes, by what libpq's options say. Stateless. */
final class NodeTlsOptions {
    private NodeTlsOptions() {}

    /**
     * Reads the options and their files; what is not said is as libpq has it.
     *
     * @param properties of a connection, by libpq's names
     * @param home where libpq's files are looked for
     * @throws IOException where a file cannot be read or is not what it should be
     * @throws IllegalArgumentException where an option is none
     */
    static NodeTls read(Map<String, String> properties, Path home) throws IOException {
        Path directory = home.resolve(".postgresql");
        Optional<Path> authorities = file(properties, "sslrootcert", directory.resolve("root.crt"));
        NodeTls.Mode mode = mode(properties.getOrDefault("sslmode", "prefer"), authorities.isPresent());
        Optional<Path> certificate = file(properties, "sslcert", directory.resolve("postgresql.crt"));
        Optional<Path> key = file(properties, "sslkey", directory.resolve("postgresql.key"));
        Optional<NodeTls.Identity> identity = certificate.isPresent() && key.isPresent()
                ? Optional.of(new NodeTls.Identity(
                        certificate.get(), key.get(), Optional.ofNullable(properties.get("sslpassword"))))
                : Optional.empty();
        if (mode.compareTo(NodeTls.Mode.VERIFY_CA) >= 0
                && authorities.isEmpty()
                && !"system".equals(properties.get("sslrootcert"))) {
            throw new IOException("sslmode " + properties.get("sslmode") + " needs a file of authorities: there is no "
                    + directory.resolve("root.crt") + "; give sslrootcert");
        }
        return NodeTls.of(mode, authorities, identity);
    }

    private static NodeTls.Mode mode(String sslmode, boolean authorities) {
        return switch (sslmode) {
            case "disable" -> NodeTls.Mode.DISABLE;
            case "allow", "prefer" -> NodeTls.Mode.PREFER;
            // As libpq does it: who has a file of authorities wants it to be used.
            case "require" -> authorities ? NodeTls.Mode.VERIFY_CA : NodeTls.Mode.REQUIRE;
            case "verify-ca" -> NodeTls.Mode.VERIFY_CA;
            case "verify-full" -> NodeTls.Mode.VERIFY_FULL;
            default -> throw new IllegalArgumentException("invalid sslmode value: \"" + sslmode + "\"");
        };
    }

    private static Optional<Path> file(Map<String, String> properties, String name, Path usual) {
        String given = properties.getOrDefault(name, "");
        if (given.equals("system") && name.equals("sslrootcert")) {
            return Optional.empty();
        }
        return given.isEmpty() ? Optional.of(usual).filter(Files::isReadable) : Optional.of(Path.of(given));
    }
}
