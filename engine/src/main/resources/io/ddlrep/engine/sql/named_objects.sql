-- Called by NamedObjects in the client's session and its companions: what names mean there. $1 kinds, $2 schemas, empty where
-- $4, the origin's schemas in the order of its search, decide; $3 names. One row for each, in order; found is null where nothing
-- has the name. Rights do not matter: the statement finds out itself.
SELECT CASE
       WHEN w.kind OPERATOR(pg_catalog.=) 'role' THEN (SELECT r.rolname::pg_catalog.text FROM pg_catalog.pg_roles r
                          WHERE r.rolname OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'schema' THEN (SELECT n.nspname::pg_catalog.text FROM pg_catalog.pg_namespace n
                            WHERE n.nspname OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'extension' THEN (SELECT x.extname::pg_catalog.text FROM pg_catalog.pg_extension x
                               WHERE x.extname OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'available extension' THEN (SELECT x.name::pg_catalog.text FROM pg_catalog.pg_available_extensions x
                                         WHERE x.name OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'language' THEN (SELECT l.lanname::pg_catalog.text FROM pg_catalog.pg_language l
                              WHERE l.lanname OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'access method' THEN (SELECT a.amname::pg_catalog.text FROM pg_catalog.pg_am a
                                   WHERE a.amname OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'foreign-data wrapper' THEN (SELECT f.fdwname::pg_catalog.text FROM pg_catalog.pg_foreign_data_wrapper f
                                          WHERE f.fdwname OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'server' THEN (SELECT f.srvname::pg_catalog.text FROM pg_catalog.pg_foreign_server f
                            WHERE f.srvname OPERATOR(pg_catalog.=) w.name)
       WHEN w.kind OPERATOR(pg_catalog.=) 'tablespace' THEN (SELECT t.spcname::pg_catalog.text FROM pg_catalog.pg_tablespace t
                                WHERE t.spcname OPERATOR(pg_catalog.=) w.name)
       ELSE (SELECT pg_catalog.format('%I.%I', n.nspname, o.name)
               FROM (SELECT c.relname AS name, c.relnamespace AS schema FROM pg_catalog.pg_class c
                      WHERE w.kind OPERATOR(pg_catalog.=) 'relation'
                     UNION ALL
                     SELECT t.typname, t.typnamespace FROM pg_catalog.pg_type t WHERE w.kind OPERATOR(pg_catalog.=) 'type'
                     UNION ALL
                     SELECT p.proname, p.pronamespace FROM pg_catalog.pg_proc p
                      WHERE w.kind OPERATOR(pg_catalog.=) 'function') AS o(name, schema)
               JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) o.schema
               JOIN pg_catalog.unnest(CASE WHEN w.schema OPERATOR(pg_catalog.=) '' THEN ($4::pg_catalog.text)::pg_catalog.name[]
                                      ELSE ARRAY[w.schema] END) WITH ORDINALITY AS path(name, i)
                    ON path.name OPERATOR(pg_catalog.=) n.nspname
              WHERE o.name OPERATOR(pg_catalog.=) w.name
              ORDER BY path.i
              LIMIT 1)
       END AS found
  FROM (SELECT k.kind, k.schema::pg_catalog.name AS schema, k.name::pg_catalog.name AS name, k.i
          FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[]),
                          pg_catalog.unnest($3::pg_catalog.text[])) WITH ORDINALITY AS k(kind, schema, name, i)) AS w
 ORDER BY w.i
