package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A server's data directory: made as a copy of a cluster that {@code initdb} makes once per version and user, given an
 * identity of its own, and configured. Immutable; one thread at a time should change what is in it.
 */
record DataDirectory(Path path) {

    static final String SUPERUSER = "postgres";
    static final String PASSWORD = "postgres";

    /** Makes a fresh cluster in {@code path}. */
    static DataDirectory create(Path path, PgBinaries binaries, PgServerOptions options) {
        Path template = template(binaries, options.authentication());
        try {
            Trees.copy(template, path);
            SystemIdentifier.renew(path);
        } catch (IOException e) {
            throw new TestkitException("cannot create the data directory " + path, e);
        }
        return new DataDirectory(path);
    }

    private static Path template(PgBinaries binaries, PgServerOptions.Authentication authentication) {
        String method = authentication.name().toLowerCase(Locale.ROOT);
        String name = "template/" + binaries.version() + "-" + method;
        return CacheDirectory.ofThisUser().folder(name, directory -> {
            Path password = Files.createTempFile("ddlrep-initdb", "");
            try {
                Files.writeString(password, PASSWORD + "\n");
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
                Commands.runOrFail(Unprivileged.command(List.of(
                        binaries.program("initdb").toString(),
                        "--pgdata=" + directory,
                        "--username=" + SUPERUSER,
                        "--pwfile=" + password,
                        "--auth="
                                + (authentication == PgServerOptions.Authentication.TRUST ? "trust" : "scram-sha-256"),
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync")));
            } finally {
                Files.deleteIfExists(password);
            }
        });
    }

    /** Appends what the options ask for to {@code postgresql.conf}. */
    void configure(PgServerOptions options) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("# ddlrep testkit");
        lines.add("listen_addresses = '127.0.0.1'");
        lines.add("unix_socket_directories = '" + path.getParent() + "'");
        lines.add("shared_buffers = '32MB'");
        // Segments in files die with the directory; in /dev/shm they would outlive a killed server.
        lines.add("dynamic_shared_memory_type = mmap");
        lines.add("log_line_prefix = '%m [%p] %q%a %d '");
        for (Map.Entry<String, String> setting : options.asked().entrySet()) {
            lines.add(setting.getKey() + " = '" + setting.getValue().replace("'", "''") + "'");
        }
        try {
            Files.write(path.resolve("postgresql.conf"), lines, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new TestkitException("cannot configure " + path, e);
        }
    }

    /** The postmaster that wrote its pid file here and is ready for connections. */
    boolean isReady(long postmasterPid) {
        List<String> lines = pidFile();
        return lines.size() >= 8
                && lines.get(0).strip().equals(Long.toString(postmasterPid))
                && lines.get(7).strip().equals("ready");
    }

    /** Kills the postmaster that the pid file names, with all its children, if it still serves this directory. */
    void killServer() {
        postmaster().ifPresent(ProcessTree::kill);
        // A killed postmaster leaves a small System V segment: line 7 of its pid file is "key id".
        List<String> lines = pidFile();
        if (lines.size() >= 7) {
            String[] segment = lines.get(6).strip().split("\\s+", -1);
            if (segment.length == 2) {
                Commands.run(List.of("ipcrm", "-m", segment[1]));
            }
        }
    }

    private Optional<ProcessHandle> postmaster() {
        List<String> lines = pidFile();
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        // The pid may have been given to another process since: only one that was started on this directory counts.
        return ProcessHandle.of(Long.parseLong(lines.get(0).strip()))
                .filter(handle -> commandLine(handle).contains(path.toString()));
    }

    private static String commandLine(ProcessHandle handle) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(handle.pid()), "cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    private List<String> pidFile() {
        try {
            return Files.readAllLines(path.resolve("postmaster.pid"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
