-- Carrier, client's session on the origin: shadow tables of publications $1 that this transaction wrote. Its own locks say so.
SELECT g.table_id, g.generation, g.shadow, g.columns,
    pg_catalog.has_table_privilege(l.relation, 'SELECT') AS readable,
    coalesce(pg_catalog.quote_ident(r.schema_name) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||)
        pg_catalog.quote_ident(r.table_name), g.shadow) AS name
FROM pg_catalog.pg_locks l
    JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) l.relation
        AND c.relnamespace OPERATOR(pg_catalog.=) 'ddlrep_shadow'::pg_catalog.regnamespace
    JOIN ddlrep.shadow_generation g ON g.shadow OPERATOR(pg_catalog.=) c.relname::pg_catalog.text
    LEFT JOIN ddlrep.replicated_table r ON r.table_id OPERATOR(pg_catalog.=) g.table_id
WHERE l.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid()
    AND l.locktype OPERATOR(pg_catalog.=) 'relation' AND l.mode OPERATOR(pg_catalog.=) 'RowExclusiveLock'
    AND g.publication OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
ORDER BY g.table_id, g.generation
