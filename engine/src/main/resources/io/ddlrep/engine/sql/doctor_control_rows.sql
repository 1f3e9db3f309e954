-- Called by GroupDoctor on each node, with search_path pinned: what must be the same on all of them. The key is not told, only
-- a digest of it together with the rest.
SELECT encode(sha256(convert_to(concat_ws('|', (SELECT string_agg(encode(s.key, 'hex'), '') FROM ddlrep.secret s),
    (SELECT string_agg(concat_ws(',', n.name, n.host, n.port, n.database, n.system_identifier, n.database_oid), ';' ORDER BY n.name) FROM ddlrep.node n),
    (SELECT string_agg(concat_ws(',', p.name, p.origin, p.scope, p.schemas), ';' ORDER BY p.name) FROM ddlrep.publication p)), 'UTF8')), 'hex') AS digest
