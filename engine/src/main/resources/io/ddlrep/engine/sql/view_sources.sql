-- Called by StatementPlanner in the client's session: tables whose rows a query reads that names the relations $1, through views
-- however deep. A materialized view is looked into only where it is $2, the one that is filled; others are read as they are.
WITH RECURSIVE reached(relid) AS (
    SELECT v.relid::pg_catalog.oid FROM pg_catalog.unnest($1::pg_catalog.text[]) AS v(relid)
    UNION
    SELECT d.refobjid
      FROM reached r
      JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.relid
      JOIN pg_catalog.pg_rewrite w ON w.ev_class OPERATOR(pg_catalog.=) r.relid
      JOIN pg_catalog.pg_depend d ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass
           AND d.objid OPERATOR(pg_catalog.=) w.oid AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
     WHERE c.relkind OPERATOR(pg_catalog.=) 'v' OR c.oid OPERATOR(pg_catalog.=) $2::pg_catalog.oid)
SELECT c.oid AS relid
  FROM reached r
  JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.relid
 WHERE c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p}'::pg_catalog."char"[])
