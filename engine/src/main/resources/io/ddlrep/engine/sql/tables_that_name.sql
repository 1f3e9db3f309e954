-- Resolution, client's session on the origin: replicated tables whose functions name an object of kind $1 with the name $2, or
-- may: a part of the stored shape that looks like it is enough, a rebuild too many does no harm.
SELECT r.relid::pg_catalog.int8 AS relid
FROM ddlrep.replicated_table r
WHERE CASE $1
    WHEN 'SCHEMA' THEN r.schema_name OPERATOR(pg_catalog.=) $2 OR pg_catalog.strpos(r.shape, $2) OPERATOR(pg_catalog.>) 0
    WHEN 'EXTENSION' THEN EXISTS (
        SELECT FROM pg_catalog.pg_extension x JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) x.extnamespace
        WHERE x.extname OPERATOR(pg_catalog.=) $2 AND pg_catalog.strpos(r.shape, n.nspname::pg_catalog.text) OPERATOR(pg_catalog.>) 0)
    ELSE pg_catalog.strpos(r.shape, $2) OPERATOR(pg_catalog.>) 0 END
