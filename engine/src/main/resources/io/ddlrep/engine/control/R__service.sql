-- What the role ddlrep_service may do in this database, and the functions that do for it, with their owner's rights, the few
-- things that need more. Idempotent. The functions are called in service sessions: of operations, recovery and the purger.
-- Each does one narrow thing, so that whoever steals the role's password gets no more than that.

CREATE OR REPLACE FUNCTION ddlrep.relation(name text) RETURNS oid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN to_regclass(name);
END
$f$;
COMMENT ON FUNCTION ddlrep.relation(text) IS 'The relation of a qualified, quoted name, or null; to_regclass() wants USAGE on the schema, which the service does not have';

CREATE OR REPLACE FUNCTION ddlrep.preparer(login text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    client oid;
    superuser boolean;
    preparer text;
    -- From 16 on a member may have a right to SET ROLE or not.
    how text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
    options text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
BEGIN
    SELECT r.oid, r.rolsuper INTO client, superuser FROM pg_roles r WHERE r.rolname = login;
    IF NOT FOUND OR current_setting('max_prepared_transactions')::int = 0 THEN
        RETURN NULL;
    END IF;
    preparer := 'ddlrep_prepare_' || client;
    -- Nodes may share a server: another one may be doing the same.
    FOR attempt IN 1..5 LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = preparer) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOINHERIT', preparer);
                EXECUTE format('COMMENT ON ROLE %I IS %L', preparer,
                    'ddlrep: prepares the transactions of one login role, so that the service can finish them; has no rights');
            END IF;
            IF NOT pg_has_role('ddlrep_service', preparer, how) THEN
                EXECUTE format('GRANT %I TO ddlrep_service%s', preparer, options);
            END IF;
            IF NOT superuser AND NOT pg_has_role(client, preparer, how) THEN
                EXECUTE format('GRANT %I TO %I%s', preparer, login, options);
            END IF;
            RETURN preparer;
        EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN
            IF attempt = 5 THEN
                RAISE;
            END IF;
        END;
    END LOOP;
    RETURN preparer;
END
$f$;
COMMENT ON FUNCTION ddlrep.preparer(text) IS 'The role without any rights that prepares the transactions of a login role, made where it is not there yet: COMMIT PREPARED is for the preparing role, and the service must never be able to become the client. Null where nothing can be prepared';

