-- Called by ClientState in the client's session, before each DDL: who and where it is, and what would have to be told a companion.
SELECT ddlrep.backend() AS backend,
       pg_catalog.pg_backend_pid() AS pid,
       session_user AS login,
       current_user AS role,
       pg_catalog.current_setting('is_superuser') AS superuser,
       pg_catalog.current_setting('role') AS set_role,
       pg_catalog.inet_client_addr()::pg_catalog.text AS address,
       pg_catalog.current_setting('transaction_isolation') AS isolation,
       pg_catalog.current_setting('transaction_read_only') AS read_only,
       pg_catalog.current_setting('application_name') AS application,
       pg_catalog.current_setting('search_path') AS search_path,
       pg_catalog.current_schema() AS creation_schema,
       pg_catalog.current_setting('idle_in_transaction_session_timeout') AS idle_timeout,
       pg_catalog.current_setting('lock_timeout') AS lock_timeout,
       pg_catalog.current_setting('deadlock_timeout') AS deadlock_timeout,
       pg_catalog.current_setting('jit') AS jit,
       pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text AS xid,
       (SELECT pg_catalog.string_agg(s.name OPERATOR(pg_catalog.||) '=' OPERATOR(pg_catalog.||) s.setting, pg_catalog.chr(1))
          FROM pg_catalog.pg_settings s
         WHERE (s.source OPERATOR(pg_catalog.=) ANY (ARRAY['session', 'client'])
                OR s.name OPERATOR(pg_catalog.=) ANY (ARRAY['TimeZone', 'IntervalStyle', 'default_tablespace', 'default_table_access_method',
                              'check_function_bodies', 'standard_conforming_strings', 'DateStyle']))
           AND s.context OPERATOR(pg_catalog.=) ANY (ARRAY['user', 'superuser'])
           AND s.name OPERATOR(pg_catalog.<>) ALL (ARRAY['transaction_isolation', 'transaction_read_only', 'transaction_deferrable',
                              'lock_timeout', 'statement_timeout', 'transaction_timeout', 'deadlock_timeout',
                              'idle_in_transaction_session_timeout', 'idle_session_timeout', 'session_replication_role',
                              'application_name', 'client_encoding', 'role', 'session_authorization', 'search_path',
                              'default_transaction_isolation', 'default_transaction_read_only',
                              'default_transaction_deferrable', 'synchronous_commit', 'jit'])) AS settings,
       pg_catalog.concat_ws(pg_catalog.chr(1),
           'ddl_change_table_lock=' OPERATOR(pg_catalog.||) pg_catalog.current_setting('ddlrep.ddl_change_table_lock', true),
           'lock_wait=' OPERATOR(pg_catalog.||) pg_catalog.current_setting('ddlrep.lock_wait', true),
           'lock_slice=' OPERATOR(pg_catalog.||) pg_catalog.current_setting('ddlrep.lock_slice', true),
           'notices=' OPERATOR(pg_catalog.||) pg_catalog.current_setting('ddlrep.notices', true),
           'node_down=' OPERATOR(pg_catalog.||) pg_catalog.current_setting('ddlrep.node_down', true),
           'idle_limit=' OPERATOR(pg_catalog.||) pg_catalog.current_setting('ddlrep.idle_limit', true),
           'replicate=' OPERATOR(pg_catalog.||) pg_catalog.current_setting('ddlrep.replicate', true)) AS options
