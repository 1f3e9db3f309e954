-- Synchronizer, origin: shadow tables of publication $1 that hold anything at all, in the order of their changes.
SELECT g.table_id, g.generation, g.shadow, g.columns
FROM ddlrep.shadow_generation g
WHERE g.publication = $1 AND pg_relation_size(to_regclass('ddlrep_shadow.' || quote_ident(g.shadow))) > 0
ORDER BY g.table_id, g.generation
