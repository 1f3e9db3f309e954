-- Called by CodeText in the client's session: the bodies of the functions and procedures in SQL of a name, whatever their schema and
-- arguments; the call stack tells no more than the name. $1 name. One that has a BEGIN ATOMIC body can hold no DDL.
SELECT DISTINCT p.prosrc AS source
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid OPERATOR(pg_catalog.=) p.prolang
 WHERE p.proname OPERATOR(pg_catalog.=) $1::pg_catalog.text AND l.lanname OPERATOR(pg_catalog.=) 'sql'
   AND p.prosqlbody IS NULL
