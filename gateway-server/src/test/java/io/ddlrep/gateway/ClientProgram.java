package io.ddlrep.gateway;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of PostgreSQL on this machine, as a test starts them. Stateless. */
public final class ClientProgram {
    private ClientProgram() {}

    /**
     * One that connects to a node as the superuser; its errors come with its output.
     *
     * @param directory where it runs
     * @param program its name
     */
    public static ProcessBuilder of(Path directory, PgNode node, String program, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(Programs.find(program).orElseThrow().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().putAll(node.environment());
        builder.environment().put("PGCONNECT_TIMEOUT", "20");
        return builder;
    }
}
