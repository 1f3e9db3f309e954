package io.ddlrep.gateway.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a command finds its group. Filled by picocli, then read by one thread. */
final class GroupOptions {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--origin",
            paramLabel = "CONNINFO",
            description =
                    "A node of the group, best its origin, as libpq takes it: \"host=… dbname=…\" or postgresql://…"
                            + " Default: $DDLREP_ORIGIN, else libpq's environment.")
    private @Nullable String origin;

    @Option(names = "--url", paramLabel = "URL", description = "The same as jdbc:ddlrep://host:port/db?user=…")
    private @Nullable String url;

    GroupOptions() {}

    CommonOptions common() {
        return common;
    }

    /** The node that a configuration names, where the command line names none. */
    void originUnlessGiven(String conninfo) {
        if (origin == null && url == null) {
            origin = conninfo;
        }
    }

    /**
     * Connects to the group's origin.
     *
     * @throws IllegalArgumentException where what was given cannot be understood
     * @throws io.ddlrep.engine.node.NodeException where no node answers, or the database is in no group
     */
    GroupConnection connect() {
        if (origin != null && url != null) {
            throw new IllegalArgumentException("give --origin or --url, not both");
        }
        ConnDefaults defaults = ConnDefaults.ofProcess(common::tell);
        ConnInfo info;
        if (url != null) {
            info = ConnInfo.parseUrl(url);
        } else {
            String text =
                    origin != null ? origin : defaults.variable("DDLREP_ORIGIN").orElse("");
            info = text.startsWith("jdbc:")
                    ? ConnInfo.parseUrl(text)
                    : ConnInfo.parse(NamedConnInfo.parse(text, "n1").text());
        }
        return GroupConnection.open(defaults.complete(info), defaults, common::tell);
    }
}
