-- Called by Resolution in the client's session: relations by the session's own search_path.
-- $1 names, quoted. One row for each name that is a relation; an index stands for its table.
SELECT n.i AS ordinal,
       c.oid AS relid,
       c.relkind AS kind,
       c.relpersistence AS persistence,
       s.nspname AS schema,
       c.relname AS name,
       coalesce(x.indrelid, 0) AS table_of_index
  FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS n(name, i)
  JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(n.name)
  JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace
  LEFT JOIN pg_catalog.pg_index x ON x.indexrelid OPERATOR(pg_catalog.=) c.oid
 ORDER BY n.i
