-- CatalogDump: indexes.
SELECT format('index %s: %s', i.indexrelid::regclass,
         concat_ws(', ',
           pg_get_indexdef(i.indexrelid),
           CASE WHEN NOT i.indisvalid THEN 'INVALID' END,
           CASE WHEN NOT i.indisready THEN 'NOT READY' END,
           CASE WHEN i.indisprimary THEN 'primary' END,
           CASE WHEN i.indisexclusion THEN 'exclusion' END,
           CASE WHEN NOT i.indimmediate THEN 'deferrable' END,
           'tablespace ' || s.spcname,
           'attached to ' || (SELECT h.inhparent::regclass FROM pg_inherits h WHERE h.inhrelid = i.indexrelid),
           'statistics ' || (SELECT string_agg(a.attnum || '=' || (to_jsonb(a)->>'attstattarget'), ' ' ORDER BY a.attnum)
             FROM pg_attribute a WHERE a.attrelid = i.indexrelid AND coalesce((to_jsonb(a)->>'attstattarget')::int, -1) <> -1)))
FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
WHERE n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = i.indrelid AND e.deptype = 'e')
