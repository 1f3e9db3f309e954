-- Synchronizer, replica: the generation that table $1 is at here, and who owns it; and the transaction, which the tickets are
-- bound to. Asked behind ddlrep.hold_table().
SELECT r.generation, quote_ident(o.rolname) AS owner, pg_current_xact_id()::text AS xid
FROM ddlrep.replicated_table r JOIN pg_class c ON c.oid = r.relid JOIN pg_roles o ON o.oid = c.relowner
WHERE r.table_id = $1
