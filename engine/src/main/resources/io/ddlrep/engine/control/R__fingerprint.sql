-- Fingerprints of relations. Idempotent: run again at every upgrade.
-- A fact is one line of three fields with a tab between them: object, property, value. Facts are free of OIDs and of
-- column order; dropped columns and ddlrep's own objects are left out; what has its default value has no line. Every
-- function here is SECURITY INVOKER and reads only what PUBLIC may read, so that a client's own session can ask about
-- its own uncommitted DDL. search_path is pinned so that the server qualifies every name that it prints, and so are
-- the settings that change how it prints constants.
-- What the majors spell differently, by the lowest and highest major of the group (ddlrep.node.major):
--   MAINTAIN exists from 17 on: left out while a node is older;
--   NOT NULL is a named constraint from 18 on: the names are compared once all nodes have them, before that only
--     whether the column is NOT NULL;
--   views and rules are stored without OLD and NEW, and so printed without qualifiers, from 16 on: while the group has
--     nodes on both sides, the text is replaced by what the definition refers to.
-- Not comparable at all, and so left out: whether a materialized view is populated, attndims, attmissingval, statistics,
-- the position of sequences, and clones of foreign keys that the server makes for partitions of the referenced table.

CREATE OR REPLACE FUNCTION ddlrep.version_floor() RETURNS int
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN (SELECT least(current_setting('server_version_num')::int / 10000, min(n.major)) FROM ddlrep.node n);
END
$f$;
COMMENT ON FUNCTION ddlrep.version_floor() IS 'Lowest PostgreSQL major of the group, as far as it is known';

CREATE OR REPLACE FUNCTION ddlrep.version_ceiling() RETURNS int
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN (SELECT greatest(current_setting('server_version_num')::int / 10000, max(n.major)) FROM ddlrep.node n);
END
$f$;
COMMENT ON FUNCTION ddlrep.version_ceiling() IS 'Highest PostgreSQL major of the group, as far as it is known';

CREATE OR REPLACE FUNCTION ddlrep.own_schema(schema oid) RETURNS boolean
LANGUAGE plpgsql STABLE
AS $f$
BEGIN
    RETURN EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.oid OPERATOR(pg_catalog.=) schema
        AND n.nspname OPERATOR(pg_catalog.=) ANY (ARRAY['ddlrep', 'ddlrep_shadow', 'ddlrep_apply']::pg_catalog.name[]));
END
$f$;
COMMENT ON FUNCTION ddlrep.own_schema(oid) IS 'Whether a schema is one of ddlrep''s';

