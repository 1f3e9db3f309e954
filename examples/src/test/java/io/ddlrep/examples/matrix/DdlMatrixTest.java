package io.ddlrep.examples.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DdlMatrixTest {
    private static final Path PAGE = Path.of("../docs/ddl-matrix.md");

    @Test
    void the_page_is_what_was_seen() throws IOException {
        List<MatrixFile> files = MatrixFile.all();
        assertThat(files.stream().flatMap(f -> f.forms().stream()))
                .hasSizeGreaterThan(100)
                .allSatisfy(form -> assertThat(form.seen())
                        .as("run with -Dgolden.update=true: %s", form.sql())
                        .isNotEmpty());
        String page = MatrixPage.of(files);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).hasContent(page);
    }

    @Test
    void a_file_is_written_as_it_is_read() throws IOException {
        for (MatrixFile file : MatrixFile.all()) {
            String before = Files.readString(file.path());
            file.write();
            String after = Files.readString(file.path());
            Files.writeString(file.path(), before);
            assertThat(after).as(file.path().toString()).isEqualTo(before);
        }
    }
}
