package io.ddlrep.gateway.admin;

import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.TokenType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plans the statements of one session of the virtual database. Used by one thread at a time. */
final class AdminPlanner {
    private static final Column SETTING = Column.text("setting");
    private static final Map<String, String> SETTINGS = Map.of(
            "server_version", AdminConversation.SERVER_VERSION,
            "client_encoding", "UTF8",
            "standard_conforming_strings", "on",
            "search_path", AdminDatabase.NAME,
            "datestyle", "ISO, MDY",
            "timezone", "UTC",
            "transaction_isolation", "read committed",
            "transaction", "read committed");

    private static final Map<String, String> HELP = new TreeMap<>(Map.of(
            "PAUSE", "DDL of replicated tables waits from now on",
            "RESUME", "it goes on",
            "RELOAD", "reads the file of --config anew",
            "DRAIN", "ends the gateway, each session when it is idle",
            "KILL_CLIENT id", "ends a client's session; SHOW CLIENTS has the id",
            "RESOLVE", "finishes operations that were interrupted, by the decision row",
            "SHOW table", "the same as SELECT * FROM table",
            "SELECT ...",
                    "any query over these tables, and over node.schema.table of every node, with your rights there"));

    private final List<AdminTable> tables;
    private final AdminCommands commands;
    private final Supplier<List<NodeAddress>> nodes;
    private final Supplier<NodeSessions> sessions;
    private final boolean admin;

    AdminPlanner(
            List<AdminTable> tables,
            AdminCommands commands,
            Supplier<List<NodeAddress>> nodes,
            Supplier<NodeSessions> sessions,
            boolean admin) {
        this.tables = tables;
        this.commands = commands;
        this.nodes = nodes;
        this.sessions = sessions;
        this.admin = admin;
    }

    /**
     * Plans one statement.
     *
     * @param sql the statement
     * @param declared types of its parameters, as far as the client names them
     * @throws AdminException when it cannot be planned
     */
    Plan plan(String sql, List<ColumnType> declared) {
        List<String> words = words(sql);
        String first = words.isEmpty() ? "" : words.get(0).toUpperCase(Locale.ROOT);
        return switch (first) {
            case "SELECT", "WITH", "VALUES", "TABLE", "EXPLAIN", "(" -> query(sql, declared);
            case "SHOW" -> show(words.size() < 2 ? "" : words.get(1));
            case "SET", "RESET", "DISCARD", "DEALLOCATE" -> new Fixed(List.of(), () -> Rows.none(first));
            case "BEGIN", "COMMIT", "ROLLBACK" -> new Fixed(List.of(), () -> Rows.none(first));
            case "START" -> new Fixed(List.of(), () -> Rows.none("START TRANSACTION"));
            case "END" -> new Fixed(List.of(), () -> Rows.none("COMMIT"));
            case "ABORT" -> new Fixed(List.of(), () -> Rows.none("ROLLBACK"));
            case "PAUSE" -> command(first, commands::pause);
            case "RESUME" -> command(first, commands::resume);
            case "RELOAD" -> command(first, commands::reload);
            case "DRAIN" -> command(first, commands::drain);
            case "KILL_CLIENT" -> kill(words);
            case "RESOLVE" -> resolve();
            default ->
                throw new AdminException(
                        ServerError.of("0A000", "the database " + AdminDatabase.NAME + " has no command " + first)
                                .with(null, "SHOW HELP names what there is."),
                        null);
        };
    }

    /** Whether a statement ends the transaction that it stands in. */
    static boolean endsTransaction(String sql) {
        List<String> words = words(sql);
        return !words.isEmpty()
                && List.of("ROLLBACK", "COMMIT", "ABORT", "END")
                        .contains(words.get(0).toUpperCase(Locale.ROOT));
    }

    private static List<String> words(String sql) {
        SqlLexer lexer = new SqlLexer(sql, 0, sql.length(), true);
        List<String> words = new ArrayList<>();
        while (lexer.next() != TokenType.END) {
            words.add(sql.substring(lexer.start(), lexer.end()));
        }
        return words;
    }

    private Plan query(String sql, List<ColumnType> declared) {
        return new QueryPlan(sql, declared, tables, nodes.get(), sessions.get());
    }

    private Plan show(String what) {
        String name = what.startsWith("\"") ? what.substring(1, what.length() - 1) : what.toLowerCase(Locale.ROOT);
        if (name.equals("help")) {
            List<@Nullable Object[]> rows = new ArrayList<>();
            HELP.forEach((command, meaning) -> rows.add(new Object[] {command, meaning}));
            tables.forEach(table -> rows.add(new Object[] {
                "SHOW " + table.name().toUpperCase(Locale.ROOT),
                String.join(", ", table.columns().stream().map(Column::name).toList())
            }));
            return new Fixed(List.of(Column.text("command"), Column.text("meaning")), () -> Rows.of(rows, n -> "SHOW"));
        }
        Optional<AdminTable> table =
                tables.stream().filter(each -> each.name().equals(name)).findFirst();
        if (table.isPresent()) {
            return new Fixed(
                    table.get().columns(), () -> Rows.of(table.get().rows().get(), n -> "SHOW"));
        }
        String setting = SETTINGS.get(name);
        if (setting == null) {
            throw new AdminException(
                    ServerError.of("42704", "there is nothing to show that is called \"" + name + "\"")
                            .with(null, "SHOW HELP names what there is."),
                    null);
        }
        return new Fixed(
                List.of(new Column(name, SETTING.type())),
                () -> Rows.of(List.<@Nullable Object[]>of(new Object[] {setting}), n -> "SHOW"));
    }

    private Plan command(String name, Runnable command) {
        refuseReaders(name);
        return new Fixed(List.of(), () -> {
            try {
                command.run();
            } catch (IllegalStateException e) {
                throw new AdminException("55000", String.valueOf(e.getMessage()));
            }
            return Rows.none(name);
        });
    }

    private Plan kill(List<String> words) {
        refuseReaders("KILL_CLIENT");
        long id;
        try {
            id = Long.parseLong(words.size() == 2 ? words.get(1) : "");
        } catch (NumberFormatException e) {
            throw new AdminException("42601", "KILL_CLIENT takes a client's id, as SHOW CLIENTS has it");
        }
        return command("KILL_CLIENT", () -> {
            if (!commands.kill(id)) {
                throw new AdminException("42704", "there is no client " + id);
            }
        });
    }

    private Plan resolve() {
        refuseReaders("RESOLVE");
        return new Fixed(
                List.of(Column.text("line")),
                () -> Rows.of(
                        commands.resolve().stream()
                                .map(line -> new @Nullable Object[] {line})
                                .toList(),
                        n -> "RESOLVE"));
    }

    private void refuseReaders(String command) {
        if (!admin) {
            throw new AdminException(
                    ServerError.of("42501", "permission denied for " + command)
                            .with(null, "It is for the users that admin_users of the gateway names."),
                    null);
        }
    }

    /** What needs no planning. */
    private record Fixed(List<Column> columns, Supplier<Rows> work) implements Plan {
        @Override
        public List<ColumnType> parameters() {
            return List.of();
        }

        @Override
        public Rows run(List<@Nullable Object> values) {
            return work.get();
        }

        @Override
        public void close() {}
    }
}
