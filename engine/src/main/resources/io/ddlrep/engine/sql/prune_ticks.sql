-- Purger, origin ($1): ticks that no replica stands at or will ever come from. Nothing is pruned while a position is not known.
-- By snapshots: two ticks that are made at once may have their numbers in the other order.
DELETE FROM ddlrep.tick t
WHERE pg_snapshot_xmax(t.snapshot) < (
    SELECT CASE WHEN count(*) = count(n.snapshot) THEN
        -- min() of xid8 came with 15.
        (array_agg(pg_snapshot_xmax(n.snapshot) ORDER BY pg_snapshot_xmax(n.snapshot)))[1] END
    FROM ddlrep.publication_node n JOIN ddlrep.publication p ON p.name = n.publication
    WHERE p.origin = $1 AND n.node <> $1)
