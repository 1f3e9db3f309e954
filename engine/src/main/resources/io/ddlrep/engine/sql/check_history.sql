-- Synchronizer, origin: is the replica's tick ($1, token $2, snapshot $3) one of ours, and which operations of publication
-- $5 were committed between it and the snapshot $4?
SELECT EXISTS (
        SELECT FROM ddlrep.tick t WHERE t.id = $1 AND t.token = $2::uuid AND t.snapshot::text = $3) AS known,
    coalesce((
        SELECT string_agg(d.op, ',')
        FROM ddlrep.decision d LEFT JOIN ddlrep.ddl_operation o ON o.op = d.op
        WHERE d.outcome = 'commit' AND (o.op IS NULL OR $5 = ANY (o.publications))
            AND d.xid >= pg_snapshot_xmin($3::pg_snapshot) AND d.xid < pg_snapshot_xmax($4::pg_snapshot)
            AND pg_visible_in_snapshot(d.xid, $4::pg_snapshot)
            AND NOT pg_visible_in_snapshot(d.xid, $3::pg_snapshot)), '') AS decided