CREATE OR REPLACE FUNCTION ddlrep.privileges(kind "char", owner oid, acl aclitem[], version int) RETURNS TABLE (grantee text, held text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(a.grantee)::text END,
            string_agg(a.privilege_type || CASE WHEN a.is_grantable THEN '*' ELSE '' END
                    || CASE a.grantor WHEN owner THEN '' ELSE ' by ' || pg_get_userbyid(a.grantor) END,
                ', ' ORDER BY a.privilege_type COLLATE "C", pg_get_userbyid(a.grantor) COLLATE "C")
        FROM aclexplode(coalesce(acl, acldefault(kind, owner))) a
        WHERE version >= 17 OR a.privilege_type <> 'MAINTAIN'
        GROUP BY a.grantee;
END
$f$;
COMMENT ON FUNCTION ddlrep.privileges("char", oid, aclitem[], int) IS 'An access list with its default filled in, by grantee, as a group whose lowest major is the given one can have it; an asterisk marks WITH GRANT OPTION';

CREATE OR REPLACE FUNCTION ddlrep.type_facts(types oid[], version int) RETURNS TABLE (type oid, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET "TimeZone" = 'UTC' SET "DateStyle" = 'ISO, YMD'
    SET "IntervalStyle" = 'postgres' SET extra_float_digits = 1 SET bytea_output = 'hex' SET quote_all_identifiers = off
AS $f$
BEGIN
    RETURN QUERY SELECT t.oid, p.property, p.value FROM pg_type t
        CROSS JOIN LATERAL (VALUES
            ('kind', t.typtype::text),
            ('owner', pg_get_userbyid(t.typowner)::text),
            ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = t.oid AND d.classoid = 'pg_type'::regclass AND d.objsubid = 0)),
            ('base type', CASE t.typtype WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) END),
            ('not null', CASE WHEN t.typnotnull THEN 'yes' END),
            ('default', t.typdefault),
            ('collation', CASE WHEN t.typtype = 'd' AND t.typcollation <> 0 THEN t.typcollation::regcollation::text END),
            ('labels', (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
                FROM pg_enum e WHERE e.enumtypid = t.oid)),
            ('attributes', CASE t.typtype WHEN 'c' THEN (SELECT string_agg(quote_ident(a.attname) || ' '
                        || format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attcollation NOT IN (0, b.typcollation)
                            THEN ' COLLATE ' || a.attcollation::regcollation::text ELSE '' END, ', ' ORDER BY a.attnum)
                FROM pg_attribute a JOIN pg_type b ON b.oid = a.atttypid
                WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) END),
            ('subtype', (SELECT concat_ws(' ', format_type(r.rngsubtype, NULL), o.opcname,
                    nullif(r.rngcollation, 0)::regcollation, nullif(r.rngcanonical::oid, 0)::regproc,
                    nullif(r.rngsubdiff::oid, 0)::regproc)
                FROM pg_range r JOIN pg_opclass o ON o.oid = r.rngsubopc WHERE r.rngtypid = t.oid)),
            ('input', CASE t.typtype WHEN 'b' THEN concat_ws(' ', t.typinput, t.typoutput, t.typlen, t.typalign, t.typstorage) END)
        ) p(property, value)
        WHERE t.oid = ANY (types) AND p.value IS NOT NULL;
    RETURN QUERY SELECT t.oid, 'privileges of ' || v.grantee, v.held FROM pg_type t
        CROSS JOIN LATERAL ddlrep.privileges('T', t.typowner, t.typacl, version) v WHERE t.oid = ANY (types);
    RETURN QUERY SELECT c.contypid, 'constraint ' || quote_ident(c.conname), pg_get_constraintdef(c.oid)
            || coalesce(' -- ' || (SELECT d.description FROM pg_description d WHERE d.objoid = c.oid AND d.classoid = 'pg_constraint'::regclass AND d.objsubid = 0), '')
        FROM pg_constraint c WHERE c.contypid = ANY (types) AND c.contype <> 'n';
END
$f$;
COMMENT ON FUNCTION ddlrep.type_facts(oid[], int) IS 'Facts about types: enum labels, attributes of composites, domains, ranges, owner, privileges';

