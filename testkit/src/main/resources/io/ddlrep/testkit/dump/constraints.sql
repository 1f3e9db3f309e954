-- CatalogDump: constraints of tables and domains. NOT NULL has constraints of its own from 18 on only, so that the
-- portable form leaves them to the column. Constraint triggers stand with the triggers.
SELECT format('constraint %s %I: %s',
         CASE WHEN k.conrelid <> 0 THEN k.conrelid::regclass::text ELSE k.contypid::regtype::text END, k.conname,
         concat_ws(', ',
           pg_get_constraintdef(k.oid),
           CASE WHEN NOT k.convalidated THEN 'not validated' END,
           CASE WHEN coalesce((to_jsonb(k)->>'conenforced')::boolean, true) THEN NULL ELSE 'not enforced' END,
           CASE WHEN k.condeferrable THEN 'deferrable' END,
           CASE WHEN k.condeferred THEN 'initially deferred' END,
           'index ' || nullif(k.conindid, 0)::regclass,
           CASE WHEN NOT k.conislocal THEN 'inherited' END,
           CASE WHEN k.connoinherit AND k.contype IN ('c', 'n') THEN 'no inherit' END))
FROM pg_constraint k
  JOIN pg_namespace n ON n.oid = k.connamespace
WHERE n.nspname !~ '${skipped}' AND k.contype <> 't' AND NOT (${portable} AND k.contype = 'n')
  AND (k.conrelid <> 0 OR k.contypid <> 0)
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.deptype = 'e'
    AND (e.classid, e.objid) IN (('pg_class'::regclass, k.conrelid), ('pg_type'::regclass, k.contypid)))
