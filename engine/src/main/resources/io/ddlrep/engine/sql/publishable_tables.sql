-- Called by TableSelection on the origin: the tables that a new publication would hold, and what speaks against each.
-- $1 whole database, $2 schemas, $3 tables by name (regclass); with them come their partitions and children.
WITH RECURSIVE chosen(oid, named) AS (
    SELECT c.oid, false FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
       AND ($1::boolean OR s.nspname = ANY ($2::text[]))
       AND s.nspname !~ '^pg_' AND s.nspname NOT IN ('information_schema', 'ddlrep', 'ddlrep_shadow', 'ddlrep_apply')
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                        WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    UNION SELECT n::regclass::oid, true FROM pg_catalog.unnest($3::text[]) n
    UNION SELECT i.inhrelid, false FROM chosen h JOIN pg_catalog.pg_inherits i ON i.inhparent = h.oid
)
SELECT c.oid AS relid, pg_catalog.quote_ident(s.nspname) || '.' || pg_catalog.quote_ident(c.relname) AS name,
       CASE
         WHEN c.relkind NOT IN ('r', 'p') THEN 'it is no table, or a foreign one'
         WHEN s.nspname ~ '^pg_' OR s.nspname IN ('information_schema', 'ddlrep', 'ddlrep_shadow', 'ddlrep_apply')
           THEN 'it belongs to the server, to a session or to ddlrep'
         WHEN c.relpersistence = 'u' THEN 'it is UNLOGGED: a crash would empty it unseen'
         WHEN c.relforcerowsecurity AND NOT (o.rolsuper OR o.rolbypassrls)
           THEN 'FORCE ROW LEVEL SECURITY binds its owner ' || o.rolname || ', who applies its rows'
         WHEN EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid AND i.inhparent NOT IN (SELECT h.oid FROM chosen h))
           THEN 'its parent would not be replicated'
         WHEN EXISTS (SELECT FROM ddlrep.replicated_table r WHERE r.relid = c.oid)
           THEN 'it is in a publication already'
       END AS against
  FROM (SELECT DISTINCT h.oid FROM chosen h) h
  JOIN pg_catalog.pg_class c ON c.oid = h.oid
  JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
  JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
 ORDER BY 2