CREATE OR REPLACE FUNCTION ddlrep.relation_facts(relids oid[], version int) RETURNS TABLE (relid oid, object text, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT c.oid, 'relation', p.property, p.value
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL (VALUES
            ('name', quote_ident(n.nspname) || '.' || quote_ident(c.relname)),
            ('kind', c.relkind::text),
            ('persistence', nullif(c.relpersistence, 'p')::text),
            ('owner', pg_get_userbyid(c.relowner)::text),
            ('access method', (SELECT a.amname::text FROM pg_am a WHERE a.oid = c.relam)),
            ('tablespace', (SELECT s.spcname::text FROM pg_tablespace s WHERE s.oid = c.reltablespace)),
            ('row security', CASE WHEN c.relrowsecurity THEN 'enabled' END),
            ('row security of the owner', CASE WHEN c.relforcerowsecurity THEN 'forced' END),
            ('replica identity', CASE c.relreplident WHEN 'd' THEN NULL WHEN 'n' THEN CASE WHEN c.relkind IN ('r', 'p') THEN 'nothing' END
                WHEN 'f' THEN 'full' ELSE 'index ' || coalesce((SELECT i.indexrelid::regclass::text FROM pg_index i
                    WHERE i.indrelid = c.oid AND i.indisreplident), '?') END),
            ('options', (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(c.reloptions) o)),
            ('options of its toast table', (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C")
                FROM pg_class t, unnest(t.reloptions) o WHERE t.oid = c.reltoastrelid)),
            ('of type', CASE WHEN c.reloftype <> 0 THEN format_type(c.reloftype, NULL) END),
            ('partition key', CASE c.relkind WHEN 'p' THEN pg_get_partkeydef(c.oid) END),
            ('partition bound', CASE WHEN c.relispartition THEN pg_get_expr(c.relpartbound, c.oid) END),
            ('parents', (SELECT string_agg(i.inhparent::regclass::text || CASE WHEN i.inhdetachpending THEN ' (detach pending)' ELSE '' END,
                ', ' ORDER BY i.inhseqno) FROM pg_inherits i WHERE i.inhrelid = c.oid)),
            ('children', CASE WHEN c.relhassubclass THEN (SELECT string_agg(i.inhrelid::regclass::text, ', '
                ORDER BY i.inhrelid::regclass::text COLLATE "C") FROM pg_inherits i JOIN pg_class h ON h.oid = i.inhrelid
                WHERE i.inhparent = c.oid AND h.relpersistence <> 't') END),
            ('foreign server', CASE c.relkind WHEN 'f' THEN (SELECT s.srvname || coalesce(' ' || f.ftoptions::text, '')
                FROM pg_foreign_table f JOIN pg_foreign_server s ON s.oid = f.ftserver WHERE f.ftrelid = c.oid) END)
        ) p(property, value)
        WHERE c.oid = ANY (relids) AND p.value IS NOT NULL;
    RETURN QUERY SELECT c.oid, 'relation', 'privileges of ' || v.grantee, v.held FROM pg_class c
        CROSS JOIN LATERAL ddlrep.privileges(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner, c.relacl, version) v
        WHERE c.oid = ANY (relids);
    RETURN QUERY SELECT d.objoid, CASE d.objsubid WHEN 0 THEN 'relation' ELSE 'column ' || quote_ident(a.attname) END, 'comment', d.description
        FROM pg_description d LEFT JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid
        WHERE d.classoid = 'pg_class'::regclass AND d.objoid = ANY (relids);
    IF EXISTS (SELECT FROM pg_seclabel) THEN
        RETURN QUERY SELECT d.objoid, CASE d.objsubid WHEN 0 THEN 'relation' ELSE 'column ' || quote_ident(a.attname) END,
                'security label of ' || d.provider, d.label
            FROM pg_seclabel d LEFT JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid
            WHERE d.classoid = 'pg_class'::regclass AND d.objoid = ANY (relids);
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.relation_facts(oid[], int) IS 'Facts of pg_class, of the inheritance tree, privileges, comments and security labels';

CREATE OR REPLACE FUNCTION ddlrep.column_facts(relids oid[], version int) RETURNS TABLE (relid oid, object text, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT a.attrelid, 'column ' || quote_ident(a.attname), p.property, p.value
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.atthasdef
        CROSS JOIN LATERAL (VALUES
            ('type', format_type(a.atttypid, a.atttypmod)),
            ('not null', CASE WHEN a.attnotnull THEN 'yes' END),
            (CASE a.attgenerated WHEN '' THEN 'default' ELSE 'generated' END, pg_get_expr(d.adbin, d.adrelid)),
            ('generated kind', CASE a.attgenerated WHEN '' THEN NULL WHEN 's' THEN 'stored' ELSE 'virtual' END),
            ('identity', CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default' END),
            ('collation', CASE WHEN a.attcollation <> t.typcollation THEN a.attcollation::regcollation::text END),
            ('storage', CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage::text END),
            ('compression', nullif(a.attcompression, '')::text),
            ('statistics target', nullif(a.attstattarget, -1)::text),
            ('options', (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(a.attoptions) o)),
            ('foreign options', (SELECT string_agg(o, ', ' ORDER BY o COLLATE "C") FROM unnest(a.attfdwoptions) o)),
            ('inherited', CASE WHEN a.attinhcount > 0 THEN a.attinhcount || ' times' END),
            ('local', CASE WHEN NOT a.attislocal THEN 'no' END)
        ) p(property, value)
        WHERE a.attrelid = ANY (relids) AND a.attnum > 0 AND NOT a.attisdropped AND p.value IS NOT NULL;
    RETURN QUERY SELECT a.attrelid, 'column ' || quote_ident(a.attname), 'privileges of ' || v.grantee, v.held
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        CROSS JOIN LATERAL ddlrep.privileges('c'::"char", c.relowner, a.attacl, version) v
        WHERE a.attrelid = ANY (relids) AND a.attnum > 0 AND NOT a.attisdropped AND a.attacl IS NOT NULL;
    IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = ANY (relids) AND a.attnum > 0 AND a.atttypid >= 16384) THEN
        RETURN QUERY
            WITH RECURSIVE used(relid, type) AS (
                SELECT a.attrelid, a.atttypid FROM pg_attribute a
                WHERE a.attrelid = ANY (relids) AND a.attnum > 0 AND a.atttypid >= 16384
                UNION
                SELECT u.relid, inner_type.oid FROM used u JOIN pg_type t ON t.oid = u.type
                CROSS JOIN LATERAL (
                    SELECT e.oid FROM (VALUES (t.typelem), (t.typbasetype)) e(oid)
                    UNION ALL SELECT r.rngsubtype FROM pg_range r WHERE r.rngtypid = t.oid
                    UNION ALL SELECT r.rngtypid FROM pg_range r WHERE r.rngmultitypid = t.oid
                    UNION ALL SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = t.typrelid AND t.typrelid <> 0 AND a.attnum > 0
                ) inner_type WHERE inner_type.oid >= 16384)
            SELECT u.relid, 'type ' || format_type(u.type, NULL), f.property, f.value
            FROM used u JOIN ddlrep.type_facts((SELECT array_agg(DISTINCT x.type) FROM used x), version) f ON f.type = u.type
            JOIN pg_type t ON t.oid = u.type WHERE t.typcategory <> 'A';
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.column_facts(oid[], int) IS 'Facts of pg_attribute, by column name, and of the types that columns use and that are not the server''s own';

CREATE OR REPLACE FUNCTION ddlrep.constraint_facts(relids oid[], version int) RETURNS TABLE (relid oid, object text, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT c.conrelid, 'constraint ' || quote_ident(c.conname), p.property, p.value
        FROM pg_constraint c
        CROSS JOIN LATERAL (VALUES
            ('definition', pg_get_constraintdef(c.oid)),
            ('validated', CASE WHEN NOT c.convalidated THEN 'no' END),
            ('deferrable', CASE WHEN c.condeferrable THEN CASE WHEN c.condeferred THEN 'initially deferred' ELSE 'yes' END END),
            ('no inherit', CASE WHEN c.connoinherit AND c.contype IN ('c', 'n') THEN 'yes' END),
            ('inherited', CASE WHEN c.coninhcount > 0 THEN c.coninhcount || ' times' END),
            ('local', CASE WHEN NOT c.conislocal THEN 'no' END),
            ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = c.oid AND d.classoid = 'pg_constraint'::regclass AND d.objsubid = 0))
        ) p(property, value)
        WHERE c.conrelid = ANY (relids) AND p.value IS NOT NULL AND c.contype <> 't' AND (c.contype <> 'n' OR version >= 18)
            AND NOT EXISTS (SELECT FROM pg_constraint above WHERE above.oid = c.conparentid AND above.conrelid = c.conrelid);
    RETURN QUERY SELECT i.indrelid, 'index ' || quote_ident(c.relname), p.property, p.value
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        CROSS JOIN LATERAL (VALUES
            ('definition', pg_get_indexdef(i.indexrelid)),
            ('valid', CASE WHEN NOT i.indisvalid THEN 'no' END),
            ('ready', CASE WHEN NOT i.indisready THEN 'no' END),
            ('live', CASE WHEN NOT i.indislive THEN 'no' END),
            ('immediate', CASE WHEN NOT i.indimmediate THEN 'no' END),
            ('clustered', CASE WHEN i.indisclustered THEN 'yes' END),
            ('replica identity', CASE WHEN i.indisreplident THEN 'yes' END),
            ('primary', CASE WHEN i.indisprimary THEN 'yes' END),
            ('exclusion', CASE WHEN i.indisexclusion THEN 'yes' END),
            ('tablespace', (SELECT s.spcname::text FROM pg_tablespace s WHERE s.oid = c.reltablespace)),
            ('parent', (SELECT h.inhparent::regclass::text FROM pg_inherits h WHERE h.inhrelid = i.indexrelid)),
            ('statistics targets', (SELECT string_agg(a.attnum || ': ' || a.attstattarget, ', ' ORDER BY a.attnum)
                FROM pg_attribute a WHERE a.attrelid = i.indexrelid AND a.attstattarget >= 0)),
            ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = i.indexrelid AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0))
        ) p(property, value)
        WHERE i.indrelid = ANY (relids) AND p.value IS NOT NULL;
    IF EXISTS (SELECT FROM pg_statistic_ext s WHERE s.stxrelid = ANY (relids)) THEN
        RETURN QUERY SELECT s.stxrelid, 'statistics ' || quote_ident(s.stxname), p.property, p.value
            FROM pg_statistic_ext s
            CROSS JOIN LATERAL (VALUES
                -- Put together here: the server prints the columns in the order of the table.
                ('kinds', array_to_string(s.stxkind, ', ')),
                ('columns', (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) FROM pg_attribute a
                    WHERE a.attrelid = s.stxrelid AND a.attnum = ANY (s.stxkeys::int2[]))),
                ('expressions', array_to_string(pg_get_statisticsobjdef_expressions(s.oid), ', ')),
                ('schema', s.stxnamespace::regnamespace::text),
                ('target', nullif(s.stxstattarget, -1)::text),
                ('owner', pg_get_userbyid(s.stxowner)::text),
                ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = s.oid AND d.classoid = 'pg_statistic_ext'::regclass AND d.objsubid = 0))
            ) p(property, value)
            WHERE s.stxrelid = ANY (relids) AND p.value IS NOT NULL;
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.constraint_facts(oid[], int) IS 'Facts about constraints, indexes and extended statistics, by name';

