package io.ddlrep.examples.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
import io.ddlrep.testkit.junit.RequiresProgram;
import io.ddlrep.testkit.junit.Skip;
import io.ddlrep.testkit.server.PgServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * PostgreSQL's regression scripts, each run by psql on a server without ddlrep and through a gateway in front of three
 * nodes, which replicate the whole database. What psql prints is compared file by file, and after each file the catalogs of
 * the nodes. {@code target/gateway-regression} has both outputs, their differences, and a summary.
 *
 * <p>The scripts stand beside the project, not in it; without them the test is skipped.
 */
@Tag("long")
@RequiresProgram({"psql", "diff"})
class GatewayRegressionIT {
    /** What differs and is no refusal of ddlrep's, with the reason. */
    private static final Map<String, String> EXPLAINED = Map.of(
            "advisory_lock", "lists the lock by which one replicator of several is the leader",
            "copy2", "CREATE TABLE (LIKE a temporary table), which no replica has",
            "create_view", "deletes rows of pg_depend on the origin alone; the other nodes still see the dependency",
            "indexing",
                    "needs the index that is left INVALID where CREATE INDEX CONCURRENTLY fails: ddlrep leaves none");

    @Test
    void psql_prints_the_same_but_for_refusals_and_nodes_stay_equal()
            throws SQLException, IOException, InterruptedException {
        int major = Integer.getInteger("ddlrep.regression.major", 17);
        Path scripts = Path.of(System.getProperty("ddlrep.root", ".."), "../shared/corpus/pgregress-" + major);
        Skip.unless(Files.isDirectory(scripts), "no " + scripts);
        Path output = Path.of("target/gateway-regression");
        List<PsqlComparison.Result> results = new ArrayList<>();
        try (EmbeddedGroup group = EmbeddedGroup.start(
                        "regression",
                        Collections.nCopies(3, PgServerOptions.of(major)),
                        node -> node.execute(PsqlComparison.settings("regression")));
                PgGroup alone = PgGroup.dedicated("regression", List.of(PgServerOptions.of(major)))) {
            PgNode lone = alone.node(1);
            lone.execute(PsqlComparison.settings("regression"));
            try (PsqlComparison comparison = new PsqlComparison(lone, group.startGateway(0), group, output)) {
                for (RegressionFiles.Script script : RegressionFiles.forGroup(scripts)) {
                    PsqlComparison.Result result = comparison.run(script);
                    results.add(result);
                    Files.write(
                            output.resolve("summary.txt"),
                            results.stream().map(PsqlComparison.Result::text).toList(),
                            StandardCharsets.UTF_8);
                    System.out.println(result.text());
                }
            }
        }
        assertThat(results.stream().filter(r -> !r.nodes().isEmpty()))
                .as("the nodes differ")
                .isEmpty();
        assertThat(results.stream()
                        .filter(r -> r.kind() == PsqlComparison.Kind.OTHER && !EXPLAINED.containsKey(r.file())))
                .as("other output than without ddlrep, and not by a refusal")
                .isEmpty();
    }
}
