package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is loaded of the parser, and when: a process that never sees DDL pays for the look alone. */
class StartUpTest {
    private static final String PARSER = "io.ddlrep.parser.";
    private static final String JSQLPARSER = "net.sf.jsqlparser.";

    /** A process of its own as far as classes go: the parser and its library anew, and a list of what was wanted. */
    private static final class Fresh extends URLClassLoader {
        private final List<String> loaded = new ArrayList<>();

        Fresh() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                try {
                    urls.add(Path.of(entry).toUri().toURL());
                } catch (MalformedURLException e) {
                    throw new IllegalStateException(entry, e);
                }
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            loaded.add(name);
            return super.findClass(name);
        }

        void look(String sql) throws ReflectiveOperationException {
            loadClass(PARSER + "FastPath").getMethod("look", CharSequence.class).invoke(null, sql);
        }

        void parse(String sql) throws ReflectiveOperationException {
            Class<?> options = loadClass(PARSER + "ParserOptions");
            Method parse = loadClass(PARSER + "SqlParser").getMethod("parse", String.class, options);
            parse.invoke(null, sql, options.getField("DEFAULT").get(null));
        }

        List<String> loaded(String prefix) {
            return loaded.stream().filter(name -> name.startsWith(prefix)).toList();
        }
    }

    @Test
    void until_the_first_ddl_nothing_is_loaded_but_the_look() throws IOException, ReflectiveOperationException {
        try (Fresh fresh = new Fresh()) {
            fresh.look("SELECT a FROM t WHERE b = $1");
            fresh.look("WITH x AS (INSERT INTO t VALUES (1) RETURNING a) SELECT * FROM x");
            fresh.look("/* c */ UPDATE t SET a = 'x'");
            fresh.look("COMMIT");

            assertThat(fresh.loaded)
                    .containsExactlyInAnyOrder(
                            PARSER + "FastPath", PARSER + "FastPath$Verdict", PARSER + "internal.CharClasses");
        }
    }

    @Test
    void jsqlparser_is_loaded_by_the_first_expression_that_needs_it() throws IOException, ReflectiveOperationException {
        try (Fresh fresh = new Fresh()) {
            fresh.parse(
                    "BEGIN; ALTER TABLE t ADD COLUMN a int NOT NULL DEFAULT 1 CHECK (a > 0 OR a IS NULL); DROP INDEX i; COMMIT");
            assertThat(fresh.loaded(PARSER)).contains(PARSER + "SqlParser");
            assertThat(fresh.loaded(JSQLPARSER)).isEmpty();

            fresh.parse("ALTER TABLE t ADD COLUMN a text DEFAULT 'x' || now() AT TIME ZONE 'UTC'");
            assertThat(fresh.loaded(JSQLPARSER)).isNotEmpty();
        }
    }
}