CREATE OR REPLACE FUNCTION ddlrep.behaviour_facts(relids oid[], floor int, ceiling int) RETURNS TABLE (relid oid, object text, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    IF EXISTS (SELECT FROM pg_class c WHERE c.oid = ANY (relids) AND c.relhastriggers) THEN
        RETURN QUERY SELECT t.tgrelid, 'trigger ' || quote_ident(t.tgname), p.property, p.value
            FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
            CROSS JOIN LATERAL (VALUES
                ('definition', pg_get_triggerdef(t.oid)),
                ('enabled', nullif(t.tgenabled, 'O')::text),
                ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = t.oid AND d.classoid = 'pg_trigger'::regclass AND d.objsubid = 0))
            ) p(property, value)
            WHERE t.tgrelid = ANY (relids) AND NOT t.tgisinternal AND p.value IS NOT NULL AND NOT ddlrep.own_schema(f.pronamespace);
        RETURN QUERY SELECT t.tgrelid, 'constraint ' || quote_ident(c.conname), 'trigger ' || f.proname, t.tgenabled::text
            FROM pg_trigger t JOIN pg_constraint c ON c.oid = t.tgconstraint JOIN pg_proc f ON f.oid = t.tgfoid
            WHERE t.tgrelid = ANY (relids) AND t.tgisinternal AND t.tgenabled <> 'O';
    END IF;
    IF EXISTS (SELECT FROM pg_policy o WHERE o.polrelid = ANY (relids)) THEN
        RETURN QUERY SELECT o.polrelid, 'policy ' || quote_ident(o.polname), p.property, p.value
            FROM pg_policy o
            CROSS JOIN LATERAL (VALUES
                ('command', o.polcmd::text),
                ('permissive', CASE WHEN NOT o.polpermissive THEN 'no' END),
                ('roles', (SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r)::text END, ', '
                    ORDER BY pg_get_userbyid(r) COLLATE "C") FROM unnest(o.polroles) r)),
                ('using', pg_get_expr(o.polqual, o.polrelid)),
                ('with check', pg_get_expr(o.polwithcheck, o.polrelid)),
                ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = o.oid AND d.classoid = 'pg_policy'::regclass AND d.objsubid = 0))
            ) p(property, value)
            WHERE o.polrelid = ANY (relids) AND p.value IS NOT NULL;
    END IF;
    IF EXISTS (SELECT FROM pg_rewrite r WHERE r.ev_class = ANY (relids)) THEN
        RETURN QUERY SELECT r.ev_class, CASE WHEN r.rulename = '_RETURN' THEN 'view' ELSE 'rule ' || quote_ident(r.rulename) END, p.property, p.value
            FROM pg_rewrite r
            CROSS JOIN LATERAL (VALUES
                ('definition', CASE WHEN r.rulename = '_RETURN' AND floor < 16 AND ceiling >= 16 THEN (
                        SELECT 'refers to ' || string_agg(DISTINCT pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid), ', '
                            ORDER BY pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid))
                        FROM pg_depend d WHERE d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refobjid <> r.ev_class)
                    WHEN r.rulename = '_RETURN' THEN pg_get_viewdef(r.ev_class)
                    ELSE pg_get_ruledef(r.oid) END),
                ('event', CASE WHEN r.rulename <> '_RETURN' THEN r.ev_type::text || CASE WHEN r.is_instead THEN ' instead' ELSE '' END END),
                ('enabled', nullif(r.ev_enabled, 'O')::text),
                ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = r.oid AND d.classoid = 'pg_rewrite'::regclass AND d.objsubid = 0))
            ) p(property, value)
            WHERE r.ev_class = ANY (relids) AND p.value IS NOT NULL;
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.behaviour_facts(oid[], int, int) IS 'Facts about triggers (ddlrep''s own left out), policies and rules';

