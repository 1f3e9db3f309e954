-- Run by DdlProbe in a scratch database: writes down what the server says a DDL statement has done.
CREATE SCHEMA ddlprobe;
GRANT USAGE ON SCHEMA ddlprobe TO PUBLIC;
CREATE TABLE ddlprobe.event (
    event text, tag text, command_tag text, classid oid, objid oid, objsubid integer, identity text, original boolean);
GRANT SELECT, DELETE ON ddlprobe.event TO PUBLIC;

CREATE FUNCTION ddlprobe.ended() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    INSERT INTO ddlprobe.event VALUES ('end', tg_tag);
    INSERT INTO ddlprobe.event
    SELECT 'command', tg_tag, c.command_tag, c.classid, c.objid, c.objsubid, c.object_identity, true
      FROM pg_event_trigger_ddl_commands() c WHERE NOT c.in_extension AND c.objid IS NOT NULL;
END $$;

CREATE FUNCTION ddlprobe.dropped() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    INSERT INTO ddlprobe.event
    SELECT 'drop', tg_tag, tg_tag, d.classid, d.objid, d.objsubid, d.object_type || ' ' || d.object_identity, d.original
      FROM pg_event_trigger_dropped_objects() d;
END $$;

-- Where an object is, by the names that the session's search_path gives; nothing where there is none.
CREATE FUNCTION ddlprobe.address(kind text, quoted text, names text[], args text[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found record;
BEGIN
    IF kind = 'relation' THEN
        RETURN 'pg_class:' || to_regclass(quoted)::oid || ':0';
    ELSIF kind = 'type' THEN
        -- to_regtype knows no shell types
        RETURN coalesce(
            (SELECT 'pg_type:' || t.oid || ':0' FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
              WHERE NOT t.typisdefined AND n.nspname = names[1] AND t.typname = names[2]),
            'pg_type:' || to_regtype(quoted)::oid || ':0');
    ELSIF kind = 'column' THEN
        RETURN (SELECT 'pg_class:' || a.attrelid || ':' || a.attnum FROM pg_catalog.pg_attribute a
                 WHERE a.attrelid = to_regclass(quoted) AND (a.attname = args[1] OR a.attnum::text = args[1]) AND NOT a.attisdropped);
    ELSIF kind = 'routine of one name' THEN
        RETURN 'pg_proc:' || to_regproc(quoted)::oid || ':0';
    ELSIF kind = 'operator of one name' THEN
        RETURN 'pg_operator:' || to_regoper(quoted)::oid || ':0';
    ELSIF kind = 'operator class of one name' THEN
        RETURN (SELECT 'pg_opclass:' || o.oid || ':0' FROM pg_catalog.pg_opclass o WHERE o.opcname = names[cardinality(names)]);
    ELSIF kind = 'statistics object' AND cardinality(names) = 1 AND current_setting('server_version_num')::int < 150000 THEN
        RETURN (SELECT 'pg_statistic_ext:' || s.oid || ':0' FROM pg_catalog.pg_statistic_ext s WHERE s.stxname = names[1]);
    ELSIF kind = 'routine' THEN
        RETURN coalesce(ddlprobe.address('function', quoted, names, args), ddlprobe.address('procedure', quoted, names, args),
                        ddlprobe.address('aggregate', quoted, names, args));
    ELSIF kind = 'user mapping' AND names[1] IN ('current_user', 'current_role', 'session_user', 'user') THEN
        names := ARRAY[current_user];
    END IF;
    SELECT a.classid::regclass::text || ':' || a.objid || ':' || a.objsubid AS text INTO found
      FROM pg_catalog.pg_get_object_address(kind, names, args) a;
    RETURN found.text;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END $$;

-- Relations of users.
CREATE FUNCTION ddlprobe.relations() RETURNS SETOF oid LANGUAGE sql AS $$
    SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid >= 16384 AND n.nspname NOT IN ('ddlprobe', 'pg_toast', 'information_schema') AND n.nspname NOT LIKE 'pg\_toast\_temp%' $$;

-- Objects that are no relations lead to some: a type to the tables that have columns of it, statistics to their table.
CREATE FUNCTION ddlprobe.leads(class text, object oid) RETURNS SETOF oid LANGUAGE sql AS $$
    SELECT object WHERE class = 'pg_class'
    UNION ALL SELECT t.typrelid FROM pg_catalog.pg_type t WHERE class = 'pg_type' AND t.oid = object AND t.typrelid <> 0
    UNION ALL SELECT a.attrelid FROM pg_catalog.pg_attribute a WHERE class = 'pg_type' AND a.atttypid = object
    UNION ALL SELECT s.stxrelid FROM pg_catalog.pg_statistic_ext s WHERE class = 'pg_statistic_ext' AND s.oid = object $$;

-- What hangs on these relations in the catalogs, or they on it.
CREATE FUNCTION ddlprobe.reach(named oid[]) RETURNS SETOF oid LANGUAGE sql AS $$
    WITH RECURSIVE reach(relid) AS (
        SELECT pg_catalog.unnest(named)
        UNION
        SELECT x.relid FROM reach r CROSS JOIN LATERAL (
            SELECT i.indexrelid FROM pg_catalog.pg_index i WHERE i.indrelid = r.relid
            UNION ALL SELECT i.indrelid FROM pg_catalog.pg_index i WHERE i.indexrelid = r.relid
            UNION ALL SELECT h.inhrelid FROM pg_catalog.pg_inherits h WHERE h.inhparent = r.relid
            UNION ALL SELECT h.inhparent FROM pg_catalog.pg_inherits h WHERE h.inhrelid = r.relid
            UNION ALL SELECT f.confrelid FROM pg_catalog.pg_constraint f WHERE f.conrelid = r.relid AND f.contype = 'f'
            UNION ALL SELECT f.conrelid FROM pg_catalog.pg_constraint f WHERE f.confrelid = r.relid AND f.contype = 'f'
            UNION ALL SELECT c.reltoastrelid FROM pg_catalog.pg_class c WHERE c.oid = r.relid AND c.reltoastrelid <> 0
            UNION ALL SELECT d.objid FROM pg_catalog.pg_depend d
                       WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
                         AND d.refobjid = r.relid AND d.deptype IN ('a', 'i')
            UNION ALL SELECT d.refobjid FROM pg_catalog.pg_depend d
                       WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.refclassid = 'pg_catalog.pg_class'::regclass
                         AND d.objid = r.relid AND d.deptype IN ('a', 'i')
            UNION ALL SELECT d.refobjid FROM pg_catalog.pg_rewrite w JOIN pg_catalog.pg_depend d
                          ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
                         AND d.refclassid = 'pg_catalog.pg_class'::regclass WHERE w.ev_class = r.relid) x(relid))
    SELECT relid FROM reach $$;

-- The types of users that an object is made of: of columns, arguments, results, bases; of an array its element.
CREATE FUNCTION ddlprobe.types(class text, object oid) RETURNS SETOF oid LANGUAGE sql AS $$
    SELECT DISTINCT CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN t.typelem ELSE t.oid END
      FROM (SELECT a.atttypid FROM pg_catalog.pg_attribute a
             WHERE class = 'pg_class' AND a.attrelid = object AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT a.atttypid FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type y ON y.typrelid = a.attrelid
             WHERE class = 'pg_type' AND y.oid = object AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL SELECT y.typbasetype FROM pg_catalog.pg_type y WHERE class = 'pg_type' AND y.oid = object
            UNION ALL SELECT g.rngsubtype FROM pg_catalog.pg_range g WHERE class = 'pg_type' AND g.rngtypid = object
            UNION ALL SELECT p.prorettype FROM pg_catalog.pg_proc p WHERE class = 'pg_proc' AND p.oid = object
            UNION ALL SELECT pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) FROM pg_catalog.pg_proc p
             WHERE class = 'pg_proc' AND p.oid = object) u(type)
      JOIN pg_catalog.pg_type t ON t.oid = u.type
     WHERE t.oid >= 16384 $$;

CREATE EVENT TRIGGER ddlprobe_ended ON ddl_command_end EXECUTE FUNCTION ddlprobe.ended();
CREATE EVENT TRIGGER ddlprobe_dropped ON sql_drop EXECUTE FUNCTION ddlprobe.dropped();
