package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.NewPublication;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a new publication replicates. Filled by picocli, then read by one thread. */
final class PublicationOptions {
    @Option(
            names = "--scope",
            paramLabel = "database|schemas|tables",
            description = "What is replicated: everything, all in the --schema, or the --table. Default: by what is"
                    + " given, else all in schema public.")
    private @Nullable String scope;

    @Option(names = "--schema", split = ",", paramLabel = "SCHEMA", description = "Schemas of scope schemas.")
    private List<String> schemas = new ArrayList<>();

    @Option(
            names = "--table",
            split = ",",
            paramLabel = "TABLE",
            description = "Tables of scope tables, qualified, as SQL spells them. Partitions and children come along.")
    private List<String> tables = new ArrayList<>();

    PublicationOptions() {}

    NewPublication named(String name) {
        Group.Scope chosen = chosen();
        List<String> held = chosen == Group.Scope.SCHEMAS && schemas.isEmpty() ? List.of("public") : schemas;
        if (chosen == Group.Scope.TABLES && tables.isEmpty()) {
            throw new IllegalArgumentException("scope tables needs --table");
        }
        return new NewPublication(name, chosen, held, tables);
    }

    private Group.Scope chosen() {
        if (scope == null) {
            return tables.isEmpty() ? Group.Scope.SCHEMAS : Group.Scope.TABLES;
        }
        try {
            return Group.Scope.valueOf(scope.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--scope is database, schemas or tables, not \"" + scope + "\"", e);
        }
    }
}
