package io.ddlrep.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.ddlrep.engine", "io.ddlrep.parser");

    @Test
    void jdbc_stays_in_its_package() {
        noClasses()
                .that()
                .resideInAPackage("io.ddlrep..")
                .and()
                .resideOutsideOfPackage("io.ddlrep.engine.jdbc..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..")
                .check(ENGINE);
    }

    @Test
    void the_engine_knows_no_face() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.ddlrep.driver..", "io.ddlrep.gateway..")
                .check(ENGINE);
    }

    @Test
    void the_parser_knows_nobody() {
        noClasses()
                .that()
                .resideInAPackage("io.ddlrep.parser..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.ddlrep.engine..")
                .check(ENGINE);
    }

    @Test
    void an_operation_knows_nothing_of_triggers_and_shadow_tables() {
        noClasses()
                .that()
                .resideInAPackage("io.ddlrep.engine.operation..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.ddlrep.engine.capture..", "io.ddlrep.engine.replication..")
                .check(ENGINE);
    }

    @Test
    void packages_below_the_engine_have_no_cycles() {
        slices().matching("io.ddlrep.engine.(*)..").should().beFreeOfCycles().check(ENGINE);
    }
}
