-- CatalogDump: where sequences stand: the last value given out, or that none was.
SELECT format('position %I.%I: %s', schemaname, sequencename, coalesce(last_value::text, 'unused'))
FROM pg_sequences
WHERE schemaname !~ '${skipped}'
