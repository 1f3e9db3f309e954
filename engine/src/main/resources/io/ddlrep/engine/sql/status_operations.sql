-- Called by GroupStatusReader on the origin: the last $1 operations and all that are not finished, newest first.
SELECT o.op, o.state, o.actor, o.coordinator, o.started, o.finished, o.result,
       pg_catalog.array_to_string(o.publications, ', ') AS publications,
       (SELECT pg_catalog.string_agg(coalesce(s ->> 'text', s #>> '{}'), '; ') FROM pg_catalog.jsonb_array_elements(o.statements) s) AS statements
  FROM ddlrep.ddl_operation o
 WHERE o.state IN ('open', 'unresolved')
    OR o.op IN (SELECT l.op FROM ddlrep.ddl_operation l ORDER BY l.started DESC LIMIT $1)
 ORDER BY o.started DESC
