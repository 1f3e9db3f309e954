package io.ddlrep.engine.replication;

import io.ddlrep.engine.DdlrepException;
import io.ddlrep.engine.control.SqlResource;
import io.ddlrep.engine.node.Fan;
import io.ddlrep.engine.node.NodeSession.CopySink;
import io.ddlrep.engine.node.NodeSession.CopySource;
import io.ddlrep.engine.node.Quote;
import io.ddlrep.engine.node.Row;
import io.ddlrep.engine.node.ServerError;
import io.ddlrep.engine.substrate.Carried;
import io.ddlrep.engine.substrate.OperationSession;
import io.ddlrep.engine.substrate.OwnRows;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes the client's own, uncommitted rows to the companions, as row images. Stateless.
 *
 * <p>Crash rule: everything happens in the client's and the companions' transactions, which end together; the carry tables
 * are dropped in the transactions that made them.
 */
final class Carrier {
    private static final String WRITTEN = SqlResource.text("sql/written_shadows.sql");
    private static final String WHO = SqlResource.text("sql/carry_roles.sql");

    private Carrier() {}

    /** Rows of one shadow table. */
    private record Written(long tableId, int generation, String shadow, String columns, long rows, long lastSeq) {
        String condition(long afterSeq) {
            return " s WHERE s.xid OPERATOR(pg_catalog.=) pg_catalog.pg_current_xact_id()"
                    + " AND s.seq OPERATOR(pg_catalog.>) " + afterSeq;
        }
    }

    /** The replicas' side of an operation. */
    record Companions(List<? extends OperationSession> sessions, Fan fan) {
        void each(Consumer<OperationSession> work) {
            fan.all(sessions.stream()
                    .<Runnable>map(session -> () -> work.accept(session))
                    .toList());
        }
    }

    static Carried carry(OperationSession origin, Companions companions, OwnRows asked) {
        long afterSeq = asked.afterSeq();
        long rows = 0;
        long lastSeq = afterSeq;
        for (Row written : origin.session().query(WRITTEN, asked.publications())) {
            if (!written.flag("readable")) {
                throw notOwner(origin, written.text("name"));
            }
            Written own = count(origin, written, afterSeq);
            if (own.rows() == 0) {
                continue;
            }
            rows += own.rows();
            lastSeq = Math.max(lastSeq, own.lastSeq());
            if (!companions.sessions().isEmpty()) {
                carry(origin, companions, asked, own);
            }
        }
        return new Carried(rows, lastSeq);
    }

    /** Whether there is anything to carry; also where the client may not read what it wrote, so that carry says so. */
    static boolean hasOwnRows(OperationSession origin, OwnRows asked) {
        for (Row written : origin.session().query(WRITTEN, asked.publications())) {
            if (!written.flag("readable")
                    || count(origin, written, asked.afterSeq()).rows() > 0) {
                return true;
            }
        }
        return false;
    }

    private static Written count(OperationSession origin, Row written, long afterSeq) {
        Written own = new Written(
                written.number("table_id"),
                (int) written.number("generation"),
                "ddlrep_shadow." + Quote.name(written.text("shadow")),
                written.text("columns"),
                0,
                0);
        Row found = origin.session()
                .query("SELECT pg_catalog.count(*) AS rows, coalesce(pg_catalog.max(s.seq), 0) AS last FROM "
                        + own.shadow() + own.condition(afterSeq))
                .get(0);
        return new Written(
                own.tableId(),
                own.generation(),
                own.shadow(),
                own.columns(),
                found.number("rows"),
                found.number("last"));
    }

    private static void carry(OperationSession origin, Companions companions, OwnRows asked, Written own) {
        String stage =
                "ddlrep_shadow." + Quote.name("carry_" + asked.op() + "_" + own.tableId() + "_" + own.generation());
        companions.each(companion -> {
            Row who = companion.session().query(WHO, own.tableId()).get(0);
            // A companion is never another user's: the rows stay among those who may see them.
            companion.run("CREATE TABLE " + stage + " (" + own.columns() + ");\nGRANT INSERT ON " + stage + " TO "
                    + who.text("client") + ";\nGRANT SELECT ON " + stage + " TO " + who.text("owner"));
        });
        String select =
                "COPY (SELECT * FROM " + own.shadow() + own.condition(asked.afterSeq()) + ") TO STDOUT (FORMAT binary)";
        try (CopySource source = origin.session().copyOut(select)) {
            Pipe.copy(source, () -> {
                List<CopySink> sinks = new ArrayList<>();
                companions
                        .sessions()
                        .forEach(companion ->
                                sinks.add(companion.session().copyIn("COPY " + stage + " FROM STDIN (FORMAT binary)")));
                return sinks;
            });
        }
        companions.each(companion -> {
            companion.carry(own.tableId(), stage);
            companion.run("DROP TABLE " + stage);
        });
    }

    private static DdlrepException notOwner(OperationSession origin, String table) {
        return new DdlrepException(ServerError.of(
                        "42501",
                        "ddlrep: rows of table " + table + " changed in a transaction with DDL must be its owner's")
                .with(
                        "The transaction on node " + origin.node() + " changed rows of " + table
                                + ", which the current role does not own; with its DDL they would have to reach every"
                                + " replica before COMMIT, and only the owner may read them.",
                        "Commit the rows and the DDL in two transactions, or run it as the owner of " + table + "."));
    }
}
