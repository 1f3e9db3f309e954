package io.ddlrep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/faults.md names a test for each fault. */
class FaultsTest {
    private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

    private static final Path ROOT = Path.of(System.getProperty("ddlrep.root"));

    @Test
    void each_fault_has_a_test_that_exists() throws IOException {
        List<String> faults = Files.readAllLines(ROOT.resolve("docs/faults.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| fault |"))
                .toList();
        assertThat(faults).hasSizeGreaterThan(50);
        List<String> missing = new ArrayList<>();
        for (String fault : faults) {
            Matcher named = NAMED.matcher(fault);
            boolean any = false;
            while (named.find()) {
                any = true;
                if (!declares(named.group(1), named.group(2))) {
                    missing.add(named.group());
                }
            }
            if (!any) {
                missing.add("a test in: " + fault);
            }
        }
        assertThat(missing).isEmpty();
    }

    private static boolean declares(String type, String method) throws IOException {
        for (String module : new String[] {"engine", "driver", "examples"}) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                Optional<Path> file =
                        files.filter(f -> f.endsWith(type + ".java")).findFirst();
                if (file.isPresent()) {
                    return isTest(Files.readString(file.get()), method);
                }
            }
        }
        return false;
    }

    private static boolean isTest(String source, String method) {
        int at = source.indexOf(" void " + method + "(");
        String annotations = at < 0 ? "" : source.substring(source.lastIndexOf("\n\n", at), at);
        return annotations.contains("@Test") || annotations.contains("@ParameterizedTest");
    }
}
