package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Who stands in the way of an operation's locks. Stateless. */
final class Blockers {
    private static final String SQL = SqlResource.text("sql/blockers.sql");

    private Blockers() {}

    /**
     * Asks a node who holds or awaits locks of tables; the operation's own sessions are left out.
     *
     * @param tables quoted names
     * @return a line for each of at most ten sessions
     */
    static List<String> of(OperationContext context, String node, Collection<String> tables) {
        List<String> pids = new ArrayList<>();
        pids.add(Long.toString(context.state().pid()));
        context.companions().forEach(c -> pids.add(c.link().backend().split("/", 2)[0]));
        NodeSession session = node.equals(context.client().node())
                ? context.service()
                : context.services().borrow(node);
        List<String> lines = new ArrayList<>();
        for (Row row : session.query(SQL, List.copyOf(tables), pids)) {
            lines.add("node " + node + ": pid " + row.text("who") + ", application \"" + row.text("application")
                    + "\", state " + row.text("state") + ", age " + row.text("age") + ", holds " + row.text("mode")
                    + " on " + row.text("relation") + ", query: " + row.text("query"));
        }
        if (session != context.service()) {
            context.services().giveBack(session);
        }
        return lines;
    }
}
