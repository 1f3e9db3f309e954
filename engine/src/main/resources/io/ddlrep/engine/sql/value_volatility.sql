-- Called by ValuePolicy in the client's session: what is known of the functions and operators of these names, and of casts
-- that users have made. $1 functions and $2 operators, names without schema; $3 whether anything is cast.
-- The volatile functions of pgcrypto and uuid-ossp draw random numbers and read the clock, nothing else: they may run anywhere.
-- The server's own operators and casts that are only stable depend on settings, which are the same in all sessions.
SELECT p.proname AS name,
       pg_catalog.bool_or(p.provolatile OPERATOR(pg_catalog.<>) 'i') AS changing,
       pg_catalog.bool_or(p.provolatile OPERATOR(pg_catalog.=) 'v' AND s.nspname OPERATOR(pg_catalog.<>) 'pg_catalog'
           AND NOT EXISTS (
               SELECT FROM pg_catalog.pg_depend d
                 JOIN pg_catalog.pg_extension e ON e.oid OPERATOR(pg_catalog.=) d.refobjid
                WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass
                  AND d.objid OPERATOR(pg_catalog.=) p.oid
                  AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
                  AND d.deptype OPERATOR(pg_catalog.=) 'e'
                  AND e.extname OPERATOR(pg_catalog.=) ANY (ARRAY['pgcrypto', 'uuid-ossp']::pg_catalog.name[]))) AS foreign_volatile
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) p.pronamespace
 WHERE p.proname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
 GROUP BY p.proname
UNION ALL
SELECT p.proname, true, p.provolatile OPERATOR(pg_catalog.=) 'v'
  FROM pg_catalog.pg_operator o
  JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) o.oprcode
  JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) p.pronamespace
 WHERE o.oprname OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.text[])
   AND p.provolatile OPERATOR(pg_catalog.<>) 'i' AND s.nspname OPERATOR(pg_catalog.<>) 'pg_catalog'
UNION ALL
SELECT p.proname, true, false
  FROM pg_catalog.pg_cast c
  JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) c.castfunc
  JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) p.pronamespace
 WHERE $3::pg_catalog.bool
   AND p.provolatile OPERATOR(pg_catalog.<>) 'i' AND s.nspname OPERATOR(pg_catalog.<>) 'pg_catalog'
