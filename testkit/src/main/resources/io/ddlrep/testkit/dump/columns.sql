-- CatalogDump: columns, by name: their physical order may differ between nodes and means nothing to SQL by name;
-- only in a composite type it is part of every value.
SELECT format('column %I.%I.%I: %s', n.nspname, c.relname, a.attname,
         concat_ws(', ',
           CASE WHEN c.relkind = 'c' THEN 'position ' || (SELECT count(*) FROM pg_attribute o WHERE o.attrelid = a.attrelid
             AND o.attnum > 0 AND NOT o.attisdropped AND o.attnum <= a.attnum) END,
           format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attnotnull THEN 'not null' END,
           CASE WHEN a.attgenerated = '' THEN 'default ' || pg_get_expr(d.adbin, d.adrelid)
             ELSE 'generated ' || CASE a.attgenerated WHEN 's' THEN 'stored ' ELSE 'virtual ' END
               || pg_get_expr(d.adbin, d.adrelid) END,
           CASE a.attidentity WHEN 'a' THEN 'identity always' WHEN 'd' THEN 'identity by default' END,
           'collate ' || CASE WHEN a.attcollation <> t.typcollation THEN a.attcollation::regcollation::text END,
           CASE WHEN a.attstorage <> t.typstorage THEN 'storage ' || CASE a.attstorage WHEN 'p' THEN 'plain'
             WHEN 'e' THEN 'external' WHEN 'm' THEN 'main' ELSE 'extended' END END,
           CASE a.attcompression WHEN 'p' THEN 'compression pglz' WHEN 'l' THEN 'compression lz4' END,
           'statistics ' || nullif(coalesce((to_jsonb(a)->>'attstattarget')::int, -1), -1),
           'options ' || (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(a.attoptions) o),
           'foreign options ' || (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(a.attfdwoptions) o),
           CASE WHEN NOT a.attislocal THEN 'inherited' WHEN a.attinhcount > 0 THEN 'local and inherited' END))
FROM pg_attribute a
  JOIN pg_class c ON c.oid = a.attrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'c')
  AND n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
