package io.ddlrep.gateway.startup;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** An authority, and files with its certificates. Immutable. */
public final class Pki {
    private final Path directory;
    private final X509Bundle authority;

    private Pki(Path directory, X509Bundle authority) {
        this.directory = directory;
        this.authority = authority;
    }

    /**
     * Makes an authority.
     *
     * @param directory for its files, which are called after it
     */
    public static Pki create(Path directory, String name) throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .subject("CN=" + name)
                .setIsCertificateAuthority(true)
                .ecp256()
                .buildSelfSigned();
        Pki pki = new Pki(Files.createDirectories(directory.resolve(name)), authority);
        Files.writeString(pki.authorities(), authority.getRootCertificatePEM());
        return pki;
    }

    /** Certificate and key. */
    public record Issued(Path certificate, Path key) {}

    /** Issues a certificate, for localhost where its owner is a server. */
    public Issued issue(String commonName, String... names) throws Exception {
        CertificateBuilder builder =
                new CertificateBuilder().subject("CN=" + commonName).ecp256();
        for (String name : names) {
            if (Character.isDigit(name.charAt(0))) {
                builder.addSanIpAddress(name);
            } else {
                builder.addSanDnsName(name);
            }
        }
        X509Bundle bundle = builder.buildIssuedBy(authority);
        Path key = Files.createFile(
                directory.resolve(commonName + ".key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, bundle.getPrivateKeyPEM());
        return new Issued(Files.writeString(directory.resolve(commonName + ".crt"), bundle.getCertificatePEM()), key);
    }

    /** The authority's own certificate. */
    public Path authorities() {
        return directory.resolve("root.crt");
    }

    /** A file beside them. */
    public Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
