package io.ddlrep.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** The test needs client programs of the machine, such as {@code psql}; without them it is skipped visibly. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(RequiresProgramCondition.class)
public @interface RequiresProgram {

    /** Names of programs that must all be found by {@link Programs#find}. */
    String[] value();
}
