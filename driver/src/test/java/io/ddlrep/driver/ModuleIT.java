package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.engine.DdlEngine;
import io.ddlrep.parser.SqlParser;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.simple.SimpleServiceProvider;

/** The driver on a module path, where only what {@code module-info} says is seen. */
class ModuleIT {
    private static final Set<String> OURS = Set.of("io.ddlrep.driver", "io.ddlrep.engine", "io.ddlrep.parser");

    private final ModuleFinder path = ModuleFinder.of(Stream.of(
                    DdlrepDriver.class,
                    DdlEngine.class,
                    SqlParser.class,
                    CCJSqlParserUtil.class,
                    org.postgresql.Driver.class,
                    LoggerFactory.class,
                    SimpleServiceProvider.class,
                    NullMarked.class)
            .map(ModuleIT::place)
            .toArray(Path[]::new));

    private static Path place(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private ModuleLayer layer() {
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration = boot.configuration()
                .resolveAndBind(path, ModuleFinder.of(), Set.of("io.ddlrep.driver", "org.slf4j.simple"));
        return boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
    }

    /** DDL reads the engine's SQL files, JSqlParser reads the default, pgjdbc carries it all. */
    @Test
    void a_service_loader_finds_the_driver_in_its_module_and_ddl_runs_on_all_nodes() throws Exception {
        Driver driver = ServiceLoader.load(layer(), Driver.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found ->
                        "io.ddlrep.driver".equals(found.getClass().getModule().getName()))
                .collect(Collectors.collectingAndThen(Collectors.toList(), found -> {
                    assertThat(found).hasSize(1);
                    return found.get(0);
                }));
        assertThat(driver.getClass()).isNotEqualTo(DdlrepDriver.class);
        try (ReplicatedGroup group = ReplicatedGroup.create("module")) {
            group.replicate("CREATE TABLE m (id int PRIMARY KEY)", "m");
            try (Connection connection = Databases.connect(driver, group.origin(), Map.of());
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER TABLE m ADD b text DEFAULT 'x' || upper('y')");
            }
            String columns = "b text, id integer";
            assertThat(group.columns("m")).isEqualTo(List.of(columns, columns, columns));
        }
    }

    @Test
    void only_the_api_is_exported_to_everybody() {
        assertThat(exported("io.ddlrep.parser")).containsExactlyInAnyOrder("io.ddlrep.parser");
        assertThat(exported("io.ddlrep.driver")).containsExactlyInAnyOrder("io.ddlrep.driver");
        assertThat(exported("io.ddlrep.engine"))
                .containsExactlyInAnyOrder(
                        "io.ddlrep.engine",
                        "io.ddlrep.engine.control",
                        "io.ddlrep.engine.node",
                        "io.ddlrep.engine.substrate");
    }

    private Set<String> exported(String module) {
        return descriptor(module).exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }

    @Test
    void what_is_opened_inside_goes_to_our_own_modules_only() {
        for (String module : OURS) {
            assertThat(descriptor(module).opens()).as(module).isEmpty();
            assertThat(descriptor(module).exports().stream()
                            .filter(ModuleDescriptor.Exports::isQualified)
                            .flatMap(exports -> exports.targets().stream()))
                    .as(module)
                    .isSubsetOf(OURS);
        }
    }

    private ModuleDescriptor descriptor(String module) {
        return path.find(module).orElseThrow().descriptor();
    }
}
