-- ChangeWatch and Purger, origin: shadow tables that hold anything at all.
SELECT g.table_id, g.generation, g.shadow, g.publication, g.closed_by,
    pg_relation_size(to_regclass('ddlrep_shadow.' || quote_ident(g.shadow))) AS bytes
FROM ddlrep.shadow_generation g
WHERE pg_relation_size(to_regclass('ddlrep_shadow.' || quote_ident(g.shadow))) > 0
ORDER BY g.table_id, g.generation
