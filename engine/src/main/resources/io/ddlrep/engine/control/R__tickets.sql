-- Functions that a client's session may call. Idempotent: run again at every upgrade.
-- None takes SQL text or a claim on trust: each call carries a ticket, an HMAC that the service made for this backend
-- (pid and start), this operation, this number and this text; each ticket works once.

-- PL/pgSQL, here and wherever a function is called often: a session keeps its plans, those of a LANGUAGE sql function that
-- cannot be inlined are made anew at every call.
CREATE OR REPLACE FUNCTION ddlrep.hmac(payload text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN (SELECT encode(sha256(s.outer_pad || sha256(s.inner_pad || convert_to(payload, 'UTF8'))), 'hex') FROM ddlrep.secret s);
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.hmac(text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.hmac(text) IS 'HMAC-SHA256 with the group''s key, as hex; for ddlrep''s own functions only';

-- Its owner's rights: after SET ROLE a session may not see its own start.
CREATE OR REPLACE FUNCTION ddlrep.backend() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN (SELECT pg_backend_pid() || '/' || (extract(epoch FROM a.backend_start) * 1000000)::bigint
        FROM pg_stat_get_activity(pg_backend_pid()) a);
END
$f$;
COMMENT ON FUNCTION ddlrep.backend() IS 'This backend: its pid and its start in microseconds since 1970';

CREATE OR REPLACE FUNCTION ddlrep.spend(purpose text, op text, n int, payload text, ticket text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    -- Tickets are for sessions of clients. The service could make them for itself.
    IF session_user = 'ddlrep_service' THEN
        RAISE EXCEPTION 'ddlrep: the service role cannot run DDL' USING ERRCODE = '42501',
            HINT = 'Log in as the role that is to own what the statement makes.';
    END IF;
    IF ticket IS DISTINCT FROM ddlrep.hmac(concat_ws('|', purpose, op, n, ddlrep.backend(),
            encode(sha256(convert_to(payload, 'UTF8')), 'hex'))) THEN
        RAISE EXCEPTION 'ddlrep: ticket refused' USING ERRCODE = '42501',
            DETAIL = format('purpose %s, operation %s, number %s', purpose, op, n),
            HINT = 'These functions are for ddlrep''s own sessions.';
    END IF;
    INSERT INTO ddlrep.ticket_used VALUES (op, n) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ddlrep: ticket was used before' USING ERRCODE = '42501',
            DETAIL = format('purpose %s, operation %s, number %s', purpose, op, n);
    END IF;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.spend(text, text, int, text, text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.spend(text, text, int, text, text) IS 'Checks a ticket and marks it as used; 42501 if it is not good';

CREATE OR REPLACE FUNCTION ddlrep.enter(op text, n int, companion boolean, ticket text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    PERFORM ddlrep.spend('enter', op, n, companion::text, ticket);
    -- Good for this transaction alone: code of users can read the setting, and SET it again later.
    PERFORM set_config('ddlrep.marker', op || '|' || ddlrep.hmac(concat_ws('|', 'marker', op, ddlrep.backend(), pg_current_xact_id())), true);
    IF companion THEN
        -- User triggers and event triggers already did their work on the origin; their rows come as rows.
        -- Kept by the session, which companions alone use: each change of it makes a session forget all its plans.
        PERFORM set_config('session_replication_role', 'replica', false);
        -- Carried rows are joined by hash. What the administrator set is never lowered.
        IF pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('64MB') THEN
            PERFORM set_config('work_mem', '64MB', true);
        END IF;
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.enter(text, int, boolean, text) IS 'Marks this transaction as part of an operation, so that the guard lets its DDL pass; a companion also stops firing ordinary triggers';

CREATE OR REPLACE FUNCTION ddlrep.in_operation() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    marker text := current_setting('ddlrep.marker', true);
    op text := split_part(marker, '|', 1);
BEGIN
    IF marker IS NULL OR marker = '' THEN
        IF coalesce(current_setting('ddlrep.outside', true), '') = '' THEN
            RETURN NULL;
        END IF;
        RETURN (SELECT o.op FROM ddlrep.outside o WHERE o.op = current_setting('ddlrep.outside', true) AND o.backend = ddlrep.backend());
    END IF;
    IF marker = op || '|' || ddlrep.hmac(concat_ws('|', 'marker', op, ddlrep.backend(), pg_current_xact_id_if_assigned())) THEN
        RETURN op;
    END IF;
    RETURN NULL;
END
$f$;
COMMENT ON FUNCTION ddlrep.in_operation() IS 'The operation that this transaction was entered for by ddlrep.enter(), or null; a marker that somebody SET by hand, or kept from an earlier transaction, counts for nothing';

CREATE OR REPLACE FUNCTION ddlrep.running(size int) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN size || '|' || ddlrep.hmac(concat_ws('|', 'running', size, ddlrep.backend(), pg_current_xact_id_if_assigned()));
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.running(int) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.running(int) IS 'Signs the length of the text that ddlrep.run() executes: by it the guard finds that text on the call stack';

CREATE OR REPLACE FUNCTION ddlrep.run(op text, n int, sql text, ticket text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET client_min_messages = 'warning'
    SET standard_conforming_strings = 'on' SET check_function_bodies = 'off'
AS $f$
BEGIN
    PERFORM ddlrep.spend('run', op, n, sql, ticket);
    PERFORM set_config('ddlrep.running', ddlrep.running(length(sql)), true);
    EXECUTE sql;
END
$f$;
COMMENT ON FUNCTION ddlrep.run(text, int, text, text) IS 'Runs a text of the engine that rebuilds triggers, functions, shadow tables and control rows; the ticket covers the text. Never runs code of users';
-- The texts are ddlrep's own, so the guard has nothing to find in them, nor is what they rebuild anybody's business who
-- watches DDL. Before 17 the guard meets each of their commands, and knows them by the call stack.
DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::int >= 170000 THEN
        ALTER FUNCTION ddlrep.run(text, int, text, text) SET event_triggers = 'off';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION ddlrep.left_behind() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    what text;
BEGIN
    SELECT CASE
        -- Runs at COMMIT, as the session's user.
        WHEN EXISTS (SELECT FROM pg_cursors c WHERE c.is_holdable) THEN 'a cursor WITH HOLD'
        -- Their names are those of a client's prepared statements too.
        WHEN EXISTS (SELECT FROM pg_prepared_statements p WHERE p.from_sql) THEN 'a prepared statement'
        -- Before 18 they run as the session's user, too. Others do not fire where session_replication_role is replica.
        WHEN current_setting('server_version_num')::int < 180000 AND EXISTS (
            SELECT FROM pg_trigger g
            WHERE g.tgdeferrable AND NOT g.tgisinternal AND g.tgenabled IN ('A', 'R')
                AND (current_setting('track_counts') = 'off' OR pg_stat_get_xact_tuples_inserted(g.tgrelid) > 0
                    OR pg_stat_get_xact_tuples_updated(g.tgrelid) > 0 OR pg_stat_get_xact_tuples_deleted(g.tgrelid) > 0))
            THEN 'a deferrable trigger that is enabled ALWAYS or REPLICA'
        END INTO what;
    IF what IS NOT NULL THEN
        RAISE EXCEPTION 'ddlrep: code of a table''s owner left % in this session', what USING ERRCODE = '42501',
            DETAIL = 'It would run with the rights of the session''s user, not of the owner. Nothing of this transaction was applied.',
            HINT = 'Look at what the functions in constraints, indexes, domains and triggers of the replicated tables do.';
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.left_behind() IS 'Raises 42501 where code that ran in this session left something that would run later, with more rights';

CREATE OR REPLACE FUNCTION ddlrep.session_state() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
    SELECT md5(coalesce((SELECT string_agg(s.name || '=' || s.setting, ',' ORDER BY s.name) FROM pg_settings s WHERE s.source = 'session'
            AND s.name <> 'search_path'), '')
        || coalesce((SELECT string_agg(c.oid::text, ',' ORDER BY c.oid) FROM pg_class c WHERE c.relnamespace = pg_my_temp_schema()), ''))
$f$;
REVOKE ALL ON FUNCTION ddlrep.session_state() FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.session_state() IS 'Digest of what code of users can change in a session and what a statement of its user depends on: settings and temporary relations';

CREATE OR REPLACE FUNCTION ddlrep.batch_ticket(table_id bigint, owner text, stage text, n int) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN ddlrep.hmac(concat_ws('|', 'apply', pg_current_xact_id_if_assigned(), n, ddlrep.backend(),
        encode(sha256(convert_to(concat_ws('|', table_id, owner, stage), 'UTF8')), 'hex')));
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.batch_ticket(bigint, text, text, int) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.batch_ticket(bigint, text, text, int) IS 'The ticket of one call of an apply function: for this backend, this transaction, this table and owner, this staging table';

-- A transaction is visible a moment before its server tells other sessions that their caches are stale (it removes the files
-- of dropped relations in between): what a session reads may already be new while the function that it calls is still the
-- old one, which would take new rows for old ones. Only a lock that the operation holds to its very end closes the gap.
CREATE OR REPLACE FUNCTION ddlrep.hold_table(table_id bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    target CONSTANT oid := (SELECT r.relid FROM ddlrep.replicated_table r WHERE r.table_id = hold_table.table_id);
BEGIN
    -- By its oid, since the name comes from the cache too. Null: it is not there (any more).
    IF pg_relation_size(target) IS NULL THEN
        RETURN;
    END IF;
    EXECUTE format('LOCK TABLE ONLY %s IN ROW EXCLUSIVE MODE', target::regclass);
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.hold_table(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ddlrep.hold_table(bigint) TO ddlrep_apply;
COMMENT ON FUNCTION ddlrep.hold_table(bigint) IS 'Before rows are applied to a table: waits for operations that are ending, and takes the lock that writing takes, so that what is read and called from here on is of one age';

CREATE OR REPLACE FUNCTION ddlrep.take_batch(table_id bigint, generation int, owner text, stage text, n int, ticket text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    IF NOT EXISTS (SELECT FROM ddlrep.replicated_table r WHERE r.table_id = take_batch.table_id AND r.generation = take_batch.generation) THEN
        RAISE EXCEPTION 'ddlrep: the apply function of table % is that of generation %, but the table is not', table_id, generation
            USING ERRCODE = '55000', DETAIL = 'Nothing of this batch was applied.',
                HINT = 'It is tried again by itself; if it stays so, look at ddlrep status and ddlrep doctor.';
    END IF;
    IF ticket IS DISTINCT FROM ddlrep.batch_ticket(table_id, owner, stage, n) THEN
        RAISE EXCEPTION 'ddlrep: ticket refused' USING ERRCODE = '42501',
            DETAIL = format('purpose apply, table %s, owner %s, staging table %s, number %s', table_id, owner, stage, n),
            HINT = 'Apply functions are for ddlrep''s own sessions.';
    END IF;
    -- Number 0 is made by ddlrep.carry(), whose own ticket is spent. Two tables of a batch are two numbers.
    IF n > 0 THEN
        INSERT INTO ddlrep.batch_used AS u (publication, xid, n)
            SELECT r.publication, pg_current_xact_id(), take_batch.n FROM ddlrep.replicated_table r WHERE r.table_id = take_batch.table_id
            ON CONFLICT (publication) DO UPDATE SET xid = excluded.xid, n = excluded.n WHERE u.xid <> excluded.xid OR u.n < excluded.n;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'ddlrep: ticket was used before' USING ERRCODE = '42501',
                DETAIL = format('purpose apply, table %s, number %s', table_id, n);
        END IF;
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.take_batch(bigint, int, text, text, int, text) IS 'Apply functions: checks that the function is the table''s present one (55000), and the ticket of a batch (42501), and marks it as used';

CREATE OR REPLACE FUNCTION ddlrep.carry(op text, n int, table_id bigint, stage text, ticket text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET session_replication_role = 'replica' SET row_security = 'off'
AS $f$
DECLARE
    changed bigint;
    before text;
    owner text;
    owner_runs boolean;
    batch_ticket text;
BEGIN
    PERFORM ddlrep.spend('carry', op, n, table_id || '|' || stage, ticket);
    SELECT o.rolname = session_user, quote_ident(o.rolname) INTO owner_runs, owner
        FROM ddlrep.replicated_table r JOIN pg_class c ON c.oid = r.relid JOIN pg_roles o ON o.oid = c.relowner
        WHERE r.table_id = carry.table_id;
    batch_ticket := ddlrep.batch_ticket(table_id, owner, stage, 0);
    PERFORM ddlrep.hold_table(table_id);
    IF owner_runs THEN
        EXECUTE format('SELECT ddlrep_apply.%I($1, false, 0, $2)', 'apply_' || table_id) INTO changed USING stage, batch_ticket;
        RETURN changed;
    END IF;
    -- Code of the owner runs in another user's session. From here on every name is qualified: a plain SET outlives the function.
    before := ddlrep.session_state();
    EXECUTE format('SELECT ddlrep_apply.%I($1, false, 0, $2)', 'apply_' || table_id) INTO changed USING stage, batch_ticket;
    IF pg_catalog.current_setting('search_path') OPERATOR(pg_catalog.<>) 'pg_catalog, pg_temp'
            OR ddlrep.session_state() OPERATOR(pg_catalog.<>) before THEN
        RAISE EXCEPTION 'ddlrep: code of a table''s owner changed settings of this session, or made temporary objects in it'
            USING ERRCODE = '42501',
                DETAIL = 'Later statements of this session''s user would mean something else. Nothing was changed on any node.',
                HINT = 'Run the operation as the owner of the table, or look at what its functions do.';
    END IF;
    PERFORM ddlrep.left_behind();
    RETURN changed;
END
$f$;
COMMENT ON FUNCTION ddlrep.carry(text, int, bigint, text, text) IS 'Companion: applies the client''s own rows from a carry table, as the owner of the table; where that is not the session''s user, nothing of the owner''s code may outlast it';

CREATE OR REPLACE FUNCTION ddlrep.decide(op text, n int, last_carried_seq bigint, ticket text) RETURNS xid8
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    PERFORM ddlrep.spend('decide', op, n, last_carried_seq::text, ticket);
    IF EXISTS (SELECT FROM ddlrep.code_statement s WHERE s.op = decide.op) THEN
        RAISE EXCEPTION 'ddlrep: code has run DDL in this transaction that no other node has' USING ERRCODE = '0A000',
            DETAIL = (SELECT string_agg(s.statement, '; ' ORDER BY s.n) FROM ddlrep.code_statement s WHERE s.op = decide.op),
            HINT = 'Code may set no setting of ddlrep. Send the commands as statements of their own.';
    END IF;
    IF current_setting('synchronous_commit') IN ('off', 'local') THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    INSERT INTO ddlrep.decision (op, outcome, xid, last_carried_seq)
    VALUES (op, 'commit', pg_current_xact_id(), last_carried_seq);
    RETURN pg_current_xact_id();
END
$f$;
COMMENT ON FUNCTION ddlrep.decide(text, int, bigint, text) IS 'Origin, client session: inserts the decision row; 23505 when recovery was faster. Raises synchronous_commit, never lowers it';

CREATE OR REPLACE FUNCTION ddlrep.lock_slice(slice_ms int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    -- Below half of the slice: PostgreSQL then sees deadlocks and cancels autovacuum before the slice ends.
    PERFORM set_config('deadlock_timeout', greatest(10, least(slice_ms, 600000) * 2 / 5)::text, true);
    PERFORM set_config('lock_timeout', greatest(1, least(slice_ms, 600000))::text, true);
END
$f$;
COMMENT ON FUNCTION ddlrep.lock_slice(int) IS 'For this transaction: lock_timeout, and a deadlock_timeout below half of it';

CREATE OR REPLACE FUNCTION ddlrep.timeouts(lock_timeout text, deadlock_timeout text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    PERFORM set_config('lock_timeout', lock_timeout, true);
    PERFORM set_config('deadlock_timeout', deadlock_timeout, true);
    IF (SELECT s.setting::int < 10 FROM pg_settings s WHERE s.name = 'deadlock_timeout') THEN
        RAISE EXCEPTION 'ddlrep: deadlock_timeout below 10 ms' USING ERRCODE = '22023';
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.timeouts(text, text) IS 'For this transaction: gives lock_timeout and deadlock_timeout back the values that they had';

CREATE OR REPLACE FUNCTION ddlrep.raise(state text, message text, detail text, hint text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = coalesce(detail, ''), HINT = coalesce(hint, '');
END
$f$;
COMMENT ON FUNCTION ddlrep.raise(text, text, text, text) IS 'Raises the error of another node in this session, so that the server itself aborts the transaction';

CREATE OR REPLACE FUNCTION ddlrep.role_verifier(op text, n int, name text, ticket text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    PERFORM ddlrep.spend('verifier', op, n, name, ticket);
    RETURN (SELECT a.rolpassword FROM pg_authid a WHERE a.rolname = role_verifier.name);
END
$f$;
COMMENT ON FUNCTION ddlrep.role_verifier(text, int, text, text) IS 'What the server keeps of the password of a role, which the operation has just set: the other servers get it as it is, since each would choose a salt of its own';
