-- Called by Turn in the service session on the origin. $3 a snapshot: whether an operation was committed that it does not see
SELECT EXISTS (
    SELECT FROM ddlrep.decision d
     WHERE d.xid >= pg_catalog.pg_snapshot_xmin($3::pg_snapshot) AND d.outcome = 'commit'
       AND NOT pg_catalog.pg_visible_in_snapshot(d.xid, $3::pg_snapshot)) AS since
