package io.ddlrep.gateway.cli;

import io.ddlrep.engine.control.ControlInstaller;
import io.ddlrep.engine.control.GroupInitializer;
import io.ddlrep.engine.control.GroupMember;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Connector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.replication.InitialCopy;
import io.ddlrep.engine.replication.NodeAccess;
import io.ddlrep.engine.replication.TriggerSubstrate;
import io.ddlrep.engine.substrate.Substrate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ddlrep init}. */
@Command(
        name = "init",
        description =
                "Makes a group of databases: installs the control schema on every node, starts capturing on the origin,"
                        + " fills empty replicas. All or nothing. DDLREP_SERVICE_PASSWORD and DDLREP_APPLY_PASSWORD give the roles"
                        + " ddlrep_service and ddlrep_apply passwords on every node; without them they stay as they are.")
final class InitCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private PublicationOptions publication = new PublicationOptions();

    @Option(
            names = "--origin",
            paramLabel = "[NAME=]CONNINFO",
            description =
                    "The node that takes writes; its name is n1 unless given. Default: $DDLREP_ORIGIN, else libpq's"
                            + " environment. A superuser is needed.")
    private @Nullable String origin;

    @Option(
            names = "--replica",
            required = true,
            paramLabel = "[NAME=]CONNINFO",
            description = "A node that receives; may be given several times. Names are n2, n3, … unless given.")
    private List<String> replicas = new ArrayList<>();

    @Option(names = "--publication", defaultValue = "default", paramLabel = "NAME", description = "Default: default.")
    private String name = "default";

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    InitCommand() {}

    @Override
    public Integer call() {
        ConnDefaults defaults = ConnDefaults.ofProcess(common::tell);
        List<NamedConnInfo> given = new ArrayList<>();
        given.add(NamedConnInfo.parse(
                origin != null ? origin : defaults.variable("DDLREP_ORIGIN").orElse(""), "n1"));
        for (String replica : replicas) {
            given.add(NamedConnInfo.parse(replica, "n" + (given.size() + 1)));
        }
        Nodes nodes = new Nodes(defaults);
        try {
            for (NamedConnInfo each : given) {
                nodes.add(each);
            }
            GroupInitializer.Made made = new GroupInitializer(new ControlInstaller(), nodes::substrate, nodes::copy)
                    .init(
                            nodes.members,
                            publication.named(name),
                            new GroupInitializer.Passwords(
                                    defaults.variable(ApplyCredentials.VARIABLE),
                                    defaults.variable(ServiceCredentials.VARIABLE)));
            made.notices().forEach(notice -> common.tell("warning: " + notice));
            print(made, nodes.members);
            return 0;
        } finally {
            nodes.close();
        }
    }

    private void print(GroupInitializer.Made made, List<GroupMember> members) {
        if (json) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("group", made.groupId());
            result.put("publication", name);
            result.put("nodes", members.stream().map(GroupMember::name).toList());
            result.put("tables", made.tables());
            common.out().println(Json.of(result));
            return;
        }
        NodeAddress first = members.get(0).address();
        common.out()
                .println("group " + made.groupId() + " of " + members.size() + " nodes, publication " + name + " with "
                        + made.tables().size() + " tables");
        made.tables().forEach(table -> common.out().println("  " + table));
        common.out()
                .println("Send DDL to jdbc:ddlrep://" + first.host() + ":" + first.port() + "/" + first.database()
                        + "; keep this running, as " + ServiceCredentials.ROLE
                        + " or as a superuser: ddlrep replicate");
    }

    /** The nodes with their sessions and passwords. */
    private static final class Nodes implements AutoCloseable {
        private final ConnDefaults defaults;
        private final List<GroupMember> members = new ArrayList<>();
        private final List<ConnTarget> targets = new ArrayList<>();

        Nodes(ConnDefaults defaults) {
            this.defaults = defaults;
        }

        void add(NamedConnInfo given) {
            ConnTarget target = given.text().startsWith("jdbc:")
                    ? defaults.complete(ConnInfo.parseUrl(given.text()))
                    : defaults.complete(ConnInfo.parse(given.text()));
            NodeAddress address = target.place().named(given.name());
            String password = defaults.password(target, target.place(), target.user());
            members.add(new GroupMember(
                    address,
                    new JdbcConnector(target.properties())
                            .open(address, new Credentials(target.user(), password), "ddlrep init")));
            targets.add(target);
        }

        Substrate substrate() {
            return new TriggerSubstrate(access(), members.get(0).name());
        }

        void copy(String publication, String replica) {
            new InitialCopy(access(), members.get(0).name()).run(publication, replica);
        }

        /** Each node is reached as it was given: its own role, password and properties. */
        private NodeAccess access() {
            Map<String, NodeAddress> addresses = new HashMap<>();
            Map<String, ConnTarget> byNode = new HashMap<>();
            for (int i = 0; i < members.size(); i++) {
                addresses.put(members.get(i).name(), members.get(i).address());
                byNode.put(members.get(i).name(), targets.get(i));
            }
            Credentials service = new Credentials(targets.get(0).user(), null);
            Credentials apply = new Credentials(ApplyCredentials.ROLE, null);
            Connector connector = (address, who, application) -> {
                ConnTarget target = byNode.getOrDefault(address.name(), targets.get(0));
                Credentials used = who.user().equals(ApplyCredentials.ROLE)
                        ? ApplyCredentials.of(defaults, target, target.place())
                        : new Credentials(target.user(), defaults.password(target, target.place(), target.user()));
                return new JdbcConnector(target.properties()).open(address, used, application);
            };
            return new NodeAccess(connector, addresses, service, apply);
        }

        @Override
        public void close() {
            members.forEach(member -> member.session().close());
        }
    }
}
