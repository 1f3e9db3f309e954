-- DDL that code of a client runs: DO. Idempotent. The guard notes each command, as the call stack has its text, so that the
-- replicas run it by itself, not the code again.

CREATE OR REPLACE FUNCTION ddlrep.enter_code(op text, n int, ticket text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    PERFORM ddlrep.spend('code', op, n, '', ticket);
    -- Good for this transaction alone, as the marker is.
    PERFORM set_config('ddlrep.code', op || '|' || ddlrep.hmac(concat_ws('|', 'code', op, ddlrep.backend(), pg_current_xact_id())), true);
END
$f$;
COMMENT ON FUNCTION ddlrep.enter_code(text, int, text) IS 'From here on the guard notes DDL that code runs in this operation, and lets it pass';

CREATE OR REPLACE FUNCTION ddlrep.in_code(op text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    marker text := current_setting('ddlrep.code', true);
BEGIN
    RETURN coalesce(marker, '') <> '' AND marker = op || '|' || ddlrep.hmac(concat_ws('|', 'code', op, ddlrep.backend(), pg_current_xact_id_if_assigned()));
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.in_code(text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.in_code(text) IS 'Whether code of this transaction runs in the operation';

CREATE OR REPLACE FUNCTION ddlrep.note_code(stack text, tag text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    operation CONSTANT text := ddlrep.in_operation();
    -- Behind the guard's own line: what it stands on.
    code CONSTANT text := substr(stack, strpos(stack, E'\n') + 1);
    command text;
    last text;
BEGIN
    IF operation IS NULL OR strpos(stack, E'\n') = 0 OR NOT ddlrep.in_code(operation) THEN
        RETURN false;
    END IF;
    -- Of a function in SQL the stack has the name and the number of the statement: the engine looks its text up.
    command := coalesce(substring(code FROM '^SQL statement "(.*?)"\nPL/pgSQL function '),
        substring(code FROM '^SQL function "[^\n]*" statement \d+(?=\n|$)'));
    IF command IS NULL THEN
        RAISE EXCEPTION 'ddlrep: % was run by code in a language that does not tell its statements, which cannot be replicated', tag
            USING ERRCODE = '0A000', DETAIL = 'It runs on: ' || code,
                HINT = 'Write the code in PL/pgSQL or SQL, or send the command as a statement of its own.';
    END IF;
    -- What drops something is met twice: by sql_drop, and at its end.
    IF tag = 'sql_drop' THEN
        PERFORM set_config('ddlrep.code_dropped', md5(stack), true);
    ELSIF current_setting('ddlrep.code_dropped', true) <> '' THEN
        SELECT s.statement INTO last FROM ddlrep.code_statement s WHERE s.op = operation ORDER BY s.n DESC LIMIT 1;
        PERFORM set_config('ddlrep.code_dropped', '', true);
        IF last = command THEN
            RETURN true;
        END IF;
    END IF;
    INSERT INTO ddlrep.code_statement (op, statement, search_path, role)
        VALUES (operation, command, current_setting('ddlrep.code_path', true), current_setting('ddlrep.code_user', true));
    RETURN true;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.note_code(text, text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.note_code(text, text) IS 'Notes a command that code has run in an operation; false where none is open for code';

CREATE OR REPLACE FUNCTION ddlrep.end_code(op text) RETURNS TABLE (statement text, search_path text, role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    IF op IS DISTINCT FROM ddlrep.in_operation() THEN
        RAISE EXCEPTION 'ddlrep: operation % is not this transaction''s', op USING ERRCODE = '42501';
    END IF;
    PERFORM set_config('ddlrep.code', '', true);
    RETURN QUERY WITH gone AS (DELETE FROM ddlrep.code_statement s WHERE s.op = end_code.op RETURNING s.*)
        SELECT g.statement, g.search_path, g.role FROM gone g ORDER BY g.n;
END
$f$;
COMMENT ON FUNCTION ddlrep.end_code(text) IS 'The commands that code has run in this transaction''s operation, in their order; from here on the guard lets no more pass';
