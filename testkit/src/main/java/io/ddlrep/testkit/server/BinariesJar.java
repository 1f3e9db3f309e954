package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/**
 * The jar of published PostgreSQL binaries: found in the local Maven repository, where the build has put it, else
 * fetched there by Maven; unpacked in Java. Stateless and thread-safe.
 */
final class BinariesJar {

    private static final Logger LOG = LoggerFactory.getLogger(BinariesJar.class);
    private static final String GROUP = "io.zonky.test.postgres";

    private BinariesJar() {}

    /** The jar of that version; {@code fetched} is the folder for it when Maven has to be asked. */
    static Path locate(String artifact, String version, Path fetched) {
        String file = artifact + "-" + version + ".jar";
        return repositories().stream()
                .map(repository -> repository
                        .resolve(GROUP.replace('.', '/'))
                        .resolve(artifact)
                        .resolve(version)
                        .resolve(file))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseGet(() -> fetch(artifact, version, fetched).resolve(file));
    }

    private static List<Path> repositories() {
        List<Path> repositories = new ArrayList<>();
        for (String property : List.of("ddlrep.maven.repository", "maven.repo.local")) {
            String value = System.getProperty(property);
            if (value != null && !value.isBlank()) {
                repositories.add(Path.of(value));
            }
        }
        repositories.add(Path.of(System.getProperty("user.home"), ".m2", "repository"));
        return repositories;
    }

    /** Maven knows the user's mirrors, proxies and, when its settings name another one, the local repository. */
    private static Path fetch(String artifact, String version, Path directory) {
        String coordinates = GROUP + ":" + artifact + ":" + version;
        LOG.warn("fetching PostgreSQL {} once, by Maven ({}, about 15 MB)", version, coordinates);
        // The goal needs no project; the plugin's version is the one the root pom pins.
        Commands.Result result = Commands.run(List.of(
                System.getProperty("ddlrep.maven", "mvn"),
                "-B",
                "-q",
                "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy",
                "-Dartifact=" + coordinates,
                "-DoutputDirectory=" + directory));
        if (!result.succeeded()) {
            throw new TestkitException(
                    "PostgreSQL " + version + " is not in the local Maven repository and could not be"
                            + " fetched. Cure: with a network, run once\n  mvn dependency:get -Dtransitive=false -Dartifact="
                            + coordinates + "\nMaven said:\n" + result.output());
        }
        return directory;
    }

    /** Unpacks the {@code .txz} inside the jar, with symbolic links and permissions. */
    static void unpack(Path jar, Path directory) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile());
                InputStream packed = zip.getInputStream(archiveOf(zip));
                TarArchiveInputStream tar =
                        new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed)))) {
            TarArchiveEntry entry = tar.getNextEntry();
            while (entry != null) {
                unpackEntry(tar, entry, directory);
                entry = tar.getNextEntry();
            }
        }
    }

    private static ZipEntry archiveOf(ZipFile zip) throws IOException {
        Enumeration<? extends ZipEntry> entries = zip.entries();
        while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            if (entry.getName().endsWith(".txz")) {
                return entry;
            }
        }
        throw new IOException("no .txz in " + zip.getName());
    }

    private static void unpackEntry(TarArchiveInputStream tar, TarArchiveEntry entry, Path directory)
            throws IOException {
        Path path = directory.resolve(entry.getName()).normalize();
        if (!path.startsWith(directory)) {
            throw new IOException("entry outside the archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
            Files.copy(directory.resolve(entry.getLinkName()), path, LinkOption.NOFOLLOW_LINKS);
        } else {
            Files.copy(tar, path);
            boolean executable = (entry.getMode() & 0100) != 0;
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }
}
