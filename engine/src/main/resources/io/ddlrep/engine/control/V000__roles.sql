-- Roles of the whole server; run at every install and upgrade, before the migrations. Several nodes may share one server:
-- the installer holds a lock on a shared catalog meanwhile, so that two of them never alter a role at the same time.
-- ddlrep_service logs in and does the work of the service; ddlrep_apply logs in and applies rows; ddlrep_owner owns shadow
-- tables and capture functions; ddlrep_local may keep DDL local. What the service may do in a database stands in R__service.sql.

DO $$
DECLARE
    wanted record;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'ddlrep_service') THEN
        CREATE ROLE ddlrep_service LOGIN INHERIT;
        COMMENT ON ROLE ddlrep_service IS 'ddlrep: health, journal, drain, recovery; runs no code of users and no DDL';
    END IF;
    IF NOT pg_catalog.pg_has_role('ddlrep_service', 'pg_read_all_stats', 'USAGE') THEN
        -- Who holds a lock, and what it does: of all users.
        GRANT pg_read_all_stats TO ddlrep_service;
    END IF;
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
    FOR wanted IN SELECT * FROM (VALUES ('ddlrep_service', 'search_path', 'pg_catalog, pg_temp'), ('ddlrep_apply', 'search_path', 'pg_catalog, pg_temp'),
            ('ddlrep_apply', 'session_replication_role', 'replica'), ('ddlrep_apply', 'row_security', 'off')) v(role, name, value) LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_db_role_setting s JOIN pg_catalog.pg_roles r ON r.oid = s.setrole
                WHERE r.rolname = wanted.role AND s.setdatabase = 0 AND wanted.name || '=' || wanted.value = ANY (s.setconfig)) THEN
            EXECUTE pg_catalog.format('ALTER ROLE %I SET %I = %s', wanted.role, wanted.name,
                CASE wanted.name WHEN 'search_path' THEN wanted.value ELSE pg_catalog.quote_literal(wanted.value) END);
        END IF;
    END LOOP;
END
$$;
