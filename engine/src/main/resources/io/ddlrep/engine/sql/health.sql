-- Called by Health in the service session of every node. $1 group id, $2 node name, $3 table names, quoted;
-- $4 the client's login role
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
       (SELECT pg_catalog.string_agg(n.name || '=' || coalesce(f.hash, 'missing'), pg_catalog.chr(1) ORDER BY n.name)
          FROM unnest($3::text[]) AS n(name)
          LEFT JOIN ddlrep.fingerprint_hash(ARRAY(SELECT ddlrep.relation(m) FROM unnest($3::text[]) m)) f
            ON f.relid = ddlrep.relation(n.name)) AS fingerprints,
       ddlrep.preparer($4) AS preparer
  FROM ddlrep.self s
