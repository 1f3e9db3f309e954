-- Called by GroupTables in a service session on the origin: tables that a backend has locked as only DDL locks them. $1 pid
SELECT DISTINCT l.relation AS relid
  FROM pg_catalog.pg_locks l
 WHERE l.locktype = 'relation' AND l.granted AND l.pid = $1::int
   AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())
   AND l.mode IN ('ShareUpdateExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
