-- Called by Turn in the service session on the origin. $3 a snapshot: whether an operation was committed that it does not see,
-- or by another backend than $5 so shortly before that the snapshot may have shown it while caches were stale still
SELECT EXISTS (
    SELECT FROM ddlrep.decision d
     WHERE d.xid >= pg_catalog.pg_snapshot_xmin($3::pg_snapshot) AND d.outcome = 'commit'
       AND NOT pg_catalog.pg_visible_in_snapshot(d.xid, $3::pg_snapshot))
    OR EXISTS (
    SELECT FROM ddlrep.decision d JOIN ddlrep.ddl_operation o ON o.op = d.op
     WHERE d.outcome = 'commit' AND d.decided_at > pg_catalog.clock_timestamp() - interval '1 second'
       AND o.client_pid <> $5::int) AS since
