package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder under which this JVM's servers live: {@code <root>/<pid>-<random>/<n>/data}. Root is property
 * {@code ddlrep.instances}, else {@code <java.io.tmpdir>/ddlrep-<user>}, so short that a Unix socket fits in it.
 *
 * <p>Nothing is left behind, in three layers. A shutdown hook stops this JVM's servers and deletes the folder. When the
 * JVM is killed, the {@link Watchdog} of each server sees its pipe close and does the same. When that one is killed too,
 * the next JVM finds the folder: a living owner holds a file lock in it, which the kernel drops at the owner's death.
 *
 * <p>One per JVM, thread-safe; the servers that run are shared state on purpose.
 */
final class InstanceDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceDirectory.class);

    private final Path directory;
    private final FileLock alive;
    private final AtomicInteger next = new AtomicInteger();
    private final Set<PgServer> running = ConcurrentHashMap.newKeySet();

    private static final class OfThisJvm {
        private static final InstanceDirectory INSTANCE = open(root());
    }

    private InstanceDirectory(Path directory, FileLock alive) {
        this.directory = directory;
        this.alive = alive;
    }

    static InstanceDirectory ofThisJvm() {
        return OfThisJvm.INSTANCE;
    }

    /** A new, empty folder for one server. */
    Path newInstance() {
        if (!alive.isValid()) {
            throw new TestkitException("the JVM is going down");
        }
        try {
            return Files.createDirectory(directory.resolve(Integer.toString(next.incrementAndGet())));
        } catch (IOException e) {
            throw new TestkitException("cannot create a folder in " + directory, e);
        }
    }

    void started(PgServer server) {
        running.add(server);
    }

    void stopped(PgServer server) {
        running.remove(server);
    }

    private static Path root() {
        String property = System.getProperty("ddlrep.instances");
        return property != null
                ? Path.of(property)
                : Path.of(System.getProperty("java.io.tmpdir"), "ddlrep-" + System.getProperty("user.name"));
    }

    private static InstanceDirectory open(Path root) {
        try {
            Files.createDirectories(root);
            // Under the root's lock nobody can take a folder for a leftover before its owner has locked it.
            try (FileChannel channel = lockFile(root);
                    FileLock lock = channel.lock()) {
                if (!lock.isValid()) {
                    throw new TestkitException("cannot lock " + root);
                }
                removeLeftovers(root);
                Path directory =
                        Files.createTempDirectory(root, ProcessHandle.current().pid() + "-");
                InstanceDirectory instances =
                        new InstanceDirectory(directory, lockFile(directory).lock());
                Runtime.getRuntime().addShutdownHook(new Thread(instances::close, "ddlrep-testkit-cleanup"));
                return instances;
            }
        } catch (IOException e) {
            throw new TestkitException("cannot create a folder for servers in " + root, e);
        }
    }

    private static FileChannel lockFile(Path directory) throws IOException {
        return FileChannel.open(directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Kills the servers and deletes the folders of JVMs that no longer live. */
    private static void removeLeftovers(Path root) throws IOException {
        List<Path> candidates;
        try (Stream<Path> entries = Files.list(root)) {
            candidates = entries.filter(Files::isDirectory).toList();
        }
        for (Path candidate : candidates) {
            try (FileChannel channel = lockFile(candidate);
                    FileLock lock = channel.tryLock()) {
                if (lock != null) {
                    LOG.info("removing servers that a dead process left in {}", candidate);
                    removeInstances(candidate);
                }
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("cannot remove the leftover {}: {}", candidate, e.toString());
            }
        }
    }

    private static void removeInstances(Path directory) throws IOException {
        List<Path> instances;
        try (Stream<Path> entries = Files.list(directory)) {
            instances = entries.filter(Files::isDirectory).toList();
        }
        for (Path instance : instances) {
            new DataDirectory(instance.resolve("data")).killServer();
        }
        Trees.delete(directory);
    }

    private void close() {
        running.forEach(PgServer::stopImmediate);
        try {
            removeInstances(directory);
            alive.channel().close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot delete {}: {}", directory, e.toString());
        }
    }
}
