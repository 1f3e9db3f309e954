package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceLoaderTest {
    @TempDir
    Path directory;

    @Test
    void a_jar_of_the_driver_registers_it() throws Exception {
        URL jar = jar().toUri().toURL();
        // A loader of its own: nothing is found but what stands in the jar and pgjdbc's driver.
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, new WithoutDriver())) {
            List<Driver> ours = ServiceLoader.load(Driver.class, loader).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(driver -> driver.getClass().getClassLoader() == loader)
                    .toList();
            assertThat(ours).hasSize(1);
            assertThat(ours.get(0).acceptsURL("jdbc:ddlrep://host/db")).isTrue();
            DriverPropertyInfo[] infos = ours.get(0).getPropertyInfo("jdbc:ddlrep://host/db?lockWait=7s", null);
            assertThat(Arrays.stream(infos).filter(info -> info.name.equals("lockWait")))
                    .singleElement()
                    .extracting(info -> info.value)
                    .isEqualTo("7s");
            assertThat(Arrays.stream(infos).map(info -> info.name)).contains("requireGroup", "ssl", "prepareThreshold");
        }
    }

    private Path jar() throws Exception {
        Path classes = Path.of(DdlrepDriver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = directory.resolve("driver.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
        return jar;
    }

    private static final class WithoutDriver extends ClassLoader {
        WithoutDriver() {
            super(DdlrepDriver.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.ddlrep.driver.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
