-- Roles of the whole server; run before the migrations, since several nodes may share one server.
-- ddlrep_apply logs in and applies rows; ddlrep_owner owns shadow tables and capture functions; ddlrep_local may keep DDL local.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'ddlrep_apply') THEN
        CREATE ROLE ddlrep_apply LOGIN NOINHERIT;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'ddlrep_owner') THEN
        CREATE ROLE ddlrep_owner NOLOGIN NOINHERIT;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'ddlrep_local') THEN
        CREATE ROLE ddlrep_local NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL; -- another node of the same server is being installed at this moment
END
$$;
ALTER ROLE ddlrep_apply SET session_replication_role = 'replica';
ALTER ROLE ddlrep_apply SET search_path = 'pg_catalog', 'pg_temp';
ALTER ROLE ddlrep_apply SET row_security = 'off';
