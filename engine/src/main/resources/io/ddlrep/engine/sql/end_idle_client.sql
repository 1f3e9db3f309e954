-- Called by TriggerClientSession in a service session: ends the client's backend where it has been idle in its transaction
-- for the limit. $1 pid, $2 start in microseconds, $3 limit in milliseconds. No row: the backend is gone.
SELECT CASE WHEN a.state LIKE 'idle in transaction%'
                 AND pg_catalog.clock_timestamp() - a.state_change >= $3::bigint * interval '1 millisecond'
            THEN pg_catalog.pg_terminate_backend(a.pid, 5000) ELSE false END AS ended
  FROM pg_catalog.pg_stat_activity a
 WHERE a.pid = $1::int AND (extract(epoch FROM a.backend_start) * 1000000)::bigint = $2::bigint
