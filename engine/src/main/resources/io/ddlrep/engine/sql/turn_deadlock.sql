-- Called by OperationOpener while it waits for the turn of publication $1, in the service session on the origin: the operation
-- that has the turn, where it waits for client $2, directly or behind others.
WITH RECURSIVE waits AS (
    SELECT o.op, b.pid
      FROM ddlrep.ddl_operation o CROSS JOIN LATERAL pg_catalog.unnest(pg_catalog.pg_blocking_pids(o.client_pid)) AS b(pid)
     WHERE o.state = 'open' AND $1 = ANY (o.publications) AND o.client_pid <> $2::int
    UNION
    SELECT w.op, b.pid FROM waits w CROSS JOIN LATERAL pg_catalog.unnest(pg_catalog.pg_blocking_pids(w.pid)) AS b(pid)
)
SELECT w.op FROM waits w WHERE w.pid = $2::int LIMIT 1
