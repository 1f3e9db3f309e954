-- Called by GroupTables in the service session on the origin: tables of a publication that somebody has dropped around ddlrep, and
-- whose names others have now. $1 publication, $2 names as schema.table, unquoted
SELECT t.relid FROM ddlrep.replicated_table t
 WHERE t.publication = $1 AND t.schema_name || '.' || t.table_name = ANY ($2::text[])
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = t.relid)
