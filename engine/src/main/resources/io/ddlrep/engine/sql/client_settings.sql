-- Called by ClientState in the client's session, when an operation opens and before its later statements: the settings that a companion has to be told.
-- pg_settings is slow, so this runs while the other nodes are asked for their health.
SELECT pg_catalog.string_agg(s.name OPERATOR(pg_catalog.||) '=' OPERATOR(pg_catalog.||) s.setting, pg_catalog.chr(1)) AS settings
    FROM pg_catalog.pg_settings s
         WHERE (s.source OPERATOR(pg_catalog.=) ANY (ARRAY['session', 'client'])
          OR s.name OPERATOR(pg_catalog.=) ANY (ARRAY['TimeZone', 'IntervalStyle', 'default_tablespace', 'default_table_access_method',
                        'check_function_bodies', 'standard_conforming_strings', 'DateStyle',
                        -- These change what a constant or a conversion gives, wherever they are set: file, database or role.
                        'array_nulls', 'backslash_quote', 'bytea_output', 'extra_float_digits', 'transform_null_equals',
                        'xmlbinary']))
     AND s.context OPERATOR(pg_catalog.=) ANY (ARRAY['user', 'superuser'])
     AND s.name OPERATOR(pg_catalog.<>) ALL (ARRAY['transaction_isolation', 'transaction_read_only', 'transaction_deferrable',
                        'lock_timeout', 'statement_timeout', 'transaction_timeout', 'deadlock_timeout',
                        'idle_in_transaction_session_timeout', 'idle_session_timeout', 'session_replication_role',
                        'application_name', 'client_encoding', 'role', 'session_authorization', 'search_path',
                        'default_transaction_isolation', 'default_transaction_read_only',
                        'default_transaction_deferrable', 'synchronous_commit', 'jit', 'tcp_keepalives_idle',
                        'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout'])
