-- CatalogDump: owners, privileges and comments. Missing privileges are written as the defaults they stand for.
-- MAINTAIN came with 17 and belongs to every table's default, and 15 gave schema public another owner: the portable form
-- leaves both out.
WITH object (class, id, identity, owner, acl, kind) AS (
  SELECT 'pg_class', c.oid, CASE c.relkind WHEN 'S' THEN 'sequence ' ELSE 'relation ' END || c.oid::regclass, c.relowner,
    coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, c.relowner)), c.relkind::text
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S') AND n.nspname !~ '${skipped}'
  UNION ALL
  SELECT 'pg_proc', p.oid, 'function ' || p.oid::regprocedure, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner)), ''
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname !~ '${skipped}'
  UNION ALL
  SELECT 'pg_type', t.oid, 'type ' || t.oid::regtype, t.typowner, coalesce(t.typacl, acldefault('T', t.typowner)), ''
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
  WHERE t.typtype IN ('e', 'd', 'r', 'b') AND NOT EXISTS (SELECT FROM pg_type el WHERE el.typarray = t.oid)
    AND n.nspname !~ '${skipped}'
  UNION ALL
  SELECT 'pg_namespace', n.oid, format('schema %I', n.nspname), n.nspowner, coalesce(n.nspacl, acldefault('n', n.nspowner)), ''
  FROM pg_namespace n WHERE n.nspname !~ '${skipped}' AND NOT (${portable} AND n.nspname = 'public')
  UNION ALL
  SELECT 'pg_foreign_server', s.oid, format('foreign server %I', s.srvname), s.srvowner,
    coalesce(s.srvacl, acldefault('S', s.srvowner)), ''
  FROM pg_foreign_server s
  UNION ALL
  SELECT 'pg_class', a.attrelid, format('column %s.%I', a.attrelid::regclass, a.attname), NULL, a.attacl, ''
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE a.attacl IS NOT NULL AND NOT a.attisdropped AND n.nspname !~ '${skipped}'
), mine AS (
  SELECT * FROM object o WHERE NOT EXISTS (SELECT FROM pg_depend e
    WHERE e.classid = ('pg_catalog.' || o.class)::regclass AND e.objid = o.id AND e.deptype = 'e')
)
SELECT format('owner of %s: %I', o.identity, r.rolname) FROM mine o JOIN pg_roles r ON r.oid = o.owner
UNION ALL
SELECT format('privilege on %s: %s to %s by %s%s', o.identity, a.privilege_type, coalesce(grantee.rolname, 'public'),
         grantor.rolname, CASE WHEN a.is_grantable THEN ' with grant option' ELSE '' END)
FROM mine o
  CROSS JOIN LATERAL aclexplode(o.acl) a
  LEFT JOIN pg_roles grantee ON grantee.oid = a.grantee
  LEFT JOIN pg_roles grantor ON grantor.oid = a.grantor
WHERE NOT (${portable} AND a.privilege_type = 'MAINTAIN') AND coalesce(grantee.rolname, '') !~ '^ddlrep'
UNION ALL
SELECT format('default privilege%s for %I on %s: %s to %s%s', ' in schema ' || quote_ident(n.nspname), r.rolname,
         d.defaclobjtype, a.privilege_type, coalesce(grantee.rolname, 'public'),
         CASE WHEN a.is_grantable THEN ' with grant option' ELSE '' END)
FROM pg_default_acl d
  JOIN pg_roles r ON r.oid = d.defaclrole
  LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace
  CROSS JOIN LATERAL aclexplode(d.defaclacl) a
  LEFT JOIN pg_roles grantee ON grantee.oid = a.grantee
WHERE NOT (${portable} AND a.privilege_type = 'MAINTAIN') AND coalesce(n.nspname, '') !~ '${skipped}'
  AND coalesce(grantee.rolname, '') !~ '^ddlrep'
UNION ALL
SELECT format('comment on %s %s: %s', i.type, i.identity, d.description)
FROM pg_description d
  CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) i
WHERE (d.objoid >= 16384 OR d.objoid = (SELECT oid FROM pg_namespace WHERE nspname = 'public')) AND coalesce(i.schema, '') !~ '${skipped}' AND i.identity !~ '(^| on |\.)"?!?ddlrep'
  AND i.identity !~ '^(ddlrep|pg_catalog|information_schema)'
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = d.classoid AND e.objid = d.objoid AND e.deptype = 'e')
  AND i.type NOT IN ('extension', 'subscription', 'large object')
