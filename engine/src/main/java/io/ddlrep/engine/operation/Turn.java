package io.ddlrep.engine.operation;

import io.ddlrep.engine.control.Group;
import io.ddlrep.engine.control.GroupReader;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;
import java.util.Collection;
import java.util.List;

/**
 * What the service sees on the origin once the operation has its turn: nobody else's operation changes it from now on.
 * Immutable.
 *
 * @param mine whether the turn was taken; else somebody holds it
 * @param group the group
 * @param unresolved operations of these publications without a result
 * @param decidedSince whether an operation was committed that the client did not see yet when its names were resolved
 * @param tables replicated tables among the statement's, as {@link GroupTables#TABLES} gives them
 */
record Turn(boolean mine, Group group, List<Row> unresolved, boolean decidedSince, List<Row> tables) {
    private static final String SQL = PublicationTurn.TRY + ";\n" + GroupReader.SQL + ";\n"
            + Journal.OPEN.replace("$1", "$2") + ";\n" + SqlResource.text("sql/decided_since.sql") + ";\n"
            + GroupTables.TABLES.replace("$1", "$4");

    /**
     * Tries to take the last publication's turn, and looks around, in one message.
     *
     * @param publications all of the operation, in order; the turns of all but the last are taken
     * @param snapshot what the client saw before it resolved names
     * @param pid the client's backend
     * @param relids tables that the statement names
     */
    static Turn take(
            NodeSession service, List<String> publications, String snapshot, long pid, Collection<Long> relids) {
        List<List<Row>> said = service.queryEach(
                SQL, publications.get(publications.size() - 1), publications, snapshot, GroupTables.texts(relids), pid);
        return new Turn(
                said.get(0).get(0).flag("mine"),
                GroupReader.of(said.get(1)).orElseThrow(),
                said.get(2),
                said.get(3).get(0).flag("since"),
                said.get(4));
    }
}
