package io.ddlrep.examples.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.Skip;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients of other languages and their migrations, on three nodes through a gateway. Each step is also done on a database
 * without ddlrep: what it leaves there is what it must leave here.
 */
@Tag("long")
class ClientsIT {
    private static final String ALL =
            "psycopg2,psycopg3,alembic,django,activerecord,dbd-pg,node-postgres,knex,typeorm,sequelize,drizzle";

    @TempDir
    private Path directory;

    /** All, or those that {@code -Dddlrep.clients} names. */
    static Stream<String> clients() {
        return Stream.of(System.getProperty("ddlrep.clients", ALL).split(",", -1));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void every_step_of_a_client_leaves_equal_nodes(String client)
            throws IOException, InterruptedException, SQLException {
        ClientFolder folder = ClientFolder.copy(client, directory);
        try (Nodes nodes = Nodes.start()) {
            List<Step> steps = new ArrayList<>(folder.steps());
            for (Step need : steps.stream().filter(ClientsIT::isNeed).toList()) {
                ClientFolder.Outcome outcome = folder.run(need.command(), nodes.aloneAsRole());
                Skip.unless(outcome.status() == 0, client + " is not on this machine: " + need.command());
            }
            steps.removeIf(ClientsIT::isNeed);
            assertThat(steps).as("steps of %s", client).hasSizeGreaterThan(3);
            if (folder.has("package.json")) {
                ClientFolder.Outcome installed = folder.run("npm ci", nodes.aloneAsRole());
                assertThat(installed.status()).as(installed.output()).isZero();
            }
            for (Step step : steps) {
                run(client, step, folder, nodes);
            }
        }
    }

    private static boolean isNeed(Step step) {
        return step.kind() == Step.Kind.NEED;
    }

    private static void run(String client, Step step, ClientFolder folder, Nodes nodes)
            throws IOException, InterruptedException, SQLException {
        String name = client + ", step \"" + step.command() + "\"";
        NodeState before = NodeState.of(nodes.all().get(0));
        assertOutcome(name + ", without ddlrep", step, folder.run(step.command(), nodes.aloneAsRole()));
        assertOutcome(name + ", through the gateway", step, folder.run(step.command(), nodes.through()));
        nodes.synchronize();
        NodeState origin = NodeState.of(nodes.all().get(0));
        if (step.kind() == Step.Kind.FAILURE) {
            assertThat(before.difference(origin))
                    .as("%s: what it left on n1", name)
                    .isEmpty();
        } else {
            assertThat(before.difference(origin))
                    .as("%s: what it did on n1", name)
                    .isNotEmpty();
        }
        assertThat(origin.shapeDifference(NodeState.of(nodes.alone())))
                .as("%s: n1 and a database without ddlrep", name)
                .isEmpty();
        for (PgNode node : nodes.all()) {
            assertThat(origin.difference(NodeState.of(node)))
                    .as("%s: n1 and %s", name, node.name())
                    .isEmpty();
            assertThat(node.queryRows("SELECT gid FROM pg_prepared_xacts"))
                    .as("%s: prepared transactions on %s", name, node.name())
                    .isEmpty();
        }
    }

    private static void assertOutcome(String name, Step step, ClientFolder.Outcome outcome) {
        if (step.kind() == Step.Kind.FAILURE) {
            assertThat(outcome.status()).as("%s: %s", name, outcome.output()).isNotZero();
            assertThat(outcome.output()).as(name).contains(step.text());
        } else {
            assertThat(outcome.status()).as("%s: %s", name, outcome.output()).isZero();
        }
    }
}
