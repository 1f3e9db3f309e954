-- CatalogDump: what there is once or seldom: schemas, extensions, statistics objects, publications, servers, operators,
-- casts, collations, text search configurations, default privileges, settings of the database.
SELECT format('schema %I', n.nspname) FROM pg_namespace n
WHERE n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_namespace'::regclass AND e.objid = n.oid AND e.deptype = 'e')
UNION ALL
SELECT format('extension %I: schema %I%s', x.extname, n.nspname,
         CASE WHEN ${portable} THEN '' ELSE ', version ' || x.extversion END)
FROM pg_extension x JOIN pg_namespace n ON n.oid = x.extnamespace
UNION ALL
SELECT format('statistics %I.%I: %s%s', n.nspname, s.stxname, pg_get_statisticsobjdef(s.oid),
         ', target ' || nullif(coalesce((to_jsonb(s)->>'stxstattarget')::int, -1), -1))
FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace
WHERE n.nspname !~ '${skipped}'
UNION ALL
SELECT format('publication %I: %s', p.pubname,
         concat_ws(', ',
           CASE WHEN p.puballtables THEN 'all tables' END,
           CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate THEN 'update' END,
           CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END,
           CASE WHEN p.pubviaroot THEN 'via root' END,
           (SELECT string_agg(format('table %s %s%s', r.prrelid::regclass, to_jsonb(r)->>'prattrs',
               ' where ' || pg_get_expr(q.expr, r.prrelid)), ', ' ORDER BY r.prrelid::regclass::text COLLATE "C")
             FROM pg_publication_rel r
             -- The relation has a column prqual from 15 on; before, the name means the one of d.
             CROSS JOIN (SELECT NULL::pg_node_tree AS prqual) d
             CROSS JOIN LATERAL (SELECT prqual AS expr FROM pg_publication_rel own WHERE own.oid = r.oid) q
            WHERE r.prpubid = p.oid)))
FROM pg_publication p WHERE p.pubname !~ '^ddlrep'
UNION ALL
SELECT format('foreign server %I: wrapper %I %s', s.srvname, w.fdwname,
         (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(s.srvoptions) o))
FROM pg_foreign_server s JOIN pg_foreign_data_wrapper w ON w.oid = s.srvfdw WHERE s.srvname !~ '^ddlrep'
UNION ALL
SELECT format('operator %s: calls %s, commutator %s, negator %s', o.oid::regoperator, o.oprcode,
         nullif(o.oprcom, 0)::regoperator, nullif(o.oprnegate, 0)::regoperator)
FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
WHERE n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_operator'::regclass AND e.objid = o.oid AND e.deptype = 'e')
UNION ALL
SELECT format('cast (%s as %s): %s, method %s, context %s', k.castsource::regtype, k.casttarget::regtype,
         nullif(k.castfunc, 0)::regprocedure, k.castmethod, k.castcontext)
FROM pg_cast k
WHERE k.oid >= 16384
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_cast'::regclass AND e.objid = k.oid AND e.deptype = 'e')
UNION ALL
SELECT format('collation %I.%I: provider %s, deterministic %s, locale %s', n.nspname, k.collname, k.collprovider,
         k.collisdeterministic, coalesce(k.collcollate, to_jsonb(k)->>'colllocale', to_jsonb(k)->>'colliculocale'))
FROM pg_collation k JOIN pg_namespace n ON n.oid = k.collnamespace
WHERE n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_collation'::regclass AND e.objid = k.oid AND e.deptype = 'e')
UNION ALL
SELECT format('text search configuration %s: parser %I, %s', f.oid::regconfig, r.prsname,
         (SELECT string_agg(m.maptokentype || '/' || m.mapseqno || '=' || m.mapdict::regdictionary, ' '
             ORDER BY m.maptokentype, m.mapseqno) FROM pg_ts_config_map m WHERE m.mapcfg = f.oid))
FROM pg_ts_config f
  JOIN pg_namespace n ON n.oid = f.cfgnamespace
  JOIN pg_ts_parser r ON r.oid = f.cfgparser
WHERE n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_ts_config'::regclass AND e.objid = f.oid AND e.deptype = 'e')
UNION ALL
SELECT format('setting of the database: %s', o)
FROM pg_db_role_setting g, unnest(g.setconfig) o
WHERE g.setrole = 0 AND g.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) AND o !~ '^ddlrep'
