-- Called by RefreshStep in the client's session: tables in scope that are not replicated yet.
-- $1 whole database, $2 schemas
SELECT c.oid AS relid, c.relpersistence AS persistence, s.nspname || '.' || c.relname AS name
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
   AND ($1::boolean OR s.nspname = ANY ($2::text[]))
   AND s.nspname !~ '^pg_' AND s.nspname NOT IN ('information_schema', 'ddlrep', 'ddlrep_shadow', 'ddlrep_apply')
   AND NOT EXISTS (SELECT FROM ddlrep.replicated_table t WHERE t.relid = c.oid)
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                    WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
 ORDER BY c.oid
