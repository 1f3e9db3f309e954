-- Removes everything of ddlrep from this database; called by ControlInstaller in its transaction, as a superuser.
-- The guard goes first, so that it cannot object to the rest.

DO $$
DECLARE
    gone record;
    own CONSTANT text[] := ARRAY['ddlrep', 'ddlrep_shadow', 'ddlrep_apply'];
BEGIN
    FOR gone IN SELECT e.evtname FROM pg_catalog.pg_event_trigger e JOIN pg_catalog.pg_proc f ON f.oid = e.evtfoid
            JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace WHERE n.nspname = ANY (own) LOOP
        EXECUTE pg_catalog.format('DROP EVENT TRIGGER %I', gone.evtname);
    END LOOP;
    FOR gone IN SELECT t.tgname, t.tgrelid::regclass AS relation FROM pg_catalog.pg_trigger t
            JOIN pg_catalog.pg_proc f ON f.oid = t.tgfoid JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace
            WHERE n.nspname = ANY (own) AND t.tgparentid = 0 AND NOT t.tgisinternal ORDER BY t.tgrelid LOOP
        EXECUTE pg_catalog.format('DROP TRIGGER %I ON %s', gone.tgname, gone.relation);
    END LOOP;
    DROP SCHEMA IF EXISTS ddlrep_apply, ddlrep_shadow, ddlrep CASCADE;

    -- Roles belong to the server. Another node in it holds grants for them in its own database.
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_shdepend d JOIN pg_catalog.pg_roles r ON r.oid = d.refobjid
            WHERE d.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass AND r.rolname IN ('ddlrep_service', 'ddlrep_apply', 'ddlrep_owner', 'ddlrep_local')
                AND d.dbid NOT IN (0, (SELECT b.oid FROM pg_catalog.pg_database b WHERE b.datname = pg_catalog.current_database())))
    THEN
        FOR gone IN SELECT r.rolname FROM pg_catalog.pg_roles r WHERE r.rolname IN ('ddlrep_service', 'ddlrep_apply', 'ddlrep_owner', 'ddlrep_local')
                OR r.rolname ~ '^ddlrep_prepare_\d+$' LOOP
            EXECUTE pg_catalog.format('DROP OWNED BY %I', gone.rolname);
            EXECUTE pg_catalog.format('DROP ROLE %I', gone.rolname);
        END LOOP;
    END IF;
END
$$;
