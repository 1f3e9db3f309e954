package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.PublicationMaker;
import io.ddlrep.engine.substrate.Substrate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ddlrep publication …}. */
@Command(
        name = "publication",
        description = "Makes, lists and drops publications.",
        subcommands = {PublicationCommand.Create.class, PublicationCommand.ListAll.class, PublicationCommand.Drop.class
        })
final class PublicationCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    PublicationCommand() {}

    @Override
    public Integer call() {
        common.tell("publication what? create, list or drop");
        return 2;
    }

    /** {@code ddlrep publication create}. */
    @Command(name = "create", description = "Makes a publication of all nodes of the group; empty replicas are filled.")
    static final class Create implements Callable<Integer> {
        @Mixin
        private GroupOptions group = new GroupOptions();

        @Mixin
        private PublicationOptions publication = new PublicationOptions();

        @Parameters(paramLabel = "NAME", description = "The publication's name.")
        private String name = "";

        @Override
        public Integer call() {
            try (GroupConnection connection = group.connect();
                    Substrate substrate = connection.substrate()) {
                // The names of tables on the command line are those of the role's own path.
                connection.origin().execute("RESET search_path");
                List<String> tables = new PublicationMaker(connection.members(), substrate, connection::copy)
                        .create(publication.named(name));
                group.common().out().println("publication " + name + " with " + tables.size() + " tables");
                tables.forEach(table -> group.common().out().println("  " + table));
                return 0;
            }
        }
    }

    /** {@code ddlrep publication list}. */
    @Command(name = "list", description = "Lists the publications of the group.")
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private GroupOptions group = new GroupOptions();

        @Option(names = "--json", description = "Print JSON.")
        private boolean json;

        @Override
        public Integer call() {
            try (GroupConnection connection = group.connect()) {
                List<Group.Publication> publications = connection.group().publications();
                if (json) {
                    group.common()
                            .out()
                            .println(Json.of(
                                    publications.stream().map(ListAll::map).toList()));
                } else {
                    publications.forEach(each -> group.common()
                            .out()
                            .println(each.name() + "  scope "
                                    + each.scope().name().toLowerCase(Locale.ROOT)
                                    + (each.schemas().isEmpty() ? "" : " " + String.join(", ", each.schemas()))
                                    + "  origin " + each.origin() + "  replicas "
                                    + each.replicas().stream()
                                            .map(Group.ReplicaState::node)
                                            .collect(Collectors.joining(", "))));
                }
                return 0;
            }
        }

        private static Map<String, Object> map(Group.Publication publication) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("name", publication.name());
            map.put("scope", publication.scope().name().toLowerCase(Locale.ROOT));
            map.put("schemas", publication.schemas());
            map.put("origin", publication.origin());
            map.put(
                    "replicas",
                    publication.replicas().stream()
                            .map(Group.ReplicaState::node)
                            .toList());
            return map;
        }
    }

    /** {@code ddlrep publication drop}. */
    @Command(name = "drop", description = "Drops a publication on every node; its tables and their rows stay.")
    static final class Drop implements Callable<Integer> {
        @Mixin
        private GroupOptions group = new GroupOptions();

        @Parameters(paramLabel = "NAME", description = "The publication's name.")
        private String name = "";

        @Override
        public Integer call() {
            try (GroupConnection connection = group.connect();
                    Substrate substrate = connection.substrate()) {
                long tables = new PublicationMaker(connection.members(), substrate, connection::copy).drop(name);
                group.common()
                        .out()
                        .println("publication " + name + " dropped; " + tables + " tables are no longer replicated");
                return 0;
            }
        }
    }
}
