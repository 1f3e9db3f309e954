package io.ddlrep.gateway.cli;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.node.ServerError;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Shows failures to people: what, detail, hint; a stack trace only when asked for. Stateless. */
final class Failures implements CommandLine.IExecutionExceptionHandler {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    Failures() {}

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, CommandLine.ParseResult result) {
        PrintWriter err = command.getErr();
        if (failure instanceof NodeException node) {
            show(err, node.node() + ": " + plain(node.error()), node.error());
        } else if (failure instanceof DdlrepException ddlrep) {
            show(err, plain(ddlrep.error()), ddlrep.error());
        } else {
            String message = failure.getMessage();
            err.println(
                    "ddlrep: error: " + (message == null ? failure.getClass().getSimpleName() : message));
        }
        for (Throwable also : failure.getSuppressed()) {
            err.println("ALSO:   " + also.getMessage());
        }
        if (isDebug(command)) {
            failure.printStackTrace(err);
        }
        err.flush();
        return failure instanceof IllegalArgumentException ? USAGE : FAILED;
    }

    private static boolean isDebug(CommandLine command) {
        return command.getParseResult() != null && command.getParseResult().hasMatchedOption("--debug");
    }

    private static String plain(ServerError error) {
        String message = error.message();
        return message.startsWith("ddlrep: ") ? message.substring("ddlrep: ".length()) : message;
    }

    private static void show(PrintWriter err, String message, ServerError error) {
        err.println("ddlrep: error: " + message + " (SQLSTATE " + error.sqlState() + ")");
        line(err, "DETAIL", error.detail());
        line(err, "HINT", error.hint());
        line(err, "CONTEXT", error.where());
    }

    private static void line(PrintWriter err, String label, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            err.println(label + ":  " + text.replace("\n", "\n         "));
        }
    }
}
