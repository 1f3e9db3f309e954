package io.ddlrep.parser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Real SQL that stands beside the project, not in it: {@code shared/corpus} next to a parent directory. Tests that need it
 * are skipped where it is absent.
 */
public final class Corpus {
    private Corpus() {}

    /** Whether it stands there. */
    public static boolean found() {
        return find() != null;
    }

    /** All its scripts, without psql's meta-commands and COPY data. */
    public static List<String> scripts() {
        assumeTrue(found(), "no ../shared/corpus beside the project");
        return wholeScripts().stream().map(Corpus::withoutMeta).toList();
    }

    /** All its scripts as they are; none where it is absent. */
    static List<String> wholeScripts() {
        Path corpus = find();
        List<String> scripts = new ArrayList<>();
        if (corpus == null) {
            return scripts;
        }
        try (Stream<Path> files = Files.walk(corpus)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".sql"))
                    .sorted()
                    .toList()) {
                scripts.add(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return scripts;
    }

    private static @Nullable Path find() {
        Path directory = Path.of(System.getProperty("ddlrep.root", "")).toAbsolutePath();
        while (directory != null) {
            Path corpus = directory.resolve("shared").resolve("corpus");
            if (Files.isDirectory(corpus)) {
                return corpus;
            }
            directory = directory.getParent();
        }
        return null;
    }

    private static String withoutMeta(String script) {
        StringBuilder sql = new StringBuilder(script.length());
        boolean data = false;
        for (String line : script.split("\n", -1)) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (data) {
                data = !line.equals("\\.");
            } else if (!line.startsWith("\\")) {
                int meta = line.indexOf('\\');
                boolean send =
                        meta > 0 && line.substring(meta).matches("\\\\(g|gset|gexec|gdesc|crosstabview|bind|parse).*");
                sql.append(send ? line.substring(0, meta) + ";" : line).append('\n');
                data = lower.startsWith("copy ") && lower.contains("from stdin") && lower.contains(";");
            }
        }
        return sql.toString();
    }
}
