package io.ddlrep.engine.operation;

import io.ddlrep.engine.node.Quote;
import io.ddlrep.parser.DdlRewriter;
import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.Set;

/**
 * GRANT and REVOKE on the database that the client is connected to, which has another name on other nodes of a server: each
 * node does it to its own. What is said of other databases stays where it is sent. Stateless.
 */
final class DatabasePrivileges {
    private static final Set<String> TAGS = Set.of("GRANT", "REVOKE");

    /** A server only warns who grants what is not his to grant; then this node would differ unseen. */
    private static final String CHECK =
            "IF NOT EXISTS (SELECT FROM pg_catalog.pg_database d WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()"
                    + " AND (pg_catalog.pg_has_role(d.datdba, 'USAGE') OR pg_catalog.has_database_privilege(d.oid,"
                    + " 'CREATE WITH GRANT OPTION, CONNECT WITH GRANT OPTION, TEMPORARY WITH GRANT OPTION'))) THEN"
                    + " RAISE EXCEPTION 'permission denied for database %', pg_catalog.current_database() USING ERRCODE = '42501',"
                    + " DETAIL = pg_catalog.format('Role %s is not the owner here, as it may be on the origin.', current_user),"
                    + " HINT = 'Give the database the same owner on every node.'; END IF; ";

    private DatabasePrivileges() {}

    /** Whether it is about one database. */
    static boolean isMeant(Statement.Ddl ddl) {
        return TAGS.contains(ddl.tag())
                && ddl.objects().stream().anyMatch(o -> o.kind() == ObjectKind.DATABASE)
                && DdlRewriter.aroundDatabase(ddl).size() == 2;
    }

    /** Whether it is about this one. */
    static boolean isOf(Statement.Ddl ddl, String database) {
        return isMeant(ddl)
                && ddl.objects().stream()
                        .filter(o -> o.kind() == ObjectKind.DATABASE && o.role() != ObjectRole.REFERENCED)
                        .allMatch(o -> o.name().name().equals(database));
    }

    /** The text for the replicas. */
    static String onReplicas(Statement.Ddl ddl) {
        List<String> around = DdlRewriter.aroundDatabase(ddl);
        return onReplicas(around.get(0), around.get(1));
    }

    /**
     * A statement about the database of the node that runs it.
     *
     * @param before its text before the database's name
     * @param behind its text behind that
     */
    static String onReplicas(String before, String behind) {
        String text = Quote.literal(before)
                + " OPERATOR(pg_catalog.||) pg_catalog.quote_ident(pg_catalog.current_database()) OPERATOR(pg_catalog.||) "
                + Quote.literal(behind);
        return "DO LANGUAGE plpgsql " + Quote.dollars("BEGIN " + CHECK + "EXECUTE " + text + "; END");
    }
}
