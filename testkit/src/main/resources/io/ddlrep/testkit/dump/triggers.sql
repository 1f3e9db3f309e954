-- CatalogDump: triggers but ddlrep's own (copies on partitions were marked internal up to 14: not in the portable form),
-- event triggers, rules but those that make a view a view, policies.
SELECT format('trigger %s %I: %s, fires %s%s', g.tgrelid::regclass, g.tgname, pg_get_triggerdef(g.oid),
         CASE g.tgenabled WHEN 'O' THEN 'on origin' WHEN 'D' THEN 'never' WHEN 'R' THEN 'on replica' ELSE 'always' END,
         CASE WHEN g.tgparentid <> 0 THEN ', of the partitioned table' ELSE '' END)
FROM pg_trigger g
  JOIN pg_class c ON c.oid = g.tgrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_proc p ON p.oid = g.tgfoid
  JOIN pg_namespace pn ON pn.oid = p.pronamespace
WHERE NOT g.tgisinternal AND NOT (${portable} AND g.tgparentid <> 0) AND n.nspname !~ '${skipped}' AND g.tgname !~ '^!?ddlrep' AND pn.nspname !~ '^ddlrep'
UNION ALL
SELECT format('event trigger %I: on %s, when %s, calls %s, fires %s', e.evtname, e.evtevent,
         array_to_string(e.evttags, ', '), e.evtfoid::regprocedure, e.evtenabled)
FROM pg_event_trigger e
  JOIN pg_proc p ON p.oid = e.evtfoid
  JOIN pg_namespace pn ON pn.oid = p.pronamespace
WHERE e.evtname !~ '^!?ddlrep' AND pn.nspname !~ '^ddlrep'
UNION ALL
SELECT format('rule %s %I: %s, fires %s', r.ev_class::regclass, r.rulename, pg_get_ruledef(r.oid), r.ev_enabled)
FROM pg_rewrite r
  JOIN pg_class c ON c.oid = r.ev_class
  JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE r.rulename <> '_RETURN' AND n.nspname !~ '${skipped}'
UNION ALL
SELECT format('policy %s %I: %s', y.polrelid::regclass, y.polname,
         concat_ws(', ',
           CASE WHEN y.polpermissive THEN 'permissive' ELSE 'restrictive' END,
           'for ' || y.polcmd::text,
           'to ' || (SELECT string_agg(coalesce(r.rolname, 'public'), ' ' ORDER BY r.rolname COLLATE "C")
             FROM unnest(y.polroles) o LEFT JOIN pg_roles r ON r.oid = o),
           'using ' || pg_get_expr(y.polqual, y.polrelid),
           'check ' || pg_get_expr(y.polwithcheck, y.polrelid)))
FROM pg_policy y
  JOIN pg_class c ON c.oid = y.polrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname !~ '${skipped}'
