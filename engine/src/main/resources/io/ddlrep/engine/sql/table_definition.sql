-- Called by ReplicaForm in the client's session: what CREATE TABLE AS or SELECT INTO has made, as CREATE TABLE. $1 name, quoted, $2 its
-- oid. Names of types are as the session's search_path has them, which companions share.
SELECT 'CREATE TABLE IF NOT EXISTS ' OPERATOR(pg_catalog.||) $1 OPERATOR(pg_catalog.||) ' (' OPERATOR(pg_catalog.||)
       coalesce((SELECT pg_catalog.string_agg(
               pg_catalog.quote_ident(a.attname) OPERATOR(pg_catalog.||) ' ' OPERATOR(pg_catalog.||) pg_catalog.format_type(a.atttypid, a.atttypmod)
               OPERATOR(pg_catalog.||) CASE WHEN a.attcollation OPERATOR(pg_catalog.<>) t.typcollation THEN
                   ' COLLATE ' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(s.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(l.collname)
                   ELSE '' END, ', ' ORDER BY a.attnum)
          FROM pg_catalog.pg_attribute a
          JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
          LEFT JOIN pg_catalog.pg_collation l ON l.oid OPERATOR(pg_catalog.=) a.attcollation
          LEFT JOIN pg_catalog.pg_namespace s ON s.oid OPERATOR(pg_catalog.=) l.collnamespace
         WHERE a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attnum OPERATOR(pg_catalog.>) 0), '') OPERATOR(pg_catalog.||) ')'
       OPERATOR(pg_catalog.||) ' USING ' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(m.amname)
       OPERATOR(pg_catalog.||) coalesce(' WITH (' OPERATOR(pg_catalog.||) (SELECT pg_catalog.string_agg(o.prefix
               OPERATOR(pg_catalog.||) pg_catalog.quote_ident(pg_catalog.split_part(o.text, '=', 1)) OPERATOR(pg_catalog.||) ' = '
               OPERATOR(pg_catalog.||) pg_catalog.quote_literal(pg_catalog.substr(o.text, pg_catalog.strpos(o.text, '=') OPERATOR(pg_catalog.+) 1)), ', ')
          FROM (SELECT '' AS prefix, x.text FROM pg_catalog.unnest(c.reloptions) AS x(text)
                UNION ALL SELECT 'toast.', x.text FROM pg_catalog.pg_class d CROSS JOIN pg_catalog.unnest(d.reloptions) AS x(text)
                 WHERE d.oid OPERATOR(pg_catalog.=) c.reltoastrelid) o) OPERATOR(pg_catalog.||) ')', '')
       OPERATOR(pg_catalog.||) coalesce(' TABLESPACE ' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(p.spcname), '') AS definition
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_am m ON m.oid OPERATOR(pg_catalog.=) c.relam
  LEFT JOIN pg_catalog.pg_tablespace p ON p.oid OPERATOR(pg_catalog.=) c.reltablespace
 WHERE c.oid OPERATOR(pg_catalog.=) $2::pg_catalog.oid
