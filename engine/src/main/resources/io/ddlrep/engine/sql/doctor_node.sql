-- Called by GroupDoctor on each node, with search_path pinned: what is not as it should be. $1 the node's name in the group.
-- One row for each finding: what, remedy, whether doctor --fix mends it, whether it is only advice. Any login role may ask,
-- but who holds what can only be told where the catalogs may be read, which is everywhere but in pg_authid.
WITH role_wanted(name, login) AS (VALUES
    ('ddlrep_service', true), ('ddlrep_apply', true), ('ddlrep_owner', false), ('ddlrep_local', false)
), role_found AS (
    SELECT w.name, w.login, r.* FROM role_wanted w LEFT JOIN pg_roles r ON r.rolname = w.name
), setting_wanted(role, setting) AS (VALUES
    ('ddlrep_service', 'search_path=pg_catalog, pg_temp'), ('ddlrep_apply', 'search_path=pg_catalog, pg_temp'),
    ('ddlrep_apply', 'session_replication_role=replica'), ('ddlrep_apply', 'row_security=off')
), right_wanted(relation, privilege) AS (
    SELECT c.oid, 'SELECT' FROM pg_class c WHERE c.relnamespace = to_regnamespace('ddlrep') AND c.relkind = 'r'
    UNION ALL SELECT to_regclass('ddlrep.' || v.name), v.privilege FROM (VALUES ('ddl_operation', 'INSERT'), ('ddl_step', 'INSERT'),
        ('ddl_step', 'UPDATE'), ('decision', 'INSERT'), ('tick', 'INSERT'), ('tick', 'DELETE')) v(name, privilege)
    UNION ALL SELECT to_regclass('ddlrep_shadow.' || quote_ident(g.shadow)), p
        FROM ddlrep.shadow_generation g, unnest(ARRAY['SELECT', 'DELETE', 'TRUNCATE']) p
), column_wanted(relation, name) AS (
    SELECT to_regclass('ddlrep.ddl_operation'), unnest(ARRAY['state', 'result', 'finished', 'statements', 'fingerprints'])
    UNION ALL SELECT to_regclass('ddlrep.publication_node'), unnest(ARRAY['state', 'reason', 'since', 'tick', 'snapshot', 'confirmed_at'])
), table_here AS (
    SELECT t.*, p.origin = $1 AS is_origin, quote_ident(t.schema_name) || '.' || quote_ident(t.table_name) AS name,
        c.oid IS NOT NULL AS is_there, c.relkind, coalesce((SELECT bit_or(g.tgtype::int) FROM pg_trigger g JOIN pg_proc f ON f.oid = g.tgfoid
            WHERE g.tgrelid = t.relid AND g.tgname LIKE '!ddlrep\_%' AND g.tgenabled IN ('O', 'A')
                AND f.pronamespace = to_regnamespace(CASE WHEN p.origin = $1 THEN 'ddlrep_shadow' ELSE 'ddlrep' END)), 0) AS events,
        (SELECT string_agg(g.tgname, ', ' ORDER BY g.tgname) FROM pg_trigger g WHERE g.tgrelid = t.relid
            AND g.tgname LIKE '!ddlrep\_%' AND g.tgenabled NOT IN ('O', 'A')) AS switched_off
    FROM ddlrep.replicated_table t JOIN ddlrep.publication p ON p.name = t.publication LEFT JOIN pg_class c ON c.oid = t.relid
), me AS (
    SELECT s.*, (SELECT c.system_identifier FROM pg_control_system() c) AS system_now,
        (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()) AS database_now FROM ddlrep.self s
)
SELECT what, remedy, fixable, advice FROM (
    SELECT 1 AS rank, 'role ' || name || ' is missing' AS what, 'Make it again: ddlrep doctor --fix' AS remedy, true AS fixable, false AS advice
        FROM role_found WHERE rolname IS NULL
    UNION ALL SELECT 1, 'role ' || name || CASE WHEN login THEN ' may not log in' ELSE ' may log in' END,
        'ALTER ROLE ' || name || CASE WHEN login THEN ' LOGIN' ELSE ' NOLOGIN' END, false, false
        FROM role_found WHERE rolcanlogin <> login
    UNION ALL SELECT 1, 'role ' || name || ' has more rights than it needs: ' || concat_ws(', ', CASE WHEN rolsuper THEN 'SUPERUSER' END,
            CASE WHEN rolcreaterole THEN 'CREATEROLE' END, CASE WHEN rolcreatedb THEN 'CREATEDB' END,
            CASE WHEN rolreplication THEN 'REPLICATION' END, CASE WHEN rolbypassrls THEN 'BYPASSRLS' END),
        'ALTER ROLE ' || name || ' NOSUPERUSER NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS', false, false
        FROM role_found WHERE rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
    UNION ALL SELECT 2, 'role ' || f.name || ' is a member of ' || quote_ident(m.rolname),
        'REVOKE ' || quote_ident(m.rolname) || ' FROM ' || f.name, false, false
        FROM role_found f JOIN pg_auth_members a ON a.member = f.oid JOIN pg_roles m ON m.oid = a.roleid
        -- With pg_read_all_data it compares rows as well: ddlrep verify.
        WHERE f.name <> 'ddlrep_local' AND NOT (f.name = 'ddlrep_service'
            AND (m.rolname IN ('pg_read_all_stats', 'pg_read_all_data') OR m.rolname ~ '^ddlrep_prepare_\d+$'))
    UNION ALL SELECT 2, 'role ddlrep_service lacks the rights of pg_read_all_stats', 'Grant them: ddlrep doctor --fix', true, false
        FROM role_found WHERE name = 'ddlrep_service' AND rolname IS NOT NULL AND NOT pg_has_role(oid, 'pg_read_all_stats', 'USAGE')
    UNION ALL SELECT 3, 'role ' || w.role || ' lacks the setting ' || w.setting, 'Set it: ddlrep doctor --fix', true, false
        FROM setting_wanted w JOIN role_found f ON f.name = w.role AND f.rolname IS NOT NULL
        WHERE NOT EXISTS (SELECT FROM pg_db_role_setting s WHERE s.setrole = f.oid AND s.setdatabase = 0 AND w.setting = ANY (s.setconfig))
    UNION ALL SELECT 3, 'role ' || f.name || ' has settings of its own in this database: ' || array_to_string(s.setconfig, ', '),
        'ALTER ROLE ' || f.name || ' IN DATABASE ' || quote_ident(current_database()) || ' RESET ALL', false, false
        FROM role_found f JOIN pg_db_role_setting s ON s.setrole = f.oid
            AND s.setdatabase = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
        WHERE f.name IN ('ddlrep_service', 'ddlrep_apply') AND EXISTS (SELECT FROM unnest(s.setconfig) c
            WHERE split_part(c, '=', 1) IN ('search_path', 'session_replication_role', 'row_security', 'role'))
    UNION ALL SELECT 4, 'role ddlrep_service lacks ' || string_agg(w.privilege || ' on ' || w.relation::regclass, ', ' ORDER BY w.relation, w.privilege),
        'Grant it: ddlrep doctor --fix', true, false
        FROM right_wanted w JOIN role_found f ON f.name = 'ddlrep_service' AND f.rolname IS NOT NULL
        WHERE w.relation IS NOT NULL AND NOT has_table_privilege(f.oid, w.relation, w.privilege) HAVING count(*) > 0
    UNION ALL SELECT 4, 'role ddlrep_service lacks UPDATE on ' || string_agg(w.relation::regclass || '.' || w.name, ', ' ORDER BY w.relation, w.name),
        'Grant it: ddlrep doctor --fix', true, false
        FROM column_wanted w JOIN role_found f ON f.name = 'ddlrep_service' AND f.rolname IS NOT NULL
        WHERE w.relation IS NOT NULL AND NOT has_column_privilege(f.oid, w.relation, w.name, 'UPDATE') HAVING count(*) > 0
    UNION ALL SELECT 4, 'function ddlrep.' || v.name || ' is missing, or role ddlrep_service may not call it', 'Make it again: ddlrep doctor --fix', true, false
        FROM (VALUES ('relation(text)'), ('preparer(text)'), ('end_companion(int, timestamptz)'), ('end_idle_client(int, bigint, bigint)'),
            ('drop_generation(bigint, int)'), ('undo_outside(text, boolean)'), ('end_outside(text)')) v(name) LEFT JOIN role_found f ON f.name = 'ddlrep_service'
        WHERE to_regprocedure('ddlrep.' || v.name) IS NULL
            OR f.rolname IS NOT NULL AND NOT has_function_privilege(f.oid, to_regprocedure('ddlrep.' || v.name), 'EXECUTE')
    UNION ALL SELECT 4, 'role ' || f.name || ' may not ' || v.what, 'Grant it: ddlrep doctor --fix', true, false
        FROM role_found f CROSS JOIN LATERAL (VALUES
            ('ddlrep_service', 'connect to this database', has_database_privilege(f.oid, current_database(), 'CONNECT')),
            ('ddlrep_apply', 'connect to this database', has_database_privilege(f.oid, current_database(), 'CONNECT')),
            ('ddlrep_apply', 'make temporary tables in this database', has_database_privilege(f.oid, current_database(), 'TEMPORARY')),
            ('ddlrep_apply', 'use schema ddlrep_apply', has_schema_privilege(f.oid, 'ddlrep_apply', 'USAGE')),
            ('ddlrep_apply', 'move its position', has_table_privilege(f.oid, 'ddlrep.subscription', 'UPDATE')),
            ('ddlrep_owner', 'use schema ddlrep_shadow', has_schema_privilege(f.oid, 'ddlrep_shadow', 'USAGE')),
            ('ddlrep_owner', 'number changes', has_sequence_privilege(f.oid, 'ddlrep.change_seq', 'USAGE'))
        ) v(name, what, holds) WHERE v.name = f.name AND NOT v.holds
    UNION ALL SELECT 5, 'the guard is off: event trigger ' || v.name || CASE WHEN e.oid IS NULL THEN ' is missing' ELSE ' is not ENABLE ALWAYS' END,
        'Put it up again: ddlrep doctor --fix', true, false
        FROM (VALUES ('ddlrep_guard_path'), ('ddlrep_guard_start'), ('ddlrep_guard_end'), ('ddlrep_guard_drop')) v(name)
            LEFT JOIN pg_event_trigger e ON e.evtname = v.name WHERE e.oid IS NULL OR e.evtenabled <> 'A'
    UNION ALL SELECT 6, 'max_prepared_transactions is 0: a replica that is lost in the moment of COMMIT has to be filled again',
        'Set it to 10 or more, and restart the server', false, true
        WHERE current_setting('max_prepared_transactions') = '0'
    UNION ALL SELECT 6, 'no slot for prepared transactions is free: ' || current_setting('max_prepared_transactions') || ' of '
            || current_setting('max_prepared_transactions') || ' are in use',
        'Finish those in pg_prepared_xacts, or raise max_prepared_transactions', false, false
        WHERE current_setting('max_prepared_transactions') <> '0'
            AND (SELECT count(*) FROM pg_prepared_xacts) >= current_setting('max_prepared_transactions')::int
    UNION ALL SELECT 6, 'transaction ' || x.gid || ' is prepared since ' || x.prepared, 'ddlrep recover', false, false
        FROM pg_prepared_xacts x, me WHERE x.database = current_database() AND starts_with(x.gid, 'ddlrep:' || me.group_id || ':')
            AND x.prepared < clock_timestamp() - interval '1 minute'
    UNION ALL SELECT 7, 'this database is not the one that was installed: it was cloned or restored since',
        'Take it out with ddlrep uninstall, and make the node anew', false, false
        FROM me WHERE me.system_identifier <> me.system_now OR me.database_oid <> me.database_now
    UNION ALL SELECT 8, 'table ' || name || ' is replicated, but is not there', 'Where every node has lost it, a CREATE TABLE of that name takes its place. Else drop its publication and create it again',
        false, false FROM table_here WHERE NOT is_there
    UNION ALL SELECT 8, 'table ' || name || CASE WHEN is_origin THEN ' lacks capture triggers: its changes do not all reach the replicas'
            ELSE ' lacks deny triggers: anybody may write to it here' END,
        'ddlrep verify shows whether rows differ; drop its publication and create it again', false, false
        FROM table_here WHERE is_there AND switched_off IS NULL
            -- INSERT, DELETE, UPDATE; and TRUNCATE, which a partitioned table hands on to its partitions.
            AND (events & 28 <> 28 OR relkind = 'r' AND events & 32 = 0)
    UNION ALL SELECT 8, 'table ' || name || ': triggers are switched off: ' || switched_off,
        'ALTER TABLE ' || name || ' ENABLE TRIGGER … for each, by a superuser with SET ddlrep.replicate = off; then ddlrep verify', false, false
        FROM table_here WHERE is_there AND switched_off IS NOT NULL
) f ORDER BY rank, what
