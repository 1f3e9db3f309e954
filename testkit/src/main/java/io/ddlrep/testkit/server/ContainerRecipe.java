package io.ddlrep.testkit.server;

import java.util.ArrayList;
import java.util.List;

/**
 * How a server with the options of an embedded one is started from the official image. Immutable.
 *
 * @param image the image with its tag
 * @param command what the container runs
 */
public record ContainerRecipe(String image, List<String> command) {

    /** Superuser and password, as an embedded server has them. */
    public static final String SUPERUSER = "postgres";

    /** The recipe for these options. */
    public static ContainerRecipe of(PgServerOptions options) {
        List<String> command = new ArrayList<>(List.of("postgres"));
        set(command, "fsync", options.fsync() ? "on" : "off");
        set(command, "synchronous_commit", options.synchronousCommit());
        set(command, "max_prepared_transactions", String.valueOf(options.maxPreparedTransactions()));
        set(command, "max_connections", String.valueOf(options.maxConnections()));
        options.settings().forEach((name, value) -> set(command, name, value));
        return new ContainerRecipe("postgres:" + options.major(), List.copyOf(command));
    }

    private static void set(List<String> command, String name, String value) {
        command.add("-c");
        command.add(name + "=" + value);
    }

    /** How the superuser reaches the server that a container's port is mapped from. */
    public static String conninfo(String host, int port) {
        return "host=" + host + " port=" + port + " user=" + SUPERUSER + " password=" + SUPERUSER + " dbname=postgres";
    }
}
