-- Called by GroupReader on any node: nodes (rows with a port) and publications with their replicas (rows without), in one go.
-- Sub-selects, not a join with ddlrep.self: of a table that was never analysed the planner expects hundreds of rows.
SELECT (SELECT s.group_id FROM ddlrep.self s) AS group_id, (SELECT s.node FROM ddlrep.self s) AS self,
       n.name, n.host, n.port, n.database,
       NULL AS origin, NULL AS scope, NULL AS schemas, NULL AS node, NULL AS state, NULL AS reason
  FROM ddlrep.node n
UNION ALL
SELECT (SELECT s.group_id FROM ddlrep.self s), (SELECT s.node FROM ddlrep.self s), p.name, NULL, NULL, NULL,
       p.origin, p.scope, pg_catalog.array_to_string(p.schemas, pg_catalog.chr(1)), r.node, r.state, coalesce(r.reason, '')
  FROM ddlrep.publication p LEFT JOIN ddlrep.publication_node r ON r.publication OPERATOR(pg_catalog.=) p.name
 ORDER BY 3, 10
