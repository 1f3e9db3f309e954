package io.ddlrep.examples.clients;

import io.ddlrep.testkit.PgNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A copy of a client's folder, where its commands run. Used by one thread. */
final class ClientFolder {
    private static final long LIMIT_MINUTES = 5;

    private final Path folder;

    private ClientFolder(Path folder) {
        this.folder = folder;
    }

    /** What a command came to: its exit status, and all that it printed. */
    record Outcome(int status, String output) {}

    /** Copies a client, so that what is installed and written stays out of the sources. */
    static ClientFolder copy(String client, Path directory) throws IOException {
        Path source = Path.of(System.getProperty("ddlrep.root", ".."), "examples", "clients", client);
        Path folder = directory.resolve(client);
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(each -> !each.toString().contains("node_modules"))
                    .toList()) {
                Files.copy(file, folder.resolve(source.relativize(file).toString()));
            }
        }
        return new ClientFolder(folder);
    }

    List<Step> steps() throws IOException {
        return Step.read(folder.resolve("steps"));
    }

    boolean has(String file) {
        return Files.exists(folder.resolve(file));
    }

    /** Runs a command that connects as {@code node} says, by libpq's variables or {@code DATABASE_URL}. */
    Outcome run(String command, PgNode node) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("PG"));
        environment.putAll(node.environment());
        environment.put(
                "DATABASE_URL",
                "postgresql://" + node.superuser() + ":" + node.password() + "@" + node.host() + ":" + node.port() + "/"
                        + node.database());
        Process process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        String text = Files.readString(output);
        return ended
                ? new Outcome(process.exitValue(), text)
                : new Outcome(-1, text + "\n(ended after " + LIMIT_MINUTES + " minutes)");
    }
}
