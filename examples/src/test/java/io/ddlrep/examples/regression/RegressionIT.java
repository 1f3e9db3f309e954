package io.ddlrep.examples.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.PgNode;
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
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every DDL statement of PostgreSQL's own regression scripts, on three nodes: after each one the catalogs of all nodes are
 * equal, or ddlrep has refused it. {@code target/regression.txt} has what was not replicated, statement by statement.
 *
 * <p>The scripts stand beside the project, not in it; without them the test is skipped. Files that they load are not there,
 * so many tables stay empty.
 */
@Tag("long")
class RegressionIT {
    @Test
    void nodes_stay_equal() throws SQLException, IOException {
        int major = Integer.getInteger("ddlrep.regression.major", 17);
        Path scripts = Path.of(System.getProperty("ddlrep.root", ".."), "../shared/corpus/pgregress-" + major);
        Skip.unless(Files.isDirectory(scripts), "no " + scripts);
        List<RegressionFiles.Script> files = RegressionFiles.forGroup(scripts);
        List<RegressionRun.Verdict> verdicts = new ArrayList<>();
        TreeSet<String> known = new TreeSet<>();
        Path report = Path.of("target/regression.txt");
        try (EmbeddedGroup group = EmbeddedGroup.start(
                        "regression",
                        Collections.nCopies(3, PgServerOptions.of(major)),
                        node -> node.execute(
                                "SET client_min_messages = error",
                                "ALTER DATABASE regression SET bytea_output = 'hex'"));
                PgGroup alone = PgGroup.dedicated("lone", List.of(PgServerOptions.of(major)))) {
            PgNode lone = alone.node(1);
            for (RegressionFiles.Script script : files) {
                String file = script.name();
                int before = verdicts.size();
                long began = System.nanoTime();
                try (RegressionRun run = new RegressionRun(
                        file,
                        new Side(user -> lone.connect()),
                        new Side(user -> group.connect("&preferQueryMode=simple")),
                        group,
                        known,
                        verdicts)) {
                    run.run(
                            script.text(),
                            Map.of("abs_srcdir", "/nonexistent", "libdir", "/nonexistent", "dlsuffix", ".so"));
                } catch (RuntimeException | SQLException e) {
                    verdicts.add(
                            new RegressionRun.Verdict(file, 0, RegressionRun.Kind.FAILED, "(file)", String.valueOf(e)));
                }
                Files.writeString(report, report(verdicts), StandardCharsets.UTF_8);
                System.out.printf(
                        "%s: %s in %.1f s%n",
                        file, counts(verdicts.subList(before, verdicts.size())), (System.nanoTime() - began) / 1e9);
            }
        }
        assertThat(verdicts.stream().filter(v -> v.kind() == RegressionRun.Kind.WRONG))
                .as("accepted, and the nodes differ")
                .isEmpty();
        Map<RegressionRun.Kind, Integer> all = counts(verdicts);
        int refused = all.getOrDefault(RegressionRun.Kind.REFUSED, 0) + all.getOrDefault(RegressionRun.Kind.FAILED, 0);
        assertThat(refused)
                .as("not replicated, see target/regression.txt: %s", all)
                .isLessThan(all.getOrDefault(RegressionRun.Kind.EQUAL, 0) / 50);
    }

    private static Map<RegressionRun.Kind, Integer> counts(List<RegressionRun.Verdict> verdicts) {
        Map<RegressionRun.Kind, Integer> counts = new TreeMap<>();
        verdicts.forEach(v -> counts.merge(v.kind(), 1, Integer::sum));
        return counts;
    }

    private static String report(List<RegressionRun.Verdict> verdicts) {
        StringBuilder text = new StringBuilder(counts(verdicts) + "\n");
        for (RegressionRun.Verdict v : verdicts) {
            if (v.kind() != RegressionRun.Kind.EQUAL) {
                String sql = v.statement().replaceAll("\\s+", " ");
                text.append(v.kind())
                        .append('\t')
                        .append(v.file())
                        .append(':')
                        .append(v.line())
                        .append('\t');
                text.append(sql, 0, Math.min(200, sql.length()))
                        .append("\t")
                        .append(v.detail())
                        .append('\n');
            }
        }
        return text.toString();
    }
}
