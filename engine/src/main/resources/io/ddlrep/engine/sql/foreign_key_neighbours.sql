-- Called by LockPlanner in the service session on the origin: tables at the other end of foreign keys.
-- $1 relids as text[]
SELECT DISTINCT f.relid
  FROM (SELECT confrelid AS relid FROM pg_catalog.pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::oid[])
        UNION ALL
        SELECT conrelid FROM pg_catalog.pg_constraint WHERE contype = 'f' AND confrelid = ANY ($1::oid[])) f
