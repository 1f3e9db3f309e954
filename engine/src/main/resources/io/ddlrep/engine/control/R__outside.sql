-- Operations whose statement PostgreSQL refuses in a transaction block: CREATE INDEX CONCURRENTLY, REINDEX. Idempotent.
-- What each node had before stands in ddlrep.outside until the outcome is known everywhere, so that it can be undone.

-- Indexes of a table, its partitions and their TOAST tables that are not valid, as REINDEX CONCURRENTLY leaves them where it fails.
CREATE OR REPLACE FUNCTION ddlrep.broken_indexes(target oid) RETURNS SETOF oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
    WITH tree AS (SELECT broken_indexes.target AS relid UNION SELECT p.relid FROM pg_partition_tree(broken_indexes.target) p)
    SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid AND c.relkind = 'i'
     WHERE NOT i.indisvalid AND i.indrelid IN (SELECT t.relid FROM tree t
        UNION ALL SELECT h.reltoastrelid FROM tree t JOIN pg_class h ON h.oid = t.relid WHERE h.reltoastrelid <> 0)
$f$;
REVOKE ALL ON FUNCTION ddlrep.broken_indexes(oid) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.broken_indexes(oid) IS 'Indexes of a table, its partitions and their TOAST tables that are not valid';

DROP FUNCTION IF EXISTS ddlrep.enter_outside(text, int, boolean, text, text);
CREATE OR REPLACE FUNCTION ddlrep.enter_outside(op text, n int, companion boolean, rebuilds boolean, target text, ticket text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    PERFORM ddlrep.spend('outside', op, n, companion || '|' || rebuilds || '|' || target, ticket);
    INSERT INTO ddlrep.outside (op, backend, target, rebuilds, indexes)
        VALUES (enter_outside.op, ddlrep.backend(), to_regclass(target), enter_outside.rebuilds,
            CASE WHEN enter_outside.rebuilds THEN ARRAY(SELECT ddlrep.broken_indexes(to_regclass(target)))
            ELSE ARRAY(SELECT i.indexrelid FROM pg_index i WHERE i.indrelid = to_regclass(target)) END);
    -- Worth something only together with the row.
    PERFORM set_config('ddlrep.outside', op, false);
    IF companion THEN
        PERFORM set_config('session_replication_role', 'replica', false);
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.enter_outside(text, int, boolean, boolean, text, text) IS 'Marks this session as at work for an operation outside a transaction block, so that the guard lets its statement pass, and notes which indexes the table has, or which of them are not valid';

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
    FOR made IN SELECT i.indexrelid::regclass FROM pg_index i
            WHERE i.indexrelid <> ALL (work.indexes)
                AND CASE WHEN work.rebuilds THEN i.indexrelid IN (SELECT ddlrep.broken_indexes(work.target)) ELSE i.indrelid = work.target END LOOP
        EXECUTE format('DROP INDEX %s', made);
    END LOOP;
    DELETE FROM ddlrep.outside o WHERE o.op = undo_outside.op;
    PERFORM set_config('ddlrep.outside', '', true);
    RETURN true;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.undo_outside(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ddlrep.undo_outside(text, boolean) TO ddlrep_service;
COMMENT ON FUNCTION ddlrep.undo_outside(text, boolean) IS 'Drops the indexes that an operation outside a transaction block has made here, valid or not, or of which it has left behind a rebuilt one that is not valid; recovery also ends the backend that may still be at work. False where there is nothing of it';

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
