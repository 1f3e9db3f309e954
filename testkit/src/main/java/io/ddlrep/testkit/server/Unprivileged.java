package io.ddlrep.testkit.server;

import io.ddlrep.testkit.TestkitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a command line that PostgreSQL agrees to run under. PostgreSQL refuses root, so root's servers run in a user
 * namespace of their own ({@code unshare -U}), where the process has no uid 0 but still owns its files. A session of its
 * own ({@code setsid}) keeps a terminal's Ctrl-C from the server: whoever started it decides when it stops. Both replace
 * themselves by the command, so that the pid is the server's. Stateless and thread-safe.
 */
final class Unprivileged {

    private Unprivileged() {}

    /** The command as the current user may run it; fails with the cure when the kernel blocks user namespaces. */
    static List<String> command(List<String> command) {
        List<String> line = new ArrayList<>();
        line.add("setsid");
        if (runsAsRoot()) {
            requireUserNamespaces();
            line.add("unshare");
            line.add("-U");
        }
        line.addAll(command);
        return line;
    }

    private static boolean runsAsRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            throw new TestkitException("cannot tell the uid of this process", e);
        }
    }

    private static void requireUserNamespaces() {
        Commands.Result probe = Commands.run(List.of("unshare", "-U", "true"));
        if (!probe.succeeded()) {
            throw new TestkitException("PostgreSQL does not run as root, and 'unshare -U', which would lend it another"
                    + " user, is blocked here: "
                    + probe.output().strip()
                    + "\nCure: run as an ordinary user; or allow user namespaces"
                    + " (sysctl -w user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1"
                    + " kernel.apparmor_restrict_unprivileged_userns=0; those that exist);"
                    + " or, in a container, start it with --security-opt seccomp=unconfined");
        }
    }
}
