-- Called by RefreshStep in the client's session and in the service's: tables in scope that are not replicated yet.
-- $1 whole database, $2 schemas
SELECT c.oid AS relid, c.relpersistence AS persistence, s.nspname OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) c.relname AS name,
       pg_catalog.quote_ident(s.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(c.relname) AS quoted
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace
 WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p}'::pg_catalog."char"[]) AND c.relpersistence OPERATOR(pg_catalog.<>) 't'
   AND ($1::boolean OR s.nspname OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.text[]))
   AND s.nspname OPERATOR(pg_catalog.!~) '^pg_' AND s.nspname OPERATOR(pg_catalog.<>) ALL (ARRAY['information_schema', 'ddlrep', 'ddlrep_shadow', 'ddlrep_apply'])
   AND NOT EXISTS (SELECT FROM ddlrep.replicated_table t WHERE t.relid OPERATOR(pg_catalog.=) c.oid)
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                    WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid OPERATOR(pg_catalog.=) c.oid AND d.deptype OPERATOR(pg_catalog.=) 'e')
 ORDER BY c.oid
