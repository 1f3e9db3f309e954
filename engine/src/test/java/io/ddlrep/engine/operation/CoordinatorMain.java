package io.ddlrep.engine.operation;

import io.ddlrep.engine.EngineConfig;
import io.ddlrep.engine.OperationSettings;
import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.replication.TriggerSubstrate;
import java.util.Map;
import java.util.Optional;

/** A coordinator in a process of its own, which the test kills while it works. */
final class CoordinatorMain {
    private CoordinatorMain() {}

    /** Arguments: database, user, password, port of the client's session, then the ports of n1 and n2. */
    public static void main(String[] args) {
        Credentials user = new Credentials(args[1], args[2]);
        JdbcConnector connector = new JdbcConnector(Map.of());
        NodeSession client = connector.open(at("n1", args[3], args[0]), user, "client");
        Group group = GroupReader.read(client).orElseThrow();
        EngineConfig config = new EngineConfig(
                OperationSettings.DEFAULT,
                Optional.of(new Credentials("ddlrep_service", null)),
                new Credentials("ddlrep_apply", null),
                Map.of("n1", at("n1", args[4], args[0]), "n2", at("n2", args[5], args[0])),
                connector,
                "child");
        try (TriggerEngine engine = TriggerEngine.open(config, group, TriggerSubstrate::of);
                TestClient test = new TestClient(engine, client, connector.as(user))) {
            test.run(
                    args.length > 6
                            ? args[6]
                            : "BEGIN; ALTER TABLE t ADD COLUMN a integer; UPDATE t SET a = id; INSERT INTO t VALUES (100, 'own', 1);"
                                    + " CREATE TABLE made (id integer PRIMARY KEY); COMMIT");
        }
    }

    private static NodeAddress at(String node, String port, String database) {
        return new NodeAddress(node, "127.0.0.1", Integer.parseInt(port), database);
    }
}
