package io.ddlrep.gateway.node;

import io.ddlrep.engine.jdbc.JdbcConnector;
import io.ddlrep.engine.node.Credentials;
import io.ddlrep.engine.node.NodeAddress;
import io.ddlrep.engine.node.NodeSession;
import java.util.Map;

class JdbcSessionIT extends NodeSessionContract {
    @Override
    NodeSession open(NodeAddress address, String user, String password) {
        return new JdbcConnector(Map.of()).open(address, new Credentials(user, password), "test");
    }
}
