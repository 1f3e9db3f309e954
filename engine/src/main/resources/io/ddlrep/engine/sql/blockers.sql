-- Called by LockStep in a service session: who holds or awaits a lock on these tables. $1 names, quoted; $2 own pids as text[]
SELECT coalesce(a.pid::text, 'prepared ' || p.gid, 'transaction ' || l.virtualtransaction) AS who,
       coalesce(a.application_name, '') AS application,
       coalesce(a.state, 'prepared') AS state,
       coalesce(pg_catalog.age(pg_catalog.clock_timestamp(), coalesce(a.xact_start, p.prepared))::text, '') AS age,
       l.mode, l.relation::regclass::text AS relation,
       coalesce(pg_catalog.left(pg_catalog.regexp_replace(a.query, '\s+', ' ', 'g'), 120), '') AS query
  FROM pg_catalog.pg_locks l
  LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
  -- A prepared transaction keeps the virtual id of the session that made it; its lock on its own xid says which it is.
  LEFT JOIN pg_catalog.pg_locks x ON l.pid IS NULL AND x.pid IS NULL AND x.locktype = 'transactionid' AND x.granted
       AND x.virtualtransaction = l.virtualtransaction
  LEFT JOIN pg_catalog.pg_prepared_xacts p ON p.transaction = x.transactionid
 WHERE l.locktype = 'relation' AND l.granted
   AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
   AND l.relation IN (SELECT ddlrep.relation(n) FROM unnest($1::text[]) n)
   AND (x.transactionid IS NULL OR p.gid IS NOT NULL)
   AND (l.pid IS NULL OR NOT l.pid::text = ANY ($2::text[]))
 ORDER BY a.xact_start NULLS LAST
 LIMIT 10
