-- Called by Resolution in the client's session: relations by the session's own search_path.
-- $1 names, quoted. One row for each name that is a relation; an index stands for its table.
SELECT n.i AS ordinal,
       c.oid AS relid,
       c.relkind AS kind,
       c.relpersistence AS persistence,
       s.nspname AS schema,
       c.relname AS name,
       coalesce(x.indrelid, 0) AS table_of_index,
       -- The service does not see what this transaction made.
       CASE WHEN c.relhassubclass THEN (
           WITH RECURSIVE tree AS (
               SELECT i.inhrelid FROM pg_catalog.pg_inherits i WHERE i.inhparent OPERATOR(pg_catalog.=) c.oid
               UNION
               SELECT i.inhrelid FROM tree JOIN pg_catalog.pg_inherits i ON i.inhparent OPERATOR(pg_catalog.=) tree.inhrelid)
           SELECT pg_catalog.string_agg(t.inhrelid::pg_catalog.text, ',') FROM tree t) END AS below
  FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS n(name, i)
  JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(n.name)
  JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace
  LEFT JOIN pg_catalog.pg_index x ON x.indexrelid OPERATOR(pg_catalog.=) c.oid
 ORDER BY n.i
