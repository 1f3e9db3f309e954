-- Called by OperationProgressReader on each node: what a backend does there; no row where it is gone.
-- $1 pid, $2 when it began
SELECT a.state, pg_catalog.concat_ws('/', a.wait_event_type, a.wait_event) AS waits,
       (SELECT coalesce(pg_catalog.string_agg(pg_catalog.concat_ws(' ', 'pid', b.pid, b.usename, b.application_name, b.state), ', '), '')
          FROM pg_catalog.pg_stat_activity b
         WHERE b.pid OPERATOR(pg_catalog.=) ANY (pg_catalog.pg_blocking_pids(a.pid))) AS blockers,
       coalesce(p.command, '') AS command, coalesce(p.phase, '') AS phase,
       CASE WHEN p.phase LIKE 'waiting%' THEN 'lockers' WHEN p.blocks_total OPERATOR(pg_catalog.>) 0 THEN 'blocks' ELSE 'rows' END AS unit,
       coalesce(CASE WHEN p.phase LIKE 'waiting%' THEN p.lockers_done
                     WHEN p.blocks_total OPERATOR(pg_catalog.>) 0 THEN p.blocks_done ELSE p.tuples_done END, 0) AS done,
       coalesce(CASE WHEN p.phase LIKE 'waiting%' THEN p.lockers_total
                     WHEN p.blocks_total OPERATOR(pg_catalog.>) 0 THEN p.blocks_total ELSE p.tuples_total END, 0) AS total
  FROM pg_catalog.pg_stat_activity a
  LEFT JOIN pg_catalog.pg_stat_progress_create_index p ON p.pid OPERATOR(pg_catalog.=) a.pid
 WHERE a.pid OPERATOR(pg_catalog.=) $1::pg_catalog.int4 AND a.backend_start OPERATOR(pg_catalog.=) $2::pg_catalog.timestamptz