CREATE OR REPLACE FUNCTION ddlrep.end_companion(companion int, started timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    backend record;
BEGIN
    SELECT a.application_name, a.datname INTO backend FROM pg_stat_activity a
        WHERE a.pid = companion AND a.backend_start = started AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid();
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF backend.application_name <> 'ddlrep companion' OR backend.datname IS DISTINCT FROM current_database() THEN
        RAISE EXCEPTION 'ddlrep: backend % is no companion session any more', companion USING ERRCODE = '42501',
            DETAIL = format('Its application_name is "%s". It may still hold the operation that it was opened for.', backend.application_name),
            HINT = 'A superuser can end it: SELECT pg_terminate_backend(' || companion || '). Then run: ddlrep recover';
    END IF;
    IF NOT pg_terminate_backend(companion, 5000) AND EXISTS (
            SELECT FROM pg_stat_get_activity(companion) a WHERE a.backend_start = started) THEN
        RAISE EXCEPTION 'ddlrep: companion session % does not end', companion USING ERRCODE = '55000',
            DETAIL = 'It was told to, five seconds ago; a PREPARE of it could still land.',
            HINT = 'Look at its wait event in pg_stat_activity (a disk that stands still?), then run: ddlrep recover';
    END IF;
    RETURN true;
END
$f$;
COMMENT ON FUNCTION ddlrep.end_companion(int, timestamptz) IS 'Recovery, replica: ends a companion backend of this database and waits for its end (55000 where it does not come); any user''s, also a superuser''s';

CREATE OR REPLACE FUNCTION ddlrep.end_idle_client(client int, started bigint, idle_limit bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    idle boolean;
BEGIN
    SELECT a.state LIKE 'idle in transaction%' AND clock_timestamp() - a.state_change >= idle_limit * interval '1 millisecond' INTO idle
        FROM pg_stat_activity a
        WHERE a.pid = client AND (extract(epoch FROM a.backend_start) * 1000000)::bigint = started AND a.datname = current_database()
            AND EXISTS (SELECT FROM ddlrep.ddl_operation o WHERE o.state IN ('open', 'unresolved') AND o.client_pid = a.pid
                AND o.client_backend_start = a.backend_start);
    RETURN CASE WHEN idle THEN pg_terminate_backend(client, 5000) ELSE idle END;
END
$f$;
COMMENT ON FUNCTION ddlrep.end_idle_client(int, bigint, bigint) IS 'Origin: ends the client of an open operation where it has been idle in its transaction for so many milliseconds; started is in microseconds. Null: it is gone';

CREATE OR REPLACE FUNCTION ddlrep.drop_generation(id bigint, number int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    gone text;
BEGIN
    DELETE FROM ddlrep.shadow_generation g WHERE g.table_id = id AND g.generation = number AND g.closed_by IS NOT NULL RETURNING g.shadow INTO gone;
    IF gone IS NOT NULL THEN
        EXECUTE format('DROP TABLE ddlrep_shadow.%I', gone);
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.drop_generation(bigint, int) IS 'Purger, origin: drops a closed generation of a shadow table';

CREATE OR REPLACE FUNCTION ddlrep.login_verifier(login text, OUT verifier text, OUT mock text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    SELECT a.rolpassword INTO verifier FROM pg_authid a
        WHERE a.rolname = login AND a.rolcanlogin AND (a.rolvaliduntil IS NULL OR a.rolvaliduntil > clock_timestamp())
            AND a.rolpassword LIKE 'SCRAM-SHA-256$%';
    -- What a gateway shows for a role that is not there: the same each time, and through each gateway.
    mock := ddlrep.hmac('login|' || login);
END
$f$;
COMMENT ON FUNCTION ddlrep.login_verifier(text) IS 'Gateway, origin: the SCRAM verifier of a role that may log in now, null for any other name; and bytes for a mock of one';

REVOKE ALL ON FUNCTION ddlrep.relation(text), ddlrep.preparer(text), ddlrep.end_companion(int, timestamptz),
    ddlrep.end_idle_client(int, bigint, bigint), ddlrep.drop_generation(bigint, int), ddlrep.login_verifier(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ddlrep.relation(text), ddlrep.preparer(text), ddlrep.end_companion(int, timestamptz),
    ddlrep.end_idle_client(int, bigint, bigint), ddlrep.drop_generation(bigint, int), ddlrep.login_verifier(text) TO ddlrep_service;

GRANT SELECT ON ALL TABLES IN SCHEMA ddlrep TO ddlrep_service;
GRANT INSERT, UPDATE (state, result, finished, statements, fingerprints) ON ddlrep.ddl_operation TO ddlrep_service;
GRANT INSERT, UPDATE ON ddlrep.ddl_step TO ddlrep_service;
GRANT INSERT ON ddlrep.decision TO ddlrep_service;
GRANT INSERT, DELETE ON ddlrep.tick TO ddlrep_service;
GRANT UPDATE (state, reason, since, tick, snapshot, confirmed_at) ON ddlrep.publication_node TO ddlrep_service;
GRANT USAGE ON SEQUENCE ddlrep.table_id TO ddlrep_service;
GRANT SELECT ON SEQUENCE ddlrep.change_seq TO ddlrep_service;

DO $$
DECLARE
    shadow text;
BEGIN
    EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO ddlrep_service', pg_catalog.current_database());
    FOR shadow IN SELECT pg_catalog.quote_ident(g.shadow) FROM ddlrep.shadow_generation g
            WHERE pg_catalog.to_regclass('ddlrep_shadow.' || pg_catalog.quote_ident(g.shadow)) IS NOT NULL LOOP
        EXECUTE 'GRANT SELECT, DELETE, TRUNCATE ON ddlrep_shadow.' || shadow || ' TO ddlrep_service';
    END LOOP;
END
$$;
