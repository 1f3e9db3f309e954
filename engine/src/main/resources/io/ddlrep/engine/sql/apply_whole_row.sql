#variable_conflict use_variable
-- Applies a window of changes to one table without a usable key, as the table's owner. Such a table is a bag of rows:
-- what counts is how often each row was added and taken away, in whatever order.
DECLARE
    src constant text := stage::regclass::text;
    target constant regclass := {{target}}::regclass;
    low bigint;
    high bigint;
    leaf bigint;
    surplus bigint;
    deleted bigint;
    inserted bigint;
    changed bigint := 0;
BEGIN
    PERFORM ddlrep.take_batch({{table_id}}, {{generation}}, quote_ident(current_user), stage, n, ticket);
    EXECUTE {{last_truncate}} INTO low;
    IF low IS NOT NULL THEN
        changed := ddlrep.empty_table(target);
    ELSE
        low := -1;
    END IF;
    LOOP
        high := NULL;
        leaf := NULL;
        IF {{partitioned}} THEN
            EXECUTE {{next_truncate}} INTO high, leaf USING low;
        END IF;
        EXECUTE {{removals}} INTO surplus USING low, coalesce(high, 9223372036854775807);
        deleted := 0;
        IF surplus = 0 THEN
            EXECUTE {{insert_all}} USING low, coalesce(high, 9223372036854775807);
        ELSE
            -- Rows that were taken away more often than they were added.
            BEGIN
                IF n = 0 THEN
                    -- A companion holds what it locks until COMMIT, and appliers must get by: no row but those that go.
                    EXECUTE {{delete_ranked}} INTO deleted, surplus USING low, coalesce(high, 9223372036854775807);
                ELSE
                    -- A duplicate that another transaction (a companion) is about to delete is left to it.
                    EXECUTE {{delete_skipping}} INTO deleted, surplus USING low, coalesce(high, 9223372036854775807);
                END IF;
                IF deleted <> surplus THEN
                    RAISE lock_not_available;
                END IF;
            EXCEPTION WHEN lock_not_available THEN
                EXECUTE {{delete_waiting}} INTO deleted, surplus USING low, coalesce(high, 9223372036854775807);
            END;
            EXECUTE {{insert}} USING low, coalesce(high, 9223372036854775807);
        END IF;
        GET DIAGNOSTICS inserted = ROW_COUNT;
        IF deleted <> surplus THEN
            PERFORM ddlrep.mismatch(target, inserted, deleted, inserted - surplus);
        END IF;
        changed := changed + deleted + inserted;
        EXIT WHEN high IS NULL;
        changed := changed + ddlrep.empty_table((SELECT r.relid FROM ddlrep.replicated_table r WHERE r.table_id = leaf)::regclass);
        low := high;
    END LOOP;
    RETURN changed;
END
