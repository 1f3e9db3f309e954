-- Called by OperationProgressReader on the origin: which backends work for an operation that has no result, on which nodes.
SELECT o.op, b.node, b.pid, b.backend_start::text AS backend_start
  FROM ddlrep.ddl_operation o
  CROSS JOIN LATERAL (
        SELECT s.node, s.pid, s.backend_start FROM ddlrep.ddl_step s
         WHERE s.op OPERATOR(pg_catalog.=) o.op AND s.pid IS NOT NULL
        UNION SELECT $1, o.client_pid, o.client_backend_start) b
 WHERE o.state OPERATOR(pg_catalog.=) ANY ('{open,unresolved}'::pg_catalog.text[])
 ORDER BY o.started, b.node
