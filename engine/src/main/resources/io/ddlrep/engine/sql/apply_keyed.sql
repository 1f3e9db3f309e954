#variable_conflict use_variable
-- Applies a window of changes to one table, as the table's owner: the net effect per key, set by set.
-- $1 and $2 in the texts are the bounds of the segment: between two truncated partitions, else the whole window.
DECLARE
    src constant text := stage::regclass::text;
    target constant regclass := {{target}}::regclass;
    low bigint;
    high bigint;
    leaf bigint;
    expected bigint;
    total bigint;
    removals bigint;
    present bigint;
    deleted bigint;
    written bigint;
    inserted bigint;
    changed bigint := 0;
BEGIN
    PERFORM ddlrep.take_batch({{table_id}}, {{generation}}, quote_ident(current_user), stage, n, ticket);
    -- What came before the table's last TRUNCATE has no effect.
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
        EXECUTE {{counts}} INTO total, expected, removals USING low, coalesce(high, 9223372036854775807);
        deleted := 0;
        BEGIN
            IF ordered OR {{replace}} THEN
                RAISE unique_violation;
            END IF;
            IF total = expected THEN
                -- Nothing but new rows, each with a key of its own.
                EXECUTE {{insert_new}} USING low, coalesce(high, 9223372036854775807);
                GET DIAGNOSTICS inserted = ROW_COUNT;
                written := inserted;
            ELSE
                IF removals > 0 THEN
                    EXECUTE {{delete}} USING low, coalesce(high, 9223372036854775807);
                    GET DIAGNOSTICS deleted = ROW_COUNT;
                END IF;
                present := 0;
                IF {{partitioned}} THEN
                    EXECUTE {{present}} INTO present USING low, coalesce(high, 9223372036854775807);
                END IF;
                EXECUTE {{upsert}} INTO written, inserted USING low, coalesce(high, 9223372036854775807);
                inserted := inserted - present;
            END IF;
        EXCEPTION WHEN unique_violation OR exclusion_violation OR cardinality_violation OR feature_not_supported
                OR object_not_in_prerequisite_state THEN
            -- A table with a rule, or with a second deferrable key, takes no upsert. Or two rows exchanged a unique value:
            -- no order of single upserts is free of conflict, but to take all touched rows away first always is, since
            -- the end of a window is a state that the origin had.
            EXECUTE {{delete_all}} USING low, coalesce(high, 9223372036854775807);
            GET DIAGNOSTICS deleted = ROW_COUNT;
            EXECUTE {{insert_all}} USING low, coalesce(high, 9223372036854775807);
            GET DIAGNOSTICS inserted = ROW_COUNT;
            written := inserted;
        END;
        IF inserted - deleted <> expected THEN
            PERFORM ddlrep.mismatch(target, inserted, deleted, expected);
        END IF;
        changed := changed + written + deleted;
        EXIT WHEN high IS NULL;
        changed := changed + ddlrep.empty_table((SELECT r.relid FROM ddlrep.replicated_table r WHERE r.table_id = leaf)::regclass);
        low := high;
    END LOOP;
    RETURN changed;
END
