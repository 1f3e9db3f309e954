package io.ddlrep.gateway.cli;

import io.ddlrep.gateway.startup.Tls;
import io.ddlrep.gateway.startup.UserMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * With which files clients' connections are encrypted. Immutable.
 *
 * @param certificate the gateway's own, with its key; empty: no TLS
 * @param key the certificate's key
 * @param authorities whose certificates clients may show; empty: they are not asked for any
 * @param users which roles a certificate may log in as; empty: that of its name
 */
record ClientTlsSettings(
        Optional<Path> certificate, Optional<Path> key, Optional<Path> authorities, Optional<Path> users) {
    ClientTlsSettings {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("give --tls-cert and --tls-key, or neither");
        }
        if (authorities.isPresent() && certificate.isEmpty()) {
            throw new IllegalArgumentException("--tls-client-ca needs --tls-cert and --tls-key");
        }
        if (users.isPresent() && authorities.isEmpty()) {
            throw new IllegalArgumentException("--tls-user-map needs --tls-client-ca");
        }
    }

    /** Flags, else the file. */
    static ClientTlsSettings of(GatewayFlags flags, ConfigFile file) {
        return new ClientTlsSettings(
                flags.certificate().or(() -> file.text("tls_cert").map(Path::of)),
                flags.key().or(() -> file.text("tls_key").map(Path::of)),
                flags.authorities().or(() -> file.text("tls_client_ca").map(Path::of)),
                flags.userMap().or(() -> file.text("tls_user_map").map(Path::of)));
    }

    /** Reads the files. */
    Optional<Tls> read() throws IOException {
        if (certificate.isEmpty()) {
            return Optional.empty();
        }
        Optional<Tls.Clients> clients = Optional.empty();
        if (authorities.isPresent()) {
            UserMap map = users.isPresent() ? UserMap.read(users.get()) : UserMap.SAME_NAME;
            clients = Optional.of(new Tls.Clients(authorities.get(), map));
        }
        return Optional.of(Tls.of(certificate.get(), key.orElseThrow(), clients));
    }
}
