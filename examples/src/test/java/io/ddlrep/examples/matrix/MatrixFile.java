package io.ddlrep.examples.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A group of forms, as a file keeps them: a line for each fact, a word and its text; an empty line ends a form. Immutable.
 *
 * @param title the heading
 * @param tests the tests that look at the group more closely
 * @param setup what is made before each of its forms
 */
record MatrixFile(Path path, String title, String tests, List<String> setup, List<Form> forms) {
    private static final Path FOLDER = Path.of("src/test/resources/io/ddlrep/examples/matrix");

    /** Makes a file's value. */
    MatrixFile {
        setup = List.copyOf(setup);
        forms = List.copyOf(forms);
    }

    static List<MatrixFile> all() throws IOException {
        try (Stream<Path> paths = Files.list(FOLDER)) {
            List<MatrixFile> files = new ArrayList<>();
            for (Path path : paths.sorted(Comparator.comparing(Path::toString)).toList()) {
                files.add(read(path));
            }
            return files;
        }
    }

    private static MatrixFile read(Path path) throws IOException {
        String title = "";
        String tests = "";
        List<String> setup = new ArrayList<>();
        List<Form> forms = new ArrayList<>();
        Draft draft = null;
        int number = 0;
        for (String line : Files.readAllLines(path)) {
            number++;
            int space = line.indexOf(' ');
            if (space < 0) {
                if (!line.isEmpty()) {
                    throw new IllegalStateException(path + ":" + number + ": " + line);
                }
                continue;
            }
            String word = line.substring(0, space);
            String text = line.substring(space + 1);
            switch (word) {
                case "title" -> title = text;
                case "tests" -> tests = text;
                case "form" -> {
                    add(draft, forms);
                    draft = new Draft(text);
                }
                default -> {
                    if (draft != null) {
                        draft.add(word, text, path + ":" + number);
                    } else if (word.equals("setup")) {
                        setup.add(text);
                    } else {
                        throw new IllegalStateException(path + ":" + number + ": " + line);
                    }
                }
            }
        }
        add(draft, forms);
        return new MatrixFile(path, title, tests, setup, forms);
    }

    private static void add(@Nullable Draft draft, List<Form> forms) {
        if (draft != null) {
            forms.add(draft.form());
        }
    }

    /** The file's name without its ending. */
    String name() {
        return String.valueOf(path.getFileName()).replace(".txt", "");
    }

    MatrixFile with(List<Form> changed) {
        return new MatrixFile(path, title, tests, setup, changed);
    }

    void write() throws IOException {
        StringBuilder text = new StringBuilder();
        line(text, "title", title);
        if (!tests.isEmpty()) {
            line(text, "tests", tests);
        }
        setup.forEach(s -> line(text, "setup", s));
        for (Form form : forms) {
            text.append('\n');
            line(text, "form", form.sql());
            if (form.since() != 0) {
                line(text, "since", Integer.toString(form.since()));
            }
            if (form.until() != 0) {
                line(text, "until", Integer.toString(form.until()));
            }
            form.setup().forEach(s -> line(text, "setup", s));
            form.after().forEach(s -> line(text, "after", s));
            form.drop().forEach(s -> line(text, "drop", s));
            if (!form.seen().isEmpty()) {
                line(text, "seen", form.seen());
            }
        }
        Files.writeString(path, text.toString());
    }

    private static void line(StringBuilder text, String word, String value) {
        text.append(word).append(' ').append(value).append('\n');
    }

    /** A form that is being read. */
    private static final class Draft {
        private final String sql;
        private final List<String> setup = new ArrayList<>();
        private final List<String> after = new ArrayList<>();
        private final List<String> drop = new ArrayList<>();
        private int since;
        private int until;
        private String seen = "";

        Draft(String sql) {
            this.sql = sql;
        }

        void add(String word, String text, String place) {
            switch (word) {
                case "since" -> since = Integer.parseInt(text);
                case "until" -> until = Integer.parseInt(text);
                case "setup" -> setup.add(text);
                case "after" -> after.add(text);
                case "drop" -> drop.add(text);
                case "seen" -> seen = text;
                default -> throw new IllegalStateException(place + ": " + word);
            }
        }

        Form form() {
            return new Form(sql, since, until, setup, after, drop, seen);
        }
    }
}
