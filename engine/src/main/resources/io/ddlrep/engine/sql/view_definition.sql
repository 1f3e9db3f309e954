-- Called by ReplicaForm in the client's session, which has made the view $1, $2: a statement that makes it on a replica, with the
-- points in time that the origin has read from strings such as 'now'. Its name stays as the client may see it.
SELECT 'CREATE OR REPLACE VIEW ' OPERATOR(pg_catalog.||) $1
       OPERATOR(pg_catalog.||) COALESCE(' WITH (' OPERATOR(pg_catalog.||) pg_catalog.array_to_string(c.reloptions, ', ') OPERATOR(pg_catalog.||) ')', '')
       OPERATOR(pg_catalog.||) ' AS ' OPERATOR(pg_catalog.||) pg_catalog.pg_get_viewdef(c.oid) AS definition
  FROM pg_catalog.pg_class c
 WHERE c.oid OPERATOR(pg_catalog.=) $2::pg_catalog.oid
