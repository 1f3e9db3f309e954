-- CatalogDump: enums, domains, ranges and base types. Composite types stand with the relations.
SELECT format('type %s: %s', t.oid::regtype,
         CASE t.typtype
           WHEN 'e' THEN 'enum ' || coalesce((SELECT string_agg(quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder)
             FROM pg_enum l WHERE l.enumtypid = t.oid), '')
           WHEN 'd' THEN concat_ws(', ', 'domain over ' || format_type(t.typbasetype, t.typtypmod),
             CASE WHEN t.typnotnull THEN 'not null' END, 'default ' || t.typdefault,
             'collate ' || CASE WHEN t.typcollation <> b.typcollation THEN t.typcollation::regcollation::text END)
           WHEN 'r' THEN (SELECT concat_ws(', ', 'range of ' || format_type(r.rngsubtype, NULL),
               'opclass ' || o.opcname, 'collate ' || nullif(r.rngcollation, 0)::regcollation,
               'canonical ' || nullif(r.rngcanonical::oid, 0)::regproc, 'subdiff ' || nullif(r.rngsubdiff::oid, 0)::regproc,
               'multirange ' || r.rngmultitypid::regtype)
             FROM pg_range r JOIN pg_opclass o ON o.oid = r.rngsubopc WHERE r.rngtypid = t.oid)
           ELSE concat_ws(', ', 'base type', 'in ' || t.typinput::regproc, 'out ' || t.typoutput::regproc,
             'length ' || t.typlen, 'align ' || t.typalign::text, 'storage ' || t.typstorage::text,
             CASE WHEN NOT t.typisdefined THEN 'shell' END) END)
FROM pg_type t
  JOIN pg_namespace n ON n.oid = t.typnamespace
  LEFT JOIN pg_type b ON b.oid = t.typbasetype
WHERE t.typtype IN ('e', 'd', 'r', 'b') AND n.nspname !~ '${skipped}'
  -- An array type goes with its element type.
  AND NOT EXISTS (SELECT FROM pg_type el WHERE el.typarray = t.oid)
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_type'::regclass AND e.objid = t.oid AND e.deptype = 'e')
