-- Called by ConstantDefaults in the client's session, which has added columns to a table: the one value that the server has
-- stored for all rows of each, and the default for rows to come. $1 the table, $2 it with its partitions, $3 the columns.
-- A column is missing here that has no such value in some table, or where the session's settings would write it
-- in a way that may be read as another.
SELECT a.attname AS name, pg_catalog.min(v.texts[1]) AS value,
       (SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid)
          FROM pg_catalog.pg_attrdef d JOIN pg_catalog.pg_attribute t
            ON t.attrelid OPERATOR(pg_catalog.=) d.adrelid AND t.attnum OPERATOR(pg_catalog.=) d.adnum
         WHERE d.adrelid OPERATOR(pg_catalog.=) $1::pg_catalog.oid
           AND t.attname OPERATOR(pg_catalog.=) a.attname) AS later
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) c.oid
 CROSS JOIN LATERAL (SELECT a.attmissingval::pg_catalog.text::pg_catalog.text[] AS texts) v
 WHERE c.oid OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.oid[]) AND c.relkind OPERATOR(pg_catalog.=) 'r'
   AND a.attname OPERATOR(pg_catalog.=) ANY ($3::pg_catalog.text[])
   AND pg_catalog.current_setting('array_nulls') OPERATOR(pg_catalog.=) 'on'
   AND pg_catalog.current_setting('DateStyle') OPERATOR(pg_catalog.~) '^ISO'
   AND pg_catalog.current_setting('IntervalStyle') OPERATOR(pg_catalog.<>) 'sql_standard'
   AND pg_catalog.current_setting('extra_float_digits')::pg_catalog.int4 OPERATOR(pg_catalog.>) 0
 GROUP BY a.attname
HAVING pg_catalog.bool_and(a.atthasmissing AND pg_catalog.cardinality(v.texts) OPERATOR(pg_catalog.=) 1)
   AND pg_catalog.min(v.texts[1]) OPERATOR(pg_catalog.=) pg_catalog.max(v.texts[1])
