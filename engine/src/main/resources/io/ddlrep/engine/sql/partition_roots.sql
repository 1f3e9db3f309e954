-- Called by GroupTables in the service session on the origin: the topmost tables that these are partitions of.
-- $1 relids as text[]
SELECT DISTINCT pg_catalog.pg_partition_root(c.oid)::oid AS relid
  FROM pg_catalog.pg_class c
 WHERE c.oid = ANY ($1::oid[]) AND c.relispartition
