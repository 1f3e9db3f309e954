-- Called by TableSelection on the origin: the tables that a new publication would hold, and what speaks against each.
-- $1 whole database, $2 schemas, $3 tables by name (regclass); with them come their partitions and children.
WITH RECURSIVE chosen(oid, named) AS (
    SELECT c.oid, false FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace
     WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p}'::pg_catalog."char"[]) AND c.relpersistence OPERATOR(pg_catalog.<>) 't'
       AND ($1::boolean OR s.nspname OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.text[]))
       AND s.nspname OPERATOR(pg_catalog.!~) '^pg_' AND s.nspname OPERATOR(pg_catalog.<>) ALL (ARRAY['information_schema', 'ddlrep', 'ddlrep_shadow', 'ddlrep_apply'])
       AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                        WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid OPERATOR(pg_catalog.=) c.oid AND d.deptype OPERATOR(pg_catalog.=) 'e')
    UNION SELECT n::pg_catalog.regclass::pg_catalog.oid, true FROM pg_catalog.unnest($3::pg_catalog.text[]) n
    UNION SELECT i.inhrelid, false FROM chosen h JOIN pg_catalog.pg_inherits i ON i.inhparent OPERATOR(pg_catalog.=) h.oid
)
SELECT c.oid AS relid, pg_catalog.quote_ident(s.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(c.relname) AS name,
       CASE
         WHEN c.relkind OPERATOR(pg_catalog.<>) ALL ('{r,p}'::pg_catalog."char"[]) THEN 'it is no table, or a foreign one'
         WHEN s.nspname OPERATOR(pg_catalog.~) '^pg_' OR s.nspname OPERATOR(pg_catalog.=) ANY (ARRAY['information_schema', 'ddlrep', 'ddlrep_shadow', 'ddlrep_apply'])
           THEN 'it belongs to the server, to a session or to ddlrep'
         WHEN c.relpersistence OPERATOR(pg_catalog.=) 'u' THEN 'it is UNLOGGED: a crash would empty it unseen'
         WHEN c.relforcerowsecurity AND NOT (o.rolsuper OR o.rolbypassrls)
           THEN 'FORCE ROW LEVEL SECURITY binds its owner ' OPERATOR(pg_catalog.||) o.rolname OPERATOR(pg_catalog.||) ', who applies its rows'
         WHEN EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid OPERATOR(pg_catalog.=) c.oid AND i.inhparent OPERATOR(pg_catalog.<>) ALL (SELECT h.oid FROM chosen h))
           THEN 'its parent would not be replicated'
         WHEN EXISTS (SELECT FROM ddlrep.replicated_table r WHERE r.relid OPERATOR(pg_catalog.=) c.oid)
           THEN 'it is in a publication already'
       END AS against
  FROM (SELECT DISTINCT h.oid FROM chosen h) h
  JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) h.oid
  JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace
  JOIN pg_catalog.pg_roles o ON o.oid OPERATOR(pg_catalog.=) c.relowner
 ORDER BY 2
