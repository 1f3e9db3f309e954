-- Called by GroupTables in the service session on the origin: replicated tables by relid, with partitions below them.
-- $1 relids as text[]
WITH RECURSIVE named AS (
    SELECT r::oid AS relid FROM unnest($1::text[]) r
    UNION
    SELECT i.inhrelid FROM named JOIN pg_catalog.pg_inherits i ON i.inhparent = named.relid
)
SELECT t.table_id, t.publication, t.relid, t.schema_name, t.table_name, t.generation,
       pg_catalog.array_to_string(t.key_columns, pg_catalog.chr(1)) AS key_columns, t.capture, t.shape
  FROM ddlrep.replicated_table t JOIN named ON named.relid = t.relid
 ORDER BY t.table_id
