package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Folders that are expensive to make and never change once made, shared by every JVM of this user: property
 * {@code ddlrep.cache}, else {@code $XDG_CACHE_HOME/ddlrep}, else {@code ~/.cache/ddlrep}. A folder is built under
 * another name and renamed when complete, so that it is either whole or absent; a file lock lets one JVM build while the
 * others wait. Thread-safe.
 */
final class CacheDirectory {

    /** Fills an empty folder. */
    interface Filler {
        void fill(Path directory) throws IOException;
    }

    private final Path root;

    CacheDirectory(Path root) {
        this.root = root;
    }

    static CacheDirectory ofThisUser() {
        String property = System.getProperty("ddlrep.cache");
        if (property != null) {
            return new CacheDirectory(Path.of(property));
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg != null && !xdg.isBlank() ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache");
        return new CacheDirectory(base.resolve("ddlrep"));
    }

    /** The folder of that name; built by {@code filler} when no JVM has built it before. */
    Path folder(String name, Filler filler) {
        Path folder = root.resolve(name);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        // A file lock belongs to the JVM, not to the thread: the monitor keeps this JVM's threads apart.
        synchronized (CacheDirectory.class) {
            try {
                Files.createDirectories(root);
                try (FileChannel channel = FileChannel.open(
                                root.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock lock = channel.lock()) {
                    if (lock.isValid() && !Files.isDirectory(folder)) {
                        build(folder, filler);
                    }
                }
            } catch (IOException e) {
                throw new TestkitException("cannot build " + folder, e);
            }
        }
        return folder;
    }

    private void build(Path folder, Filler filler) throws IOException {
        Path unfinished = root.resolve(".unfinished-" + UUID.randomUUID());
        Files.createDirectories(unfinished);
        try {
            filler.fill(unfinished);
            Files.createDirectories(folder.getParent());
            Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Trees.delete(unfinished);
        }
    }
}
