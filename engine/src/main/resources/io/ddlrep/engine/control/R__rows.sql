-- Functions that capture, deny and apply use on every node and that depend on no table's shape. Idempotent.

-- What the server calls says more than any marker could: code of users can make a call stack longer, never shorter, and
-- can neither make nor change a function in schema ddlrep_apply.
CREATE OR REPLACE FUNCTION ddlrep.own_write(stack text, relid oid, table_id text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    -- The server's automaton for a long regular expression costs more than the statement that is applied: no such here.
    statement CONSTANT int := strpos(stack, E'\nSQL statement "');
    functions CONSTANT int := strpos(stack, E'"\nPL/pgSQL function ');
    body text;
    lines text[];
    i int := 2;
    applies text;
BEGIN
    -- Sent as it is, in a session that may set session_replication_role: somebody mends by hand.
    IF strpos(stack, E'\n') = 0 THEN
        RETURN true;
    END IF;
    -- One statement of the apply function itself, or of ddlrep.empty_table() for it; nothing in between.
    IF functions = 0 OR statement <> strpos(stack, E'\n') THEN
        RETURN false;
    END IF;
    body := substr(stack, statement + 1, functions - statement - 1);
    IF strpos(body, E'\nSQL ') > 0 OR strpos(body, E'\nPL/') > 0 THEN
        RETURN false;
    END IF;
    lines := string_to_array(substr(stack, functions + 1), E'\n');
    IF lines[i] LIKE 'PL/pgSQL function ddlrep.empty\_table(regclass) line % at EXECUTE' THEN
        i := CASE WHEN lines[i + 1] LIKE 'PL/pgSQL assignment "%"' THEN i + 2 ELSE i + 1 END;
    END IF;
    IF lines[i] LIKE 'PL/pgSQL function ddlrep\_apply.apply\_%(text,boolean,integer,text) line % at %' THEN
        applies := split_part(split_part(lines[i], '(', 1), '.apply_', 2);
        IF lines[i + 1] = 'SQL statement "SELECT ddlrep_apply.apply_' || applies || '($1, false, 0, $2)"'
                AND lines[i + 2] LIKE 'PL/pgSQL function ddlrep.carry(text,integer,bigint,text,text) line % at EXECUTE' THEN
            i := i + 2;
        END IF;
    END IF;
    RETURN applies IS NOT NULL AND i = cardinality(lines) AND (applies = table_id OR EXISTS (
        SELECT FROM pg_partition_ancestors(relid) a JOIN ddlrep.replicated_table r ON r.relid = a.relid WHERE r.table_id::text = applies));
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.own_write(text, oid, text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.own_write(text, oid, text) IS 'Whether a write is one of the table''s apply function, by the call stack of the deny trigger that met it; not what code of users writes meanwhile';

CREATE OR REPLACE FUNCTION ddlrep.deny() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lc_messages = 'C'
AS $f$
DECLARE
    stack text;
    place record;
BEGIN
    IF current_setting('session_replication_role') = 'replica' THEN
        GET DIAGNOSTICS stack = PG_CONTEXT;
        IF ddlrep.own_write(stack, TG_RELID, TG_ARGV[0]) THEN
            RETURN NULL;
        END IF;
    END IF;
    SELECT r.publication, p.origin, n.host, n.port, n.database, (SELECT s.node FROM ddlrep.self s) AS here
    INTO place
    FROM ddlrep.replicated_table r
        JOIN ddlrep.publication p ON p.name = r.publication
        JOIN ddlrep.node n ON n.name = p.origin
    WHERE r.table_id = TG_ARGV[0]::bigint;
    RAISE EXCEPTION 'ddlrep: % on % is refused: node % is a replica of publication %',
            TG_OP, TG_RELID::regclass, coalesce(place.here, '?'), coalesce(place.publication, '?')
        USING ERRCODE = '25006',
            DETAIL = format('Rows of this table are written on node %s and arrive here by themselves.', place.origin),
            HINT = CASE WHEN stack IS NULL
                THEN format('Write to jdbc:ddlrep://%s:%s/%s instead.', place.host, place.port, place.database)
                ELSE 'Code that runs on replicas too, such as a trigger that is enabled ALWAYS or a function in a CHECK, must not write to replicated tables.' END,
            SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME;
END
$f$;
COMMENT ON FUNCTION ddlrep.deny() IS 'Deny trigger of replicated tables on replicas; enabled ALWAYS: it lets pass what apply functions write, and what is sent as it is where session_replication_role is replica';

CREATE OR REPLACE FUNCTION ddlrep.empty_table(target regclass) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    single constant text := CASE (SELECT c.relkind FROM pg_class c WHERE c.oid = target) WHEN 'p' THEN '' ELSE 'ONLY ' END;
    changed bigint;
BEGIN
    -- TRUNCATE where nobody is in its way and no foreign key forbids it, else the same by rows.
    IF NOT EXISTS (SELECT FROM pg_constraint f WHERE f.confrelid = target AND f.contype = 'f') THEN
        BEGIN
            EXECUTE format('LOCK TABLE %s%s IN ACCESS EXCLUSIVE MODE NOWAIT', single, target);
            EXECUTE format('TRUNCATE %s%s', single, target);
            RETURN 0; -- to count them would cost more than to remove them
        EXCEPTION WHEN lock_not_available OR object_in_use THEN
            NULL;
        END;
    END IF;
    EXECUTE format('DELETE FROM %s%s', single, target);
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$f$;
COMMENT ON FUNCTION ddlrep.empty_table(regclass) IS 'Apply functions: takes all rows out of a table, with the caller''s rights; how many is only said where they went one by one';

CREATE OR REPLACE FUNCTION ddlrep.mismatch(target regclass, inserted bigint, deleted bigint, expected bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RAISE EXCEPTION 'ddlrep: rows of % on node % are not those of the origin', target, (SELECT s.node FROM ddlrep.self s)
        USING ERRCODE = 'R0001',
            DETAIL = format('Applying the changes inserted %s and deleted %s rows; the origin''s changes make a difference of %s. Nothing of this batch was applied.',
                inserted, deleted, expected),
            HINT = 'Somebody changed rows on the replica. Compare the table with the origin, then copy it anew.';
END
$f$;
COMMENT ON FUNCTION ddlrep.mismatch(regclass, bigint, bigint, bigint) IS 'Apply functions: raises R0001, rows changed are not the rows expected';

GRANT USAGE ON SEQUENCE ddlrep.change_seq TO ddlrep_owner;
GRANT USAGE ON SCHEMA ddlrep_shadow, ddlrep_apply TO ddlrep_owner;

DO $$
BEGIN
    -- Staging tables are temporary; PUBLIC may have lost the right.
    EXECUTE pg_catalog.format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO ddlrep_apply', pg_catalog.current_database());
END
$$;