CREATE OR REPLACE FUNCTION ddlrep.neighbour_facts(relids oid[], version int) RETURNS TABLE (relid oid, object text, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    -- Sub-objects of the relations, as relid and address: what they refer to is part of what the relation does.
    owners oid[];
    classes oid[];
    parts oid[];
BEGIN
    SELECT array_agg(x.r), array_agg(x.c), array_agg(x.o) INTO owners, classes, parts FROM (
        SELECT d.adrelid, 'pg_attrdef'::regclass::oid, d.oid FROM pg_attrdef d WHERE d.adrelid = ANY (relids)
        UNION ALL SELECT c.conrelid, 'pg_constraint'::regclass, c.oid FROM pg_constraint c WHERE c.conrelid = ANY (relids)
        UNION ALL SELECT i.indrelid, 'pg_class'::regclass, i.indexrelid FROM pg_index i WHERE i.indrelid = ANY (relids)
        UNION ALL SELECT t.tgrelid, 'pg_trigger'::regclass, t.oid FROM pg_trigger t WHERE t.tgrelid = ANY (relids) AND NOT t.tgisinternal
        UNION ALL SELECT p.polrelid, 'pg_policy'::regclass, p.oid FROM pg_policy p WHERE p.polrelid = ANY (relids)
        UNION ALL SELECT w.ev_class, 'pg_rewrite'::regclass, w.oid FROM pg_rewrite w WHERE w.ev_class = ANY (relids)
    ) x(r, c, o);
    IF parts IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY SELECT x.relid, 'function ' || f.oid::regprocedure::text, p.property, p.value
        FROM (SELECT DISTINCT u.relid, d.refobjid AS oid FROM unnest(owners, classes, parts) u(relid, class, part)
            JOIN pg_depend d ON d.classid = u.class AND d.objid = u.part AND d.refclassid = 'pg_proc'::regclass) x
        JOIN pg_proc f ON f.oid = x.oid
        CROSS JOIN LATERAL (VALUES
            ('body', CASE WHEN f.prokind <> 'a' THEN md5(pg_get_functiondef(f.oid)) END),
            ('owner', pg_get_userbyid(f.proowner)::text)
        ) p(property, value)
        WHERE p.value IS NOT NULL AND NOT ddlrep.own_schema(f.pronamespace);
    RETURN QUERY SELECT x.relid, 'sequence ' || x.oid::regclass::text, f.property, f.value
        FROM (SELECT u.relid, d.refobjid AS oid FROM unnest(owners, classes, parts) u(relid, class, part)
                JOIN pg_depend d ON d.classid = u.class AND d.objid = u.part AND d.refclassid = 'pg_class'::regclass
                WHERE u.class = 'pg_attrdef'::regclass
            UNION SELECT d.refobjid, d.objid FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY (relids)
                AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0) x
        JOIN pg_class s ON s.oid = x.oid AND s.relkind = 'S'
        CROSS JOIN LATERAL ddlrep.sequence_facts(s.oid, version) f;
END
$f$;
COMMENT ON FUNCTION ddlrep.neighbour_facts(oid[], int) IS 'Facts about functions and sequences that the relation''s defaults, constraints, indexes, triggers, policies and rules use, and about sequences that its columns own';

CREATE OR REPLACE FUNCTION ddlrep.sequence_facts(sequence oid, version int) RETURNS TABLE (property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT p.property, p.value FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
        CROSS JOIN LATERAL (VALUES
            ('type', format_type(s.seqtypid, NULL)),
            ('start', s.seqstart::text),
            ('increment', nullif(s.seqincrement, 1)::text),
            ('minimum', s.seqmin::text),
            ('maximum', s.seqmax::text),
            ('cache', nullif(s.seqcache, 1)::text),
            ('cycle', CASE WHEN s.seqcycle THEN 'yes' END),
            ('persistence', nullif(c.relpersistence, 'p')::text),
            ('owner', pg_get_userbyid(c.relowner)::text),
            ('owned by', (SELECT d.refobjid::regclass || '.' || quote_ident(a.attname) FROM pg_depend d
                JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
                WHERE d.classid = 'pg_class'::regclass AND d.objid = sequence AND d.refclassid = 'pg_class'::regclass
                    AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0)),
            ('comment', (SELECT d.description FROM pg_description d WHERE d.objoid = sequence AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0))
        ) p(property, value)
        WHERE s.seqrelid = sequence AND p.value IS NOT NULL;
    RETURN QUERY SELECT 'privileges of ' || v.grantee, v.held FROM pg_class c
        CROSS JOIN LATERAL ddlrep.privileges('s'::"char", c.relowner, c.relacl, version) v WHERE c.oid = sequence;
END
$f$;
COMMENT ON FUNCTION ddlrep.sequence_facts(oid, int) IS 'Facts about a sequence, without its position';

CREATE OR REPLACE FUNCTION ddlrep.fingerprint_facts(relids oid[]) RETURNS TABLE (relid oid, fact text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET "TimeZone" = 'UTC' SET "DateStyle" = 'ISO, YMD'
    SET "IntervalStyle" = 'postgres' SET extra_float_digits = 1 SET bytea_output = 'hex' SET quote_all_identifiers = off
    -- For a few relations planning costs more than running: the plans of a session are made once, not at each call.
    SET plan_cache_mode = 'force_generic_plan' SET jit = off
    -- By the catalogs' indexes: what the planner expects of unknown parameters ends in whole scans of them.
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $f$
DECLARE
    floor int := ddlrep.version_floor();
    ceiling int := ddlrep.version_ceiling();
BEGIN
    RETURN QUERY SELECT f.relid, concat_ws(E'\t', f.object, f.property,
            replace(replace(replace(f.value, E'\\', E'\\\\'), E'\n', E'\\n'), E'\t', E'\\t'))
        FROM (SELECT * FROM ddlrep.relation_facts(relids, floor)
            UNION ALL SELECT * FROM ddlrep.column_facts(relids, floor)
            UNION ALL SELECT * FROM ddlrep.constraint_facts(relids, floor)
            UNION ALL SELECT * FROM ddlrep.behaviour_facts(relids, floor, ceiling)
            UNION ALL SELECT * FROM ddlrep.neighbour_facts(relids, floor)) f;
END
$f$;
COMMENT ON FUNCTION ddlrep.fingerprint_facts(oid[]) IS 'Facts of many relations, in no order; a fact is object, tab, property, tab, value, with backslash, newline and tab of the value escaped';

CREATE OR REPLACE FUNCTION ddlrep.fingerprint(relid oid) RETURNS TABLE (fact text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT f.fact FROM ddlrep.fingerprint_facts(ARRAY[relid]) f ORDER BY f.fact COLLATE "C";
END
$f$;
COMMENT ON FUNCTION ddlrep.fingerprint(oid) IS 'Facts of one relation, sorted by bytes';

CREATE OR REPLACE FUNCTION ddlrep.fingerprint_hash(relids oid[]) RETURNS TABLE (relid oid, name text, hash text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT f.relid, f.relid::regclass::text,
            encode(sha256(convert_to(string_agg(f.fact, E'\n' ORDER BY f.fact COLLATE "C"), 'UTF8')), 'hex')
        FROM ddlrep.fingerprint_facts(relids) f GROUP BY f.relid;
END
$f$;
COMMENT ON FUNCTION ddlrep.fingerprint_hash(oid[]) IS 'Hash of the facts of each relation; relations that do not exist have no row';
