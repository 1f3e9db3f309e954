-- Called by GroupStatusReader on the origin: the last $1 operations, newest first.
SELECT o.op, o.state, o.actor, o.coordinator, o.started, o.finished, o.result,
       pg_catalog.array_to_string(o.publications, ', ') AS publications,
       (SELECT pg_catalog.string_agg(coalesce(s ->> 'text', s #>> '{}'), '; ') FROM pg_catalog.jsonb_array_elements(o.statements) s) AS statements
  FROM ddlrep.ddl_operation o ORDER BY o.started DESC LIMIT $1
