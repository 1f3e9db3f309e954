-- Roles of the whole server; run at every install and upgrade, before the migrations. Several nodes may share one server:
-- the installer holds a lock on a shared catalog meanwhile, so that two of them never alter a role at the same time.
-- ddlrep_apply logs in and applies rows; ddlrep_owner owns shadow tables and capture functions; ddlrep_local may keep DDL local.

DO $$
DECLARE
    setting text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'ddlrep_apply') THEN
        CREATE ROLE ddlrep_apply LOGIN NOINHERIT;
        COMMENT ON ROLE ddlrep_apply IS 'ddlrep: applies rows on replicas; holds EXECUTE on apply functions and nothing else';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'ddlrep_owner') THEN
        CREATE ROLE ddlrep_owner NOLOGIN NOINHERIT;
        COMMENT ON ROLE ddlrep_owner IS 'ddlrep: owns shadow tables and capture functions; nobody logs in as it';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'ddlrep_local') THEN
        CREATE ROLE ddlrep_local NOLOGIN;
        COMMENT ON ROLE ddlrep_local IS 'ddlrep: its members may SET ddlrep.replicate = off and so keep DDL on one node';
    END IF;
    FOREACH setting IN ARRAY ARRAY['session_replication_role=replica', 'search_path=pg_catalog, pg_temp', 'row_security=off'] LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_db_role_setting s JOIN pg_catalog.pg_roles r ON r.oid = s.setrole
                WHERE r.rolname = 'ddlrep_apply' AND s.setdatabase = 0 AND setting = ANY (s.setconfig)) THEN
            EXECUTE pg_catalog.format('ALTER ROLE ddlrep_apply SET %I = %s', pg_catalog.split_part(setting, '=', 1),
                CASE WHEN setting LIKE 'search_path=%' THEN 'pg_catalog, pg_temp'
                    ELSE pg_catalog.quote_literal(pg_catalog.split_part(setting, '=', 2)) END);
        END IF;
    END LOOP;
END
$$;
