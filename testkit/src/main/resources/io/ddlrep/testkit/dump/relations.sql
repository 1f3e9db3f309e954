-- CatalogDump: tables, partitioned and foreign tables, views, composite types: everything about them but their columns.
-- Columns that not every major has are read through to_jsonb, which gives NULL where they are missing.
SELECT format('%s %I.%I: %s',
         CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'f' THEN 'foreign table'
           WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'composite type' END,
         n.nspname, c.relname,
         concat_ws(', ',
           CASE c.relpersistence WHEN 'u' THEN 'unlogged' WHEN 't' THEN 'temporary' END,
           'using ' || am.amname,
           'of ' || format_type(nullif(c.reloftype, 0), NULL),
           'tablespace ' || s.spcname,
           'options ' || (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(c.reloptions) o),
           'toast options ' || (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(t.reloptions) o),
           CASE WHEN c.relrowsecurity THEN 'row security' END,
           CASE WHEN c.relforcerowsecurity THEN 'forced row security' END,
           CASE WHEN c.relkind IN ('r', 'p') THEN 'replica identity ' || CASE c.relreplident
             WHEN 'd' THEN 'default' WHEN 'n' THEN 'nothing' WHEN 'f' THEN 'full' ELSE 'index '
               || (SELECT r.indexrelid::regclass FROM pg_index r WHERE r.indrelid = c.oid AND r.indisreplident) END END,
           'clustered on ' || (SELECT i.indexrelid::regclass FROM pg_index i WHERE i.indrelid = c.oid AND i.indisclustered),
           'partition by ' || CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END,
           'partition ' || pg_get_expr(c.relpartbound, c.oid),
           'inherits ' || (SELECT string_agg(i.inhparent::regclass::text
               || CASE WHEN coalesce((to_jsonb(i)->>'inhdetachpending')::boolean, false) THEN ' (detach pending)' ELSE '' END,
               ', ' ORDER BY i.inhseqno) FROM pg_inherits i WHERE i.inhrelid = c.oid),
           'server ' || (SELECT fs.srvname || ' ' || coalesce((SELECT string_agg(o, ', ' ORDER BY o COLLATE "C")
               FROM unnest(ft.ftoptions) o), '')
             FROM pg_foreign_table ft JOIN pg_foreign_server fs ON fs.oid = ft.ftserver WHERE ft.ftrelid = c.oid),
           CASE WHEN c.relkind = 'm' AND NOT c.relispopulated THEN 'not populated' END,
           CASE WHEN c.relkind IN ('v', 'm') THEN 'as ' || pg_get_viewdef(c.oid) END))
FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_am am ON am.oid = c.relam
  LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
  LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'c') AND n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
