-- CatalogDump: functions, procedures, window functions by their definition; aggregates by their parts.
SELECT format('function %s: %s', p.oid::regprocedure, pg_get_functiondef(p.oid))
FROM pg_proc p
  JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.prokind <> 'a' AND n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')
UNION ALL
SELECT format('aggregate %s: %s', p.oid::regprocedure,
         concat_ws(', ', pg_get_function_result(p.oid), 'kind ' || g.aggkind::text,
           'sfunc ' || g.aggtransfn::regprocedure, 'stype ' || format_type(g.aggtranstype, NULL),
           'finalfunc ' || nullif(g.aggfinalfn::oid, 0)::regprocedure, 'combinefunc ' || nullif(g.aggcombinefn::oid, 0)::regprocedure,
           'initcond ' || g.agginitval, 'sortop ' || nullif(g.aggsortop, 0)::regoperator, 'parallel ' || p.proparallel::text,
           'moving ' || nullif(g.aggmtransfn::oid, 0)::regprocedure))
FROM pg_aggregate g
  JOIN pg_proc p ON p.oid = g.aggfnoid
  JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname !~ '${skipped}'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')
