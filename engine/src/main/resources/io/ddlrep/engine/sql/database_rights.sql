-- Called by UnseenChanges in the client's session, behind its code: what has to be taken and given on another node's database, in this
-- order, where the privileges on this one have changed. $1 the privileges before, as the catalog holds them: NULL where they are the default
WITH here AS (
    SELECT d.datacl, pg_catalog.acldefault('d', d.datdba) AS standard FROM pg_catalog.pg_database d
     WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
), was AS (
    SELECT a.* FROM here h CROSS JOIN LATERAL pg_catalog.aclexplode(COALESCE($1::pg_catalog.aclitem[], h.standard)) a
), now AS (
    SELECT a.* FROM here h CROSS JOIN LATERAL pg_catalog.aclexplode(COALESCE(h.datacl, h.standard)) a
), change AS (
    SELECT 1 AS step, 'REVOKE' AS verb, ' FROM ' AS preposition, ' CASCADE' AS tail, w.grantee, w.privilege_type FROM was w
     WHERE NOT EXISTS (SELECT FROM now n WHERE n.grantee OPERATOR(pg_catalog.=) w.grantee
        AND n.privilege_type OPERATOR(pg_catalog.=) w.privilege_type AND n.is_grantable OPERATOR(pg_catalog.=) w.is_grantable)
    UNION ALL
    SELECT 2, 'GRANT', ' TO ', CASE WHEN n.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END, n.grantee, n.privilege_type FROM now n
     WHERE NOT EXISTS (SELECT FROM was w WHERE w.grantee OPERATOR(pg_catalog.=) n.grantee
        AND w.privilege_type OPERATOR(pg_catalog.=) n.privilege_type AND w.is_grantable OPERATOR(pg_catalog.=) n.is_grantable)
)
SELECT pg_catalog.format('%s %s ON DATABASE ', c.verb, c.privilege_type) AS before,
       pg_catalog.concat(c.preposition, CASE WHEN c.grantee OPERATOR(pg_catalog.=) '0'::pg_catalog.oid THEN 'PUBLIC'
           ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(c.grantee)) END, c.tail) AS behind
  FROM change c ORDER BY c.step
