package io.ddlrep.driver;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.ddlrep", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule THE_DRIVER_KNOWS_NO_GATEWAY = noClasses()
            .that()
            .resideInAPackage("io.ddlrep.driver..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.ddlrep.gateway..", "io.ddlrep.testkit..", "io.netty..");

    @ArchTest
    static final ArchRule JDBC_STAYS_IN_THE_DRIVER_AND_ITS_PORT = noClasses()
            .that()
            .resideOutsideOfPackages("io.ddlrep.driver..", "io.ddlrep.engine.jdbc..", "io.ddlrep.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..");

    @ArchTest
    static final ArchRule NOBODY_BELOW_KNOWS_THE_DRIVER = noClasses()
            .that()
            .resideOutsideOfPackage("io.ddlrep.driver..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.ddlrep.driver..");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.ddlrep.(driver..)").should().beFreeOfCycles();
}
