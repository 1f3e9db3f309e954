-- CatalogDump, from 15 on: schemas of publications.
SELECT format('publication %I: tables of schema %I', p.pubname, n.nspname)
FROM pg_publication_namespace m
  JOIN pg_publication p ON p.oid = m.pnpubid
  JOIN pg_namespace n ON n.oid = m.pnnspid
WHERE p.pubname !~ '^ddlrep'
