package io.ddlrep.examples.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.examples.demo.EmbeddedGroup;
import io.ddlrep.testkit.server.PgServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the forms of the matrix. Without more, one of forty, others each day; {@code -Dddlrep.matrix.only=REGEX} runs those
 * whose file and text match, as in {@code ^06.*ATTACH}, {@code -Dgolden.update=true} keeps what was seen. One that never ran is
 * always among them. Reports to {@code target/matrix.txt}.
 */
class DdlMatrixIT {
    private static final int ONE_OF = 40;
    private static final Path REPORT = Path.of("target/matrix.txt");

    private final List<String> told = new ArrayList<>();
    private int at;

    @Test
    void some_forms_do_what_the_page_says() throws SQLException, IOException {
        long today = LocalDate.now(ZoneOffset.UTC).toEpochDay();
        String only = System.getProperty("ddlrep.matrix.only", "");
        Pattern pattern = Pattern.compile(only);
        run((file, form) -> form.seen().isEmpty()
                || (only.isEmpty()
                        ? (at++ + today) % ONE_OF == 0
                        : pattern.matcher(file.name() + ": " + form.sql()).find()));
    }

    @Tag("long")
    @Test
    void all_forms_do_what_the_page_says() throws SQLException, IOException {
        if (System.getProperty("ddlrep.matrix.only", "").isEmpty()) {
            run((file, form) -> true);
        }
    }

    private void run(BiPredicate<MatrixFile, Form> chosen) throws SQLException, IOException {
        List<MatrixFile> files = MatrixFile.all();
        PgServerOptions options = PgServerOptions.defaults();
        try (EmbeddedGroup group = EmbeddedGroup.start("matrix", Collections.nCopies(3, options), node -> {});
                MatrixRun run = new MatrixRun(group)) {
            int major = run.major();
            for (MatrixFile file : files) {
                List<Form> forms = new ArrayList<>();
                for (Form form : file.forms()) {
                    boolean runs = chosen.test(file, form) && form.runsOn(major);
                    forms.add(runs ? one(run, file, form, major) : form);
                }
                if (Boolean.getBoolean("golden.update") && !forms.equals(file.forms())) {
                    file.with(forms).write();
                }
            }
            told.addAll(run.leftOver());
        }
        Files.write(REPORT, told, StandardCharsets.UTF_8);
        assertThat(told).isEmpty();
    }

    private Form one(MatrixRun run, MatrixFile file, Form form, int major) throws IOException {
        Seen seen;
        try {
            MatrixRun.Result result = run.run(file, form);
            seen = result.seen();
            result.wrong().forEach(w -> told.add(form.sql() + ": " + w));
        } catch (SQLException e) {
            told.add(form.sql() + ": " + e.getSQLState() + " "
                    + String.valueOf(e.getMessage()).replace('\n', ' '));
            Files.write(REPORT, told, StandardCharsets.UTF_8);
            return form;
        }
        if (Boolean.getBoolean("golden.update") && form.isReference(major)) {
            return form.seen(seen.text());
        }
        String expected = form.isReference(major) || form.seen().isEmpty()
                ? form.seen()
                : Seen.of(form.seen()).kind();
        String now = form.isReference(major) ? seen.text() : seen.kind();
        if (!now.equals(expected)) {
            told.add(form.sql() + ": seen " + seen.text() + ", the page says " + form.seen());
        }
        Files.write(REPORT, told, StandardCharsets.UTF_8);
        return form;
    }
}
