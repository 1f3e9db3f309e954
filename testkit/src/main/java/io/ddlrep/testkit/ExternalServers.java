package io.ddlrep.testkit;

import java.util.List;
import java.util.ServiceLoader;

/**
 * Servers that this JVM does not run itself, named by property {@code ddlrep.test.nodes}: conninfo strings joined by
 * {@code |}, or the word {@code testcontainers}. An implementation starts servers on demand; thread-safe.
 */
public interface ExternalServers {

    /** The value of the property that asks for containers instead of naming servers. */
    String CONTAINERS = "testcontainers";

    /**
     * Starts what is missing.
     *
     * @param count how many servers are wanted
     * @param major of PostgreSQL
     * @return a superuser's conninfo string for each
     */
    List<String> conninfos(int count, int major);

    /** The conninfo strings that a value of the property stands for; at most {@code count} are needed. */
    static List<String> named(String property, int count, int major) {
        if (!property.strip().equals(CONTAINERS)) {
            return List.of(property.split("\\|", -1));
        }
        return ServiceLoader.load(ExternalServers.class)
                .findFirst()
                .orElseThrow(
                        () -> new TestkitException("containers are not in this build: say -Ptestcontainers as well"))
                .conninfos(count, major);
    }
}
