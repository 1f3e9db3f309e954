package io.ddlrep.testkit.container;

import io.ddlrep.testkit.ExternalServers;
import io.ddlrep.testkit.junit.Skip;
import io.ddlrep.testkit.server.ContainerRecipe;
import io.ddlrep.testkit.server.PgServerOptions;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Servers in containers, shared by all tests of this JVM and removed with it by Testcontainers' own reaper. Where no Docker
 * answers, the test that asks is skipped, visibly. Thread-safe.
 */
public final class ContainerServers implements ExternalServers {
    private final List<PostgreSQLContainer> started = new ArrayList<>();

    @Override
    public synchronized List<String> conninfos(int count, int major) {
        Skip.unless(DockerClientFactory.instance().isDockerAvailable(), "no Docker answers");
        while (started.size() < count) {
            started.add(start(ContainerRecipe.of(PgServerOptions.of(major))));
        }
        return started.stream()
                .limit(count)
                .map(server -> ContainerRecipe.conninfo(
                        server.getHost(), server.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT)))
                .toList();
    }

    @SuppressWarnings("resource") // lives as long as this JVM
    private static PostgreSQLContainer start(ContainerRecipe recipe) {
        PostgreSQLContainer server = new PostgreSQLContainer(DockerImageName.parse(recipe.image()))
                .withUsername(ContainerRecipe.SUPERUSER)
                .withPassword(ContainerRecipe.SUPERUSER)
                .withDatabaseName("postgres")
                .withCommand(recipe.command().toArray(String[]::new));
        server.start();
        return server;
    }
}
