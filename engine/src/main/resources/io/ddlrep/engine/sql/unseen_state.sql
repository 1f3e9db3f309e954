-- Called by UnseenChanges in the client's session, before its code and after: whether the transaction has changed roles. PostgreSQL tells
-- no event trigger of them, but the statements keep the locks of their catalogs to the end of the transaction (user.c, pg_db_role_setting.c,
-- comment.c, seclabel.c). Settings, comments and labels may be those of a database too; a role's come with a lock of the role itself.
-- rights: the privileges on this database, of which it tells none either.
-- digest: what can be compared where statements before the code have taken such locks; NULL where no lock is held.
WITH held AS (
    SELECT l.locktype, l.relation, l.classid FROM pg_catalog.pg_locks l
     WHERE l.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid() AND l.database OPERATOR(pg_catalog.=) '0'::pg_catalog.oid
       AND (l.locktype OPERATOR(pg_catalog.=) 'object' OR l.mode OPERATOR(pg_catalog.=) 'RowExclusiveLock')
), changed AS (
    SELECT EXISTS (SELECT FROM held h WHERE h.locktype OPERATOR(pg_catalog.=) 'relation'
            AND h.relation OPERATOR(pg_catalog.=) ANY (ARRAY['pg_catalog.pg_authid'::pg_catalog.regclass,
                'pg_catalog.pg_auth_members'::pg_catalog.regclass]::pg_catalog.oid[]))
        OR EXISTS (SELECT FROM held h WHERE h.locktype OPERATOR(pg_catalog.=) 'relation'
            AND h.relation OPERATOR(pg_catalog.=) ANY (ARRAY['pg_catalog.pg_db_role_setting'::pg_catalog.regclass,
                'pg_catalog.pg_shdescription'::pg_catalog.regclass, 'pg_catalog.pg_shseclabel'::pg_catalog.regclass]::pg_catalog.oid[]))
        AND EXISTS (SELECT FROM held h WHERE h.locktype OPERATOR(pg_catalog.=) 'object'
            AND h.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_authid'::pg_catalog.regclass::pg_catalog.oid) AS changed
)
SELECT c.changed, (SELECT d.datacl::pg_catalog.text FROM pg_catalog.pg_database d
     WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()) AS rights, CASE WHEN c.changed THEN pg_catalog.md5(pg_catalog.concat_ws('|',
    (SELECT pg_catalog.string_agg(pg_catalog.concat(r.*), ',' ORDER BY r.oid USING OPERATOR(pg_catalog.<)) FROM pg_catalog.pg_roles r),
    (SELECT pg_catalog.string_agg(pg_catalog.concat(m.*), ',' ORDER BY pg_catalog.concat(m.*) USING OPERATOR(pg_catalog.<)) FROM pg_catalog.pg_auth_members m),
    (SELECT pg_catalog.string_agg(pg_catalog.concat(s.*), ',' ORDER BY pg_catalog.concat(s.*) USING OPERATOR(pg_catalog.<)) FROM pg_catalog.pg_db_role_setting s
      WHERE s.setrole OPERATOR(pg_catalog.<>) '0'::pg_catalog.oid))) END AS digest
  FROM changed c
