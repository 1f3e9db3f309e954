package io.ddlrep.gateway.cli;

import java.util.concurrent.Callable;

/**
 * A command that another module adds: a class with picocli's {@code @Command}, named in
 * {@code META-INF/services/io.ddlrep.gateway.cli.CliCommand}, with a public constructor without parameters. Its exit code
 * is 0 for done, 1 for refused or failed; an exception is shown to the user as {@link Main} shows its own.
 */
public interface CliCommand extends Callable<Integer> {}
