-- ShapeReader: everything about tables that capture and apply depend on. $1: oids as text[].
-- One row per table and column (one row with column null for a table without columns), in attnum order.
-- Runs in any session, also the client's: all names are qualified, only catalogs are read.
WITH RECURSIVE wanted AS (
    SELECT c.oid AS relid, c.*
    FROM pg_catalog.pg_class c
    WHERE c.oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[]::pg_catalog.oid[])
), resolved AS (
    -- Domains by their base type; the outermost type modifier wins.
    SELECT a.attrelid, a.attnum, a.atttypid AS typid, a.atttypmod AS typmod
    FROM wanted w JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) w.relid
    WHERE a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped
    UNION ALL
    SELECT r.attrelid, r.attnum, t.typbasetype,
        CASE WHEN r.typmod OPERATOR(pg_catalog.>=) 0 THEN r.typmod ELSE t.typtypmod END
    FROM resolved r JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) r.typid
    WHERE t.typtype OPERATOR(pg_catalog.=) 'd'
), plain AS (
    SELECT r.attrelid, r.attnum,
        CASE WHEN b.typnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace
            AND b.typtype OPERATOR(pg_catalog.=) ANY ('{b,r,m}'::"char"[])
            -- Their binary form holds oids of this node, or there is none.
            AND NOT coalesce(e.typname, b.typname) OPERATOR(pg_catalog.~) '^(reg.*|aclitem|pg_node_tree|pg_ndistinct|pg_dependencies|pg_mcv_list|pg_brin_.*|gtsvector)$'
            THEN pg_catalog.format_type(r.typid, r.typmod) ELSE NULL END AS wire_type
    FROM resolved r JOIN pg_catalog.pg_type b ON b.oid OPERATOR(pg_catalog.=) r.typid
        LEFT JOIN pg_catalog.pg_type e ON e.oid OPERATOR(pg_catalog.=) b.typelem AND b.typcategory OPERATOR(pg_catalog.=) 'A'
    WHERE b.typtype OPERATOR(pg_catalog.<>) 'd'
), tree AS (
    SELECT w.relid, coalesce(p.relid, w.relid) AS member
    FROM wanted w LEFT JOIN LATERAL pg_catalog.pg_partition_tree(
        CASE WHEN w.relkind OPERATOR(pg_catalog.=) 'p' THEN w.relid::pg_catalog.regclass END) p ON true
), key AS (
    SELECT w.relid, k.*
    FROM wanted w CROSS JOIN LATERAL (
        SELECT i.indexrelid, i.indkey, i.indclass, i.indnkeyatts, i.indimmediate
        FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class ic ON ic.oid OPERATOR(pg_catalog.=) i.indexrelid
            JOIN pg_catalog.pg_am am ON am.oid OPERATOR(pg_catalog.=) ic.relam
        WHERE i.indrelid OPERATOR(pg_catalog.=) w.relid AND i.indisunique AND i.indisvalid AND NOT i.indisexclusion
            AND i.indpred IS NULL AND i.indexprs IS NULL AND am.amname OPERATOR(pg_catalog.=) 'btree'
            AND (i.indisprimary OR (i.indimmediate AND NOT EXISTS (
                SELECT FROM pg_catalog.generate_series(0, i.indnkeyatts OPERATOR(pg_catalog.-) 1) n
                    JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) w.relid
                        AND a.attnum OPERATOR(pg_catalog.=) i.indkey[n]
                WHERE NOT a.attnotnull OR EXISTS (
                    SELECT FROM pg_catalog.pg_constraint nn
                    WHERE nn.conrelid OPERATOR(pg_catalog.=) w.relid AND nn.contype OPERATOR(pg_catalog.=) 'n'
                        AND NOT nn.convalidated AND nn.conkey[1] OPERATOR(pg_catalog.=) a.attnum))))
        ORDER BY i.indisprimary DESC, ic.relname
        LIMIT 1) k
)
SELECT w.relid, n.nspname AS schema, w.relname AS name, w.relkind AS kind, w.relpersistence AS persistence,
    w.relispartition AS is_partition,
    CASE WHEN w.relispartition THEN pg_catalog.pg_partition_root(w.relid) END::pg_catalog.oid AS root,
    o.rolname AS owner,
    w.relforcerowsecurity AND NOT (o.rolsuper OR o.rolbypassrls) AS rls_binds_owner,
    (NOT w.relispartition AND EXISTS (SELECT FROM pg_catalog.pg_inherits h WHERE h.inhrelid OPERATOR(pg_catalog.=) w.relid))
        OR (w.relkind OPERATOR(pg_catalog.=) 'r' AND EXISTS (
            SELECT FROM pg_catalog.pg_inherits h WHERE h.inhparent OPERATOR(pg_catalog.=) w.relid)) AS inherits,
    EXISTS (
        SELECT FROM tree m JOIN pg_catalog.pg_trigger g ON g.tgrelid OPERATOR(pg_catalog.=) m.member
        WHERE m.relid OPERATOR(pg_catalog.=) w.relid AND NOT g.tgisinternal
            AND (g.tgtype OPERATOR(pg_catalog.&) 1) OPERATOR(pg_catalog.=) 1 AND g.tgenabled OPERATOR(pg_catalog.<>) 'D'
            AND g.tgname OPERATOR(pg_catalog.!~) '^!ddlrep_') AS row_triggers,
    EXISTS (
        -- A cascade that changes the key of rows which the same statement changes.
        SELECT FROM pg_catalog.pg_constraint f
        WHERE f.conrelid OPERATOR(pg_catalog.=) w.relid AND f.confrelid OPERATOR(pg_catalog.=) w.relid
            AND f.contype OPERATOR(pg_catalog.=) 'f' AND f.confupdtype OPERATOR(pg_catalog.=) ANY ('{c,n,d}'::"char"[])
            AND f.conkey OPERATOR(pg_catalog.&&) (k.indkey::pg_catalog.int2[])) AS key_cascades,
    coalesce((
        SELECT pg_catalog.string_agg(m.member::pg_catalog.oid::pg_catalog.text, ',' ORDER BY m.member)
        FROM tree m WHERE m.relid OPERATOR(pg_catalog.=) w.relid AND m.member OPERATOR(pg_catalog.<>) w.relid), '') AS partitions,
    coalesce((
        SELECT pg_catalog.string_agg(g.tgname::pg_catalog.text, ',' ORDER BY g.tgname)
        FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_proc f ON f.oid OPERATOR(pg_catalog.=) g.tgfoid
        WHERE g.tgrelid OPERATOR(pg_catalog.=) w.relid AND g.tgname OPERATOR(pg_catalog.~) '^!ddlrep_'
            AND f.pronamespace OPERATOR(pg_catalog.=) 'ddlrep_shadow'::pg_catalog.regnamespace
            AND g.tgparentid OPERATOR(pg_catalog.=) 0), '') AS own_triggers,
    coalesce((
        SELECT pg_catalog.string_agg(g.tgname::pg_catalog.text, ',' ORDER BY g.tgname)
        FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_proc f ON f.oid OPERATOR(pg_catalog.=) g.tgfoid
        WHERE g.tgrelid OPERATOR(pg_catalog.=) w.relid AND g.tgname OPERATOR(pg_catalog.~) '^!ddlrep_'
            AND f.pronamespace OPERATOR(pg_catalog.=) 'ddlrep_shadow'::pg_catalog.regnamespace
            AND g.tgenabled OPERATOR(pg_catalog.<>) 'O'), '') AS switched_off,
    EXISTS (
        SELECT FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_proc f ON f.oid OPERATOR(pg_catalog.=) g.tgfoid
        WHERE g.tgrelid OPERATOR(pg_catalog.=) w.relid AND g.tgname OPERATOR(pg_catalog.~) '^!ddlrep_'
            AND f.pronamespace OPERATOR(pg_catalog.<>) 'ddlrep_shadow'::pg_catalog.regnamespace
            AND f.pronamespace OPERATOR(pg_catalog.<>) 'ddlrep'::pg_catalog.regnamespace) AS name_taken,
    k.indexrelid IS NOT NULL AND NOT k.indimmediate AS key_deferrable,
    a.attname AS "column", a.attnum, a.attgenerated OPERATOR(pg_catalog.<>) '' AS generated, a.attidentity OPERATOR(pg_catalog.=) 'a' AS identity_always, a.attnotnull AS not_null,
    pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
    pg_catalog.quote_ident(tn.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(t.typname) AS type_name,
    pl.wire_type,
    CASE WHEN a.attcollation OPERATOR(pg_catalog.<>) 0 THEN
        CASE WHEN co.collisdeterministic THEN 'pg_catalog."C"'
        ELSE pg_catalog.quote_ident(cn.nspname) OPERATOR(pg_catalog.||) '.' OPERATOR(pg_catalog.||) pg_catalog.quote_ident(co.collname) END
    END AS collation,
    kp.position AS key_position,
    eq.operator AS key_operator
FROM wanted w
    JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) w.relnamespace
    JOIN pg_catalog.pg_roles o ON o.oid OPERATOR(pg_catalog.=) w.relowner
    LEFT JOIN key k ON k.relid OPERATOR(pg_catalog.=) w.relid
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid OPERATOR(pg_catalog.=) w.relid
        AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped
    LEFT JOIN pg_catalog.pg_type t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
    LEFT JOIN pg_catalog.pg_namespace tn ON tn.oid OPERATOR(pg_catalog.=) t.typnamespace
    LEFT JOIN plain pl ON pl.attrelid OPERATOR(pg_catalog.=) w.relid AND pl.attnum OPERATOR(pg_catalog.=) a.attnum
    LEFT JOIN pg_catalog.pg_collation co ON co.oid OPERATOR(pg_catalog.=) a.attcollation
    LEFT JOIN pg_catalog.pg_namespace cn ON cn.oid OPERATOR(pg_catalog.=) co.collnamespace
    LEFT JOIN LATERAL (
        SELECT s.i AS position
        FROM pg_catalog.generate_series(0, k.indnkeyatts OPERATOR(pg_catalog.-) 1) s(i)
        WHERE k.indkey[s.i] OPERATOR(pg_catalog.=) a.attnum
        LIMIT 1) kp ON true
    LEFT JOIN LATERAL (
        -- The equality of the index itself, which for extension types is not in pg_catalog.
        SELECT pg_catalog.format('OPERATOR(%I.%s)', pn.nspname, p.oprname) AS operator
        FROM pg_catalog.pg_opclass oc
            JOIN pg_catalog.pg_amop ao ON ao.amopfamily OPERATOR(pg_catalog.=) oc.opcfamily
                AND ao.amopstrategy OPERATOR(pg_catalog.=) 3 AND ao.amoplefttype OPERATOR(pg_catalog.=) oc.opcintype
                AND ao.amoprighttype OPERATOR(pg_catalog.=) oc.opcintype
            JOIN pg_catalog.pg_operator p ON p.oid OPERATOR(pg_catalog.=) ao.amopopr
            JOIN pg_catalog.pg_namespace pn ON pn.oid OPERATOR(pg_catalog.=) p.oprnamespace
        WHERE kp.position IS NOT NULL AND oc.oid OPERATOR(pg_catalog.=) k.indclass[kp.position]) eq ON true
ORDER BY w.relid, a.attnum
