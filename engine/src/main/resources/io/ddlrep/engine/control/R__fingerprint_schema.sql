-- Fingerprint of a schema: what a publication of scope schemas or database replicates besides its tables. Idempotent.
-- Tables appear with their names only: they have fingerprints of their own. Members of extensions are left out.

CREATE OR REPLACE FUNCTION ddlrep.schema_facts(schema oid, floor int, ceiling int) RETURNS TABLE (object text, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    views oid[];
    types oid[];
    members oid[];
BEGIN
    SELECT array_agg(d.objid) INTO members FROM pg_depend d WHERE d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
        AND d.classid IN ('pg_class'::regclass, 'pg_type'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass,
            'pg_opclass'::regclass, 'pg_opfamily'::regclass, 'pg_collation'::regclass, 'pg_conversion'::regclass,
            'pg_ts_config'::regclass, 'pg_ts_dict'::regclass, 'pg_ts_parser'::regclass, 'pg_ts_template'::regclass);
    members := coalesce(members, '{}');
    RETURN QUERY SELECT 'schema', p.property, p.value FROM pg_namespace n
        CROSS JOIN LATERAL (VALUES ('name', quote_ident(n.nspname)), ('owner', pg_get_userbyid(n.nspowner)::text),
            ('comment', obj_description(n.oid, 'pg_namespace'))) p(property, value)
        WHERE n.oid = schema AND p.value IS NOT NULL;
    RETURN QUERY SELECT 'schema', 'privileges of ' || v.grantee, v.held FROM pg_namespace n
        CROSS JOIN LATERAL ddlrep.privileges('n'::"char", n.nspowner, n.nspacl, floor) v WHERE n.oid = schema;
    RETURN QUERY SELECT 'default privileges of ' || pg_get_userbyid(a.defaclrole) || ' on ' || a.defaclobjtype::text,
            'privileges of ' || v.grantee, v.held FROM pg_default_acl a
        CROSS JOIN LATERAL ddlrep.privileges(CASE a.defaclobjtype WHEN 'S' THEN 's' ELSE a.defaclobjtype END::"char", a.defaclrole, a.defaclacl, floor) v
        WHERE a.defaclnamespace = schema;
    RETURN QUERY SELECT 'table ' || quote_ident(c.relname), 'exists', 'yes' FROM pg_class c
        WHERE c.relnamespace = schema AND c.relkind IN ('r', 'p', 'f') AND c.oid <> ALL (members);
    RETURN QUERY SELECT 'sequence ' || quote_ident(c.relname), f.property, f.value FROM pg_class c
        CROSS JOIN LATERAL ddlrep.sequence_facts(c.oid, floor) f
        WHERE c.relnamespace = schema AND c.relkind = 'S' AND c.oid <> ALL (members);

    SELECT array_agg(c.oid) INTO views FROM pg_class c
        WHERE c.relnamespace = schema AND c.relkind IN ('v', 'm') AND c.oid <> ALL (members);
    RETURN QUERY SELECT 'view ' || quote_ident(c.relname) || ' ' || f.object, f.property, f.value
        FROM (SELECT * FROM ddlrep.relation_facts(views, floor)
            UNION ALL SELECT * FROM ddlrep.column_facts(views, floor)
            UNION ALL SELECT * FROM ddlrep.constraint_facts(views, floor)
            UNION ALL SELECT * FROM ddlrep.behaviour_facts(views, floor, ceiling)) f
        JOIN pg_class c ON c.oid = f.relid;

    -- Row types of relations and arrays follow from the others.
    SELECT array_agg(t.oid) INTO types FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
        WHERE t.typnamespace = schema AND t.oid <> ALL (members) AND coalesce(c.relkind, 'c') = 'c' AND t.typcategory <> 'A'
            AND t.typtype <> 'm';
    RETURN QUERY SELECT 'type ' || format_type(f.type, NULL), f.property, f.value FROM ddlrep.type_facts(types, floor) f;
    RETURN QUERY SELECT * FROM ddlrep.routine_facts(schema, members, floor);
END
$f$;
COMMENT ON FUNCTION ddlrep.schema_facts(oid, int, int) IS 'Facts about a schema and about what stands in it besides tables';

CREATE OR REPLACE FUNCTION ddlrep.routine_facts(schema oid, members oid[], version int) RETURNS TABLE (object text, property text, value text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $f$
BEGIN
    RETURN QUERY SELECT 'function ' || f.oid::regprocedure::text, p.property, p.value FROM pg_proc f
        LEFT JOIN pg_aggregate g ON g.aggfnoid = f.oid
        CROSS JOIN LATERAL (VALUES
            ('kind', f.prokind::text),
            ('body', CASE WHEN f.prokind <> 'a' THEN md5(pg_get_functiondef(f.oid)) END),
            ('arguments', pg_get_function_arguments(f.oid)),
            ('result', pg_get_function_result(f.oid)),
            ('owner', pg_get_userbyid(f.proowner)::text),
            ('aggregate', concat_ws(' ', g.aggtransfn, g.aggfinalfn, g.aggcombinefn, format_type(g.aggtranstype, NULL), g.aggkind, g.agginitval)),
            ('comment', obj_description(f.oid, 'pg_proc'))
        ) p(property, value)
        WHERE f.pronamespace = schema AND f.oid <> ALL (members) AND p.value IS NOT NULL AND p.value <> '';
    RETURN QUERY SELECT 'function ' || f.oid::regprocedure::text, 'privileges of ' || v.grantee, v.held FROM pg_proc f
        CROSS JOIN LATERAL ddlrep.privileges('f'::"char", f.proowner, f.proacl, version) v
        WHERE f.pronamespace = schema AND f.oid <> ALL (members);
    RETURN QUERY SELECT x.kind || ' ' || quote_ident(x.name), 'owner', pg_get_userbyid(x.owner)::text FROM (
            SELECT 'collation', c.oid, c.collname, c.collowner FROM pg_collation c WHERE c.collnamespace = schema
            UNION ALL SELECT 'operator class', c.oid, c.opcname, c.opcowner FROM pg_opclass c WHERE c.opcnamespace = schema
            UNION ALL SELECT 'operator family', c.oid, c.opfname, c.opfowner FROM pg_opfamily c WHERE c.opfnamespace = schema
            UNION ALL SELECT 'conversion', c.oid, c.conname, c.conowner FROM pg_conversion c WHERE c.connamespace = schema
            UNION ALL SELECT 'text search configuration', c.oid, c.cfgname, c.cfgowner FROM pg_ts_config c WHERE c.cfgnamespace = schema
            UNION ALL SELECT 'text search dictionary', c.oid, c.dictname, c.dictowner FROM pg_ts_dict c WHERE c.dictnamespace = schema
        ) x(kind, oid, name, owner) WHERE x.oid <> ALL (members);
    RETURN QUERY SELECT 'operator ' || o.oid::regoperator::text, p.property, p.value FROM pg_operator o
        CROSS JOIN LATERAL (VALUES ('function', o.oprcode::text), ('owner', pg_get_userbyid(o.oprowner)::text),
            ('commutator', nullif(o.oprcom, 0)::regoperator::text), ('negator', nullif(o.oprnegate, 0)::regoperator::text)) p(property, value)
        WHERE o.oprnamespace = schema AND o.oid <> ALL (members) AND p.value IS NOT NULL;
END
$f$;
COMMENT ON FUNCTION ddlrep.routine_facts(oid, oid[], int) IS 'Facts about functions, procedures, aggregates and operators of a schema; of rarer kinds only that they exist, and their owner';

CREATE OR REPLACE FUNCTION ddlrep.fingerprint_schema(schema text) RETURNS TABLE (fact text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET "TimeZone" = 'UTC' SET "DateStyle" = 'ISO, YMD'
    SET "IntervalStyle" = 'postgres' SET extra_float_digits = 1 SET bytea_output = 'hex' SET quote_all_identifiers = off
AS $f$
DECLARE
    id oid := (SELECT n.oid FROM pg_namespace n WHERE n.nspname = schema);
BEGIN
    RETURN QUERY SELECT x.fact FROM (
        SELECT concat_ws(E'\t', f.object, f.property,
            replace(replace(replace(f.value, E'\\', E'\\\\'), E'\n', E'\\n'), E'\t', E'\\t'))
        FROM ddlrep.schema_facts(id, ddlrep.version_floor(), ddlrep.version_ceiling()) f) x(fact)
        ORDER BY x.fact COLLATE "C";
END
$f$;
COMMENT ON FUNCTION ddlrep.fingerprint_schema(text) IS 'Facts about a schema and its objects besides tables, sorted by bytes; no rows where there is no such schema';
