package io.ddlrep.gateway.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line's door. */
@Command(
        name = "ddlrep",
        description = "Transparent DDL for replicated PostgreSQL: all nodes change, or none does.",
        footer = {
            "",
            "CONNINFO is what libpq takes: keywords and values, or a postgresql:// URI. Passwords come from it, from",
            "PGPASSWORD, from PGPASSFILE or ~/.pgpass, or from a service file. Exit codes: 0 done, 1 refused or failed, 2 usage."
        },
        subcommands = {
            InitCommand.class,
            PublicationCommand.class,
            StatusCommand.class,
            OperationsCommand.class,
            GatewayCommand.class,
            ReplicateCommand.class,
            SyncCommand.class,
            ScriptCommand.class,
            VerifyCommand.class,
            RecoverCommand.class,
            DoctorCommand.class,
            UninstallCommand.class
        })
public final class Main implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @CommandLine.Mixin
    private CommonOptions common = new CommonOptions();

    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        Charset charset = Charset.defaultCharset();
        System.exit(run(new PrintWriter(System.out, true, charset), new PrintWriter(System.err, true, charset), args));
    }

    /**
     * Runs a command.
     *
     * @return 0 done, 1 refused or failed, 2 usage
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine command = new CommandLine(new Main());
        for (CliCommand more : ServiceLoader.load(CliCommand.class)) {
            command.addSubcommand(more);
        }
        return command.setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setExecutionExceptionHandler(new Failures())
                .execute(args);
    }

    @Override
    public Integer call() {
        if (spec != null) {
            spec.commandLine().usage(common.err());
        }
        return 2;
    }
}
