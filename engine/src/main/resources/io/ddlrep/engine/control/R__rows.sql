-- Functions that capture, deny and apply use on every node and that depend on no table's shape. Idempotent.

CREATE OR REPLACE FUNCTION ddlrep.deny() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    place record;
BEGIN
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
            HINT = format('Write to jdbc:ddlrep://%s:%s/%s instead.', place.host, place.port, place.database),
            SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME;
END
$f$;
COMMENT ON FUNCTION ddlrep.deny() IS 'Deny trigger of replicated tables on replicas; does not fire where session_replication_role is replica';

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
