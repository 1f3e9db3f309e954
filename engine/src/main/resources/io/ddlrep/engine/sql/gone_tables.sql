-- Called by GroupTables in the service session on the origin: tables of a publication that somebody has dropped around ddlrep, and
-- whose names others have now. $1 publication, $2 names as schema.table, unquoted
SELECT t.table_id, t.publication, t.relid, t.schema_name, t.table_name, t.generation,
       pg_catalog.array_to_string(t.key_columns, pg_catalog.chr(1)) AS key_columns, t.capture, t.shape
  FROM ddlrep.replicated_table t
 WHERE t.publication = $1 AND t.schema_name || '.' || t.table_name = ANY ($2::text[])
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = t.relid)
