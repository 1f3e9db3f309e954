package io.ddlrep.examples.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.PgGroup;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Six years of an application's migrations, as its tool runs them, on three nodes: each file in one transaction, all of them
 * up, the later ones down again and up again. After each file all nodes have what a database without ddlrep has.
 * {@code target/migrations.txt} says what was refused, and what differs.
 *
 * <p>The migrations stand beside the project, not in it; without them the test is skipped.
 */
@Tag("long")
class MigrationsIT {
    /** Those of a tool that keeps its functions out of its migrations: they are dropped before, and made behind all. */
    private static final List<String> FUNCTIONS =
            List.of("crates_diesel_utils_replaceable_schema_utils", "crates_diesel_utils_replaceable_schema_triggers");

    private static final String OWN_CODE = "a volatile function of its own gives existing rows their values";
    private static final String CATALOG = "UPDATE pg_index on the origin, which no other node has";

    /** What is refused, with the reason. It is then done on each node alone, so that what follows has its objects. */
    private static final Map<String, String> EXPLAINED = Map.of(
            "migrations_2021-02-02-153240_apub_columns_up.sql", OWN_CODE,
            "migrations_2022-01-28-104106_instance-actor_up.sql", OWN_CODE,
            "migrations_2025-08-01-000030_optimize_get_random_community_up.sql", OWN_CODE,
            "migrations_2025-08-01-000019_add_report_count_up.sql", CATALOG,
            "migrations_2025-08-01-000039_remove_post_sort_type_enums_up.sql", CATALOG,
            "migrations_2025-08-01-000041_remove-aggregate-tables_up.sql", CATALOG,
            "migrations_2026-03-19-234307-0000_same_table_joins_up.sql", CATALOG,
            "functions", "a function that the script calls makes functions and triggers");

    @Test
    void every_migration_leaves_equal_nodes() throws SQLException, IOException {
        Path folder = Path.of(System.getProperty("ddlrep.root", ".."), "../shared/corpus/mig-lemmy");
        Skip.unless(Files.isDirectory(folder), "no " + folder);
        List<Migration> steps = steps(folder);
        List<String> told = new ArrayList<>();
        try (EmbeddedGroup group =
                        EmbeddedGroup.start("lemmy", Collections.nCopies(3, PgServerOptions.defaults()), node -> {});
                PgGroup alone = PgGroup.dedicated("lemmy", List.of(PgServerOptions.defaults()));
                MigrationRun run = new MigrationRun(group, alone.node(1))) {
            Path report = Path.of("target/migrations.txt");
            for (Migration step : steps) {
                long began = System.nanoTime();
                List<String> news = run.run(step);
                told.addAll(news);
                Files.write(report, told, StandardCharsets.UTF_8);
                System.out.printf(
                        "%s: %s in %.1f s%n",
                        step.name(), news.isEmpty() ? "equal" : news, (System.nanoTime() - began) / 1e9);
            }
            told.addAll(run.compareRows());
            Files.write(report, told, StandardCharsets.UTF_8);
        }
        assertThat(steps).hasSizeGreaterThan(300);
        assertThat(told.stream().filter(line -> !isExplained(line))).isEmpty();
        assertThat(told.stream()
                        .filter(MigrationsIT::isExplained)
                        .map(MigrationsIT::name)
                        .distinct())
                .as("refused")
                .containsExactlyInAnyOrderElementsOf(EXPLAINED.keySet());
    }

    private static String name(String line) {
        return line.replaceFirst(":.*", "");
    }

    private static boolean isExplained(String line) {
        return line.contains(": here ") && EXPLAINED.containsKey(name(line));
    }

    private static List<Migration> steps(Path folder) throws IOException {
        List<Migration> up = read(folder, "_up.sql");
        List<Migration> down = read(folder, "_down.sql");
        int back = Integer.getInteger("ddlrep.migrations.back", 60);
        List<Migration> steps = new ArrayList<>(up);
        List<Migration> again = up.subList(Math.max(0, up.size() - back), up.size());
        List<Migration> undone = new ArrayList<>(down.subList(Math.max(0, down.size() - back), down.size()));
        Collections.reverse(undone);
        Migration functions = functions(folder);
        Migration none = new Migration("no functions", "DROP SCHEMA IF EXISTS r CASCADE");
        steps.add(functions);
        steps.add(none);
        steps.addAll(undone);
        steps.addAll(again);
        steps.add(functions);
        return steps;
    }

    private static Migration functions(Path folder) throws IOException {
        StringBuilder text = new StringBuilder("DROP SCHEMA IF EXISTS r CASCADE; CREATE SCHEMA r;\n");
        for (String file : FUNCTIONS) {
            text.append(Files.readString(folder.resolve(file + ".sql"))).append("\n");
        }
        return new Migration("functions", text.toString());
    }

    private static List<Migration> read(Path folder, String ending) throws IOException {
        List<Migration> migrations = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.getFileName().toString().endsWith(ending))
                    .sorted()
                    .toList()) {
                migrations.add(new Migration(file.getFileName().toString(), Files.readString(file)));
            }
        }
        return migrations;
    }

    /** A file, run in one transaction. */
    record Migration(String name, String text) {}
}
