-- CatalogDump: definitions of sequences. Positions are a different matter: see positions.sql.
SELECT format('sequence %s: %s', s.seqrelid::regclass,
         concat_ws(', ',
           format_type(s.seqtypid, NULL),
           CASE c.relpersistence WHEN 'u' THEN 'unlogged' WHEN 't' THEN 'temporary' END,
           'start ' || s.seqstart, 'increment ' || s.seqincrement, 'min ' || s.seqmin, 'max ' || s.seqmax,
           'cache ' || s.seqcache,
           CASE WHEN s.seqcycle THEN 'cycle' END,
           (SELECT CASE d.deptype WHEN 'i' THEN 'identity of ' ELSE 'owned by ' END || d.refobjid::regclass || '.' || a.attname
             FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
             WHERE d.classid = 'pg_class'::regclass AND d.objid = s.seqrelid AND d.refclassid = 'pg_class'::regclass
               AND d.deptype IN ('a', 'i'))))
FROM pg_sequence s
  JOIN pg_class c ON c.oid = s.seqrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
