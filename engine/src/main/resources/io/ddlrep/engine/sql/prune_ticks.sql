-- Purger, origin ($1): ticks that no replica stands at or will ever come from. Nothing is pruned while a position is not known.
DELETE FROM ddlrep.tick t
WHERE t.id < (
    SELECT CASE WHEN count(*) = count(n.tick) THEN min(n.tick) END
    FROM ddlrep.publication_node n JOIN ddlrep.publication p ON p.name = n.publication
    WHERE p.origin = $1 AND n.node <> $1)
