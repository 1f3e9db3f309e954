-- Carrier, companion session: who sends the rows of table $1, and who owns it here.
SELECT pg_catalog.quote_ident(CURRENT_USER) AS client, pg_catalog.quote_ident(o.rolname) AS owner
FROM ddlrep.replicated_table r
    JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.relid
    JOIN pg_catalog.pg_roles o ON o.oid OPERATOR(pg_catalog.=) c.relowner
WHERE r.table_id OPERATOR(pg_catalog.=) $1
