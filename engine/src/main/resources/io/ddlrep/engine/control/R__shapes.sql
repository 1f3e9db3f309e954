-- Shapes of tables. Idempotent: run again at every upgrade.
-- A function, so that a session keeps the plan: making it costs far more than running it, and it is needed in clients'
-- sessions after every DDL statement.

-- What it returns may have changed since.
DROP FUNCTION IF EXISTS ddlrep.shapes(oid[]);
CREATE OR REPLACE FUNCTION ddlrep.shapes(relids oid[]) RETURNS TABLE (relid oid, schema name, name name, kind "char", persistence "char",
    is_partition boolean, root oid, owner name, rls_binds_owner boolean, inherits boolean, row_triggers boolean, updated_by_actions boolean,
    partitions text, own_triggers text, switched_off text, name_taken boolean, rules_apply boolean, key_deferrable boolean, "column" name, attnum smallint,
    generated boolean, identity_always boolean, not_null boolean, type text, type_name text, wire_type text, "collation" text,
    key_position int, key_operator text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = 'force_generic_plan' SET jit = off
    -- For few tables, by the catalogs' indexes: what the planner expects of unknown parameters ends in whole scans of pg_attribute.
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $f$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE wanted AS (
        SELECT c.oid AS relid, c.*
        FROM pg_class c
        WHERE c.oid = ANY (shapes.relids)
    ), resolved AS (
        -- Domains by their base type; the outermost type modifier wins.
        SELECT a.attrelid, a.attnum, a.atttypid AS typid, a.atttypmod AS typmod
        FROM wanted w JOIN pg_attribute a ON a.attrelid = w.relid
        WHERE a.attnum > 0 AND NOT a.attisdropped
        UNION ALL
        SELECT r.attrelid, r.attnum, t.typbasetype,
            CASE WHEN r.typmod >= 0 THEN r.typmod ELSE t.typtypmod END
        FROM resolved r JOIN pg_type t ON t.oid = r.typid
        WHERE t.typtype = 'd'
    ), plain AS (
        SELECT r.attrelid, r.attnum,
            CASE WHEN b.typnamespace = 'pg_catalog'::regnamespace
                AND b.typtype = ANY ('{b,r,m}'::"char"[])
                -- Their binary form holds oids of this node, or there is none.
                AND NOT coalesce(e.typname, b.typname) ~ '^(reg.*|aclitem|pg_node_tree|pg_ndistinct|pg_dependencies|pg_mcv_list|pg_brin_.*|gtsvector)$'
                THEN format_type(r.typid, r.typmod) ELSE NULL END AS wire_type
        FROM resolved r JOIN pg_type b ON b.oid = r.typid
            LEFT JOIN pg_type e ON e.oid = b.typelem AND b.typcategory = 'A'
        WHERE b.typtype <> 'd'
    ), tree AS (
        SELECT w.relid, coalesce(p.relid, w.relid) AS member
        FROM wanted w LEFT JOIN LATERAL pg_partition_tree(
            CASE WHEN w.relkind = 'p' THEN w.relid::regclass END) p ON true
    ), key AS (
        SELECT w.relid, k.*
        FROM wanted w CROSS JOIN LATERAL (
            SELECT i.indexrelid, i.indkey, i.indclass, i.indnkeyatts, i.indimmediate
            FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid
                JOIN pg_am am ON am.oid = ic.relam
            WHERE i.indrelid = w.relid AND i.indisunique AND i.indisvalid AND NOT i.indisexclusion
                AND i.indpred IS NULL AND i.indexprs IS NULL AND am.amname = 'btree'
                AND (i.indisprimary OR (i.indimmediate AND NOT EXISTS (
                    SELECT FROM generate_series(0, i.indnkeyatts - 1) n
                        JOIN pg_attribute a ON a.attrelid = w.relid
                            AND a.attnum = i.indkey[n]
                    WHERE NOT a.attnotnull OR EXISTS (
                        SELECT FROM pg_constraint nn
                        WHERE nn.conrelid = w.relid AND nn.contype = 'n'
                            AND NOT nn.convalidated AND nn.conkey[1] = a.attnum))))
            ORDER BY i.indisprimary DESC, ic.relname
            LIMIT 1) k
    )
    SELECT w.relid, n.nspname AS schema, w.relname AS name, w.relkind AS kind, w.relpersistence AS persistence,
        w.relispartition AS is_partition,
        CASE WHEN w.relispartition THEN pg_partition_root(w.relid) END::oid AS root,
        o.rolname AS owner,
        w.relforcerowsecurity AND NOT (o.rolsuper OR o.rolbypassrls) AS rls_binds_owner,
        (NOT w.relispartition AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = w.relid))
            OR (w.relkind = 'r' AND EXISTS (
                SELECT FROM pg_inherits h WHERE h.inhparent = w.relid)) AS inherits,
        EXISTS (
            SELECT FROM tree m JOIN pg_trigger g ON g.tgrelid = m.member
            WHERE m.relid = w.relid AND NOT g.tgisinternal
                AND (g.tgtype & 1) = 1 AND g.tgenabled <> 'D'
                AND g.tgname !~ '^!ddlrep_') AS row_triggers,
        EXISTS (
            -- Such an action's rows are told after everything that ran inside its statement, whatever came first.
            SELECT FROM tree m JOIN pg_constraint f ON f.conrelid = m.member
            WHERE m.relid = w.relid AND f.contype = 'f'
                AND (f.confupdtype = ANY ('{c,n,d}'::"char"[]) OR f.confdeltype = ANY ('{n,d}'::"char"[]))) AS updated_by_actions,
        coalesce((
            SELECT string_agg(m.member::oid::text, ',' ORDER BY m.member)
            FROM tree m WHERE m.relid = w.relid AND m.member <> w.relid), '') AS partitions,
        coalesce((
            SELECT string_agg(g.tgname::text, ',' ORDER BY g.tgname)
            FROM pg_trigger g JOIN pg_proc f ON f.oid = g.tgfoid
            WHERE g.tgrelid = w.relid AND g.tgname ~ '^!ddlrep_'
                AND f.pronamespace = 'ddlrep_shadow'::regnamespace
                AND g.tgparentid = 0), '') AS own_triggers,
        coalesce((
            SELECT string_agg(g.tgname::text, ',' ORDER BY g.tgname)
            FROM pg_trigger g JOIN pg_proc f ON f.oid = g.tgfoid
            WHERE g.tgrelid = w.relid AND g.tgname ~ '^!ddlrep_'
                AND f.pronamespace = 'ddlrep_shadow'::regnamespace
                AND g.tgenabled <> 'O'::"char"), '') AS switched_off,
        EXISTS (
            SELECT FROM pg_trigger g JOIN pg_proc f ON f.oid = g.tgfoid
            WHERE g.tgrelid = w.relid AND g.tgname ~ '^!ddlrep_'
                AND f.pronamespace <> 'ddlrep_shadow'::regnamespace
                AND f.pronamespace <> 'ddlrep'::regnamespace) AS name_taken,
        EXISTS (
            SELECT FROM tree m JOIN pg_rewrite r ON r.ev_class = m.member
            WHERE m.relid = w.relid AND r.ev_type <> '1' AND r.ev_enabled = ANY ('{A,R}'::"char"[])) AS rules_apply,
        k.indexrelid IS NOT NULL AND NOT k.indimmediate AS key_deferrable,
        a.attname AS "column", a.attnum, a.attgenerated <> '' AS generated, a.attidentity = 'a' AS identity_always, a.attnotnull AS not_null,
        format_type(a.atttypid, a.atttypmod) AS type,
        quote_ident(tn.nspname) || '.' || quote_ident(t.typname) AS type_name,
        pl.wire_type,
        CASE WHEN a.attcollation <> 0 THEN
            CASE WHEN co.collisdeterministic THEN 'pg_catalog."C"'
            ELSE quote_ident(cn.nspname) || '.' || quote_ident(co.collname) END
        END AS collation,
        kp.position AS key_position,
        CASE WHEN kp.position IS NOT NULL THEN (
            -- The equality of the index itself, which for extension types is not in pg_catalog.
            SELECT format('OPERATOR(%I.%s)', pn.nspname, p.oprname)
            FROM pg_opclass oc
                JOIN pg_amop ao ON ao.amopfamily = oc.opcfamily AND ao.amopstrategy = 3
                    AND ao.amoplefttype = oc.opcintype AND ao.amoprighttype = oc.opcintype
                JOIN pg_operator p ON p.oid = ao.amopopr
                JOIN pg_namespace pn ON pn.oid = p.oprnamespace
            WHERE oc.oid = k.indclass[kp.position]) END AS key_operator
    FROM wanted w
        JOIN pg_namespace n ON n.oid = w.relnamespace
        JOIN pg_roles o ON o.oid = w.relowner
        LEFT JOIN key k ON k.relid = w.relid
        LEFT JOIN pg_attribute a ON a.attrelid = w.relid
            AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_namespace tn ON tn.oid = t.typnamespace
        LEFT JOIN plain pl ON pl.attrelid = w.relid AND pl.attnum = a.attnum
        LEFT JOIN pg_collation co ON co.oid = a.attcollation
        LEFT JOIN pg_namespace cn ON cn.oid = co.collnamespace
        LEFT JOIN LATERAL (
            SELECT s.i AS position
            FROM generate_series(0, k.indnkeyatts - 1) s(i)
            WHERE k.indkey[s.i] = a.attnum
            LIMIT 1) kp ON true
    ORDER BY w.relid, a.attnum;
END
$f$;
COMMENT ON FUNCTION ddlrep.shapes(oid[]) IS 'Everything about tables that capture and apply depend on: one row per table and column (one with column null for a table without columns), in the order of attnum; also in a client''s session, with its uncommitted DDL';
