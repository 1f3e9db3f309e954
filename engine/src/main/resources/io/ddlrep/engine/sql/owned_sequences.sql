-- Called by SequencePositions in the client's session: sequences that belong to columns of tables. $1 relids as text[]
SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname) AS name
  FROM pg_catalog.pg_depend d
  JOIN pg_catalog.pg_class c ON c.oid = d.objid AND c.relkind = 'S'
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
 WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
   AND d.deptype IN ('a', 'i') AND d.refobjid = ANY ($1::oid[])
