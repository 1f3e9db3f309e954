-- Operations whose statement PostgreSQL refuses in a transaction block: CREATE INDEX CONCURRENTLY. Idempotent.
-- What each node had before stands in ddlrep.outside until the outcome is known everywhere, so that it can be undone.

CREATE OR REPLACE FUNCTION ddlrep.enter_outside(op text, n int, companion boolean, target text, ticket text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    PERFORM ddlrep.spend('outside', op, n, companion || '|' || target, ticket);
    INSERT INTO ddlrep.outside VALUES (enter_outside.op, ddlrep.backend(), to_regclass(target),
        ARRAY(SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = to_regclass(target)));
    -- Worth something only together with the row.
    PERFORM set_config('ddlrep.outside', op, false);
    IF companion THEN
        PERFORM set_config('session_replication_role', 'replica', false);
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.enter_outside(text, int, boolean, text, text) IS 'Marks this session as at work for an operation outside a transaction block, so that the guard lets its statement pass, and notes which indexes the table has';

CREATE OR REPLACE FUNCTION ddlrep.undo_outside(op text, recovery boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET session_replication_role = 'replica' SET client_min_messages = 'warning'
AS $f$
DECLARE
    work ddlrep.outside;
    made regclass;
    pid int;
BEGIN
    SELECT o.* INTO work FROM ddlrep.outside o WHERE o.op = undo_outside.op;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF recovery THEN
        -- Nobody leads it any more, but it may still be at work.
        SELECT a.pid INTO pid FROM pg_stat_get_activity(split_part(work.backend, '/', 1)::int) a
            WHERE (extract(epoch FROM a.backend_start) * 1000000)::bigint = split_part(work.backend, '/', 2)::bigint
                AND a.pid <> pg_backend_pid();
        IF FOUND AND NOT pg_terminate_backend(pid, 5000) THEN
            RAISE EXCEPTION 'ddlrep: backend % does not end', pid USING ERRCODE = '55000',
                DETAIL = 'It was told to, five seconds ago; it may still be building an index.',
                HINT = 'Look at its wait event in pg_stat_activity, then run: ddlrep recover';
        END IF;
    END IF;
    -- The guard knows this function by the call stack, and this backend by the row.
    UPDATE ddlrep.outside o SET backend = ddlrep.backend() WHERE o.op = undo_outside.op;
    PERFORM set_config('ddlrep.outside', op, true);
    FOR made IN SELECT i.indexrelid::regclass FROM pg_index i WHERE i.indrelid = work.target AND i.indexrelid <> ALL (work.indexes) LOOP
        EXECUTE format('DROP INDEX %s', made);
    END LOOP;
    DELETE FROM ddlrep.outside o WHERE o.op = undo_outside.op;
    PERFORM set_config('ddlrep.outside', '', true);
    RETURN true;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.undo_outside(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ddlrep.undo_outside(text, boolean) TO ddlrep_service;
COMMENT ON FUNCTION ddlrep.undo_outside(text, boolean) IS 'Drops the indexes that an operation outside a transaction block has made here, valid or not; recovery also ends the backend that may still be at work. False where there is nothing of it';

CREATE OR REPLACE FUNCTION ddlrep.end_outside(op text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    DELETE FROM ddlrep.outside o WHERE o.op = end_outside.op;
    RETURN FOUND;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.end_outside(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ddlrep.end_outside(text) TO ddlrep_service;
COMMENT ON FUNCTION ddlrep.end_outside(text) IS 'Forgets how an operation outside a transaction block could be undone here: it is committed. False where it is forgotten already';
