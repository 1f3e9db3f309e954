-- Called by Health in the service session of every node. $1 group id, $2 node name, $3 table names, quoted;
-- $4 the client's login role; $5 how long to wait for a lock, in milliseconds: to print the definition of a table, the
-- server locks it; $6 the client's process, in a transaction block on this node that may hold such a lock itself, or 0
SELECT pg_catalog.set_config('lock_timeout', $5::text, true);
SELECT s.group_id, s.node,
       -- A clone of a server has its identifier, but was not started in the same microsecond.
       s.system_identifier || '/' || extract(epoch FROM pg_catalog.pg_postmaster_start_time()) AS server,
       s.system_identifier = (SELECT system_identifier FROM pg_catalog.pg_control_system()) AS same_system,
       s.database_oid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()) AS same_database,
       pg_catalog.pg_is_in_recovery() AS in_recovery,
       (SELECT max(v.version) FROM ddlrep.schema_version v) AS version,
       pg_catalog.current_setting('max_prepared_transactions')::int AS prepared_limit,
       (SELECT count(*) FROM pg_catalog.pg_prepared_xacts) AS prepared_used,
       (SELECT pg_catalog.string_agg(p.gid, ', ') FROM pg_catalog.pg_prepared_xacts p
         WHERE p.database = pg_catalog.current_database()
           AND pg_catalog.starts_with(p.gid, 'ddlrep:' || $1 || ':' || $2 || ':')) AS unresolved,
       h.held,
       CASE WHEN NOT h.held THEN
       (SELECT pg_catalog.string_agg(n.name || '=' || coalesce(f.hash, 'missing'), pg_catalog.chr(1) ORDER BY n.name)
          FROM unnest($3::text[]) AS n(name)
          LEFT JOIN ddlrep.fingerprint_hash(ARRAY(SELECT ddlrep.relation(m) FROM unnest($3::text[]) m)) f
            ON f.relid = ddlrep.relation(n.name)) END AS fingerprints,
       ddlrep.preparer($4) AS preparer
  FROM ddlrep.self s,
       LATERAL (SELECT $6::int <> 0 AND EXISTS (SELECT FROM pg_catalog.pg_locks l
           WHERE l.pid = $6::int AND l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' AND l.granted)) AS h(held)
