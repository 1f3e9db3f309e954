-- Called by ValuePolicy in the client's session: what is known of functions of these names. $1 names without schema
SELECT p.proname AS name,
       pg_catalog.bool_or(p.provolatile OPERATOR(pg_catalog.<>) 'i') AS changing,
       pg_catalog.bool_or(p.provolatile OPERATOR(pg_catalog.=) 'v' AND s.nspname OPERATOR(pg_catalog.<>) 'pg_catalog') AS foreign_volatile
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) p.pronamespace
 WHERE p.proname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
 GROUP BY p.proname
