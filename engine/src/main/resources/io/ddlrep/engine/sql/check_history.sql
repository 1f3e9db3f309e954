-- Synchronizer, origin: is the tick ($1, token $2, snapshot $3) of replica $6 one of ours and not before what it
-- had for good once, and which operations of publication
-- $5 were committed between it and the snapshot $4?
SELECT EXISTS (
        SELECT FROM ddlrep.tick t WHERE t.id = $1 AND t.token = $2::uuid AND t.snapshot::text = $3)
        AND NOT EXISTS (
        SELECT FROM ddlrep.publication_node n WHERE n.publication = $5 AND n.node = $6
            AND pg_snapshot_xmax(n.snapshot) > pg_snapshot_xmax($3::pg_snapshot)) AS known,
    coalesce((
        SELECT string_agg(d.op, ',')
        FROM ddlrep.decision d LEFT JOIN ddlrep.ddl_operation o ON o.op = d.op
        WHERE d.outcome = 'commit' AND (o.op IS NULL OR $5 = ANY (o.publications))
            AND d.xid >= pg_snapshot_xmin($3::pg_snapshot) AND d.xid < pg_snapshot_xmax($4::pg_snapshot)
            AND pg_visible_in_snapshot(d.xid, $4::pg_snapshot)
            AND NOT pg_visible_in_snapshot(d.xid, $3::pg_snapshot)), '') AS decided
