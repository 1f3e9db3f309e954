-- Called by GroupStatusReader on each node.
SELECT pg_catalog.current_setting('server_version') AS server_version,
       (SELECT pg_catalog.max(v.version) FROM ddlrep.schema_version v) AS schema_version,
       (SELECT s.system_identifier = c.system_identifier AND s.database_oid = d.oid
          FROM ddlrep.self s, pg_catalog.pg_control_system() c, pg_catalog.pg_database d
         WHERE d.datname = pg_catalog.current_database()) AS same_identity,
       pg_catalog.current_setting('max_prepared_transactions')::int AS max_prepared,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_prepared_xacts x, ddlrep.self s
         WHERE x.database = pg_catalog.current_database() AND pg_catalog.starts_with(x.gid, 'ddlrep:' || s.group_id || ':')) AS prepared,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_event_trigger e WHERE e.evtname LIKE 'ddlrep\_guard\_%' AND e.evtenabled = 'A') = 4 AS guarded
