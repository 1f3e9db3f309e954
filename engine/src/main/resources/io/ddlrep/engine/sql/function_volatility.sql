-- Called by ValuePolicy in the client's session: what is known of functions of these names. $1 names without schema
SELECT p.proname AS name,
       pg_catalog.bool_or(p.provolatile <> 'i') AS changing,
       pg_catalog.bool_or(p.provolatile = 'v' AND s.nspname <> 'pg_catalog') AS foreign_volatile
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace
 WHERE p.proname = ANY ($1::text[])
 GROUP BY p.proname
