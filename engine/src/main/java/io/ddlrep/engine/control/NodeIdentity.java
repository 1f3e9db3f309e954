package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeSession;
import io.ddlrep.engine.node.Row;

/**
 * Which database a session is really in, by what a clone or a restored dump does not share. Immutable.
 *
 * @param systemIdentifier the server's, from {@code pg_control_system()}
 * @param databaseOid the database's OID
 * @param major the server's major version
 */
public record NodeIdentity(long systemIdentifier, long databaseOid, int major) {
    /** Asks the server; the session may be any role's that may call {@code pg_control_system()} (every role, by default). */
    public static NodeIdentity read(NodeSession session) {
        Row row = session.query("""
                        SELECT c.system_identifier, d.oid, pg_catalog.current_setting('server_version_num')::int OPERATOR(pg_catalog./) 10000 AS major
                        FROM pg_catalog.pg_control_system() c, pg_catalog.pg_database d
                        WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()""").get(0);
        return new NodeIdentity(row.number("system_identifier"), row.number("oid"), (int) row.number("major"));
    }
}
