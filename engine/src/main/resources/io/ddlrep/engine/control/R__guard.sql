-- The guard: event triggers that catch DDL on replicated objects which did not come through ddlrep. Idempotent.
-- SQLSTATE 55D01 (class 55, object not in prerequisite state; the subclass is ddlrep's) is raised by nothing else, so that
-- a face can tell it apart; nor is 55D02, for what code has run on the origin in a statement that has committed nothing yet: a
-- face runs such a statement once more, in an operation.
--
-- What PostgreSQL fires no event for is out of its reach: TRUNCATE (refused on replicas by a trigger, captured on the
-- origin), REINDEX before 17, CLUSTER, VACUUM, ANALYZE, setval(), LOCK, REASSIGN OWNED, roles and memberships, databases, tablespaces,
-- ALTER SYSTEM, EXPLAIN ANALYZE of CREATE TABLE AS and its kind, event triggers themselves (so the guard can always be disabled and dropped by a superuser), COMMENT and
-- GRANT on objects of the whole server. Nor does it see changes of types that replicated tables use while the scope is
-- tables. Comparing fingerprints finds these.
--
-- Inside an operation it lets pass what was sent, and ddlrep's own texts; not what code of users runs meanwhile. Which of
-- them a command is stands in the call stack: code can make it longer, never shorter.
--
-- Left alone: temporary objects, extension scripts, ddlrep's own schemas and triggers, REINDEX, REFRESH MATERIALIZED VIEW, and a
-- database that is not the node which its control schema was installed for (a restored dump).
--
-- The CONCURRENTLY forms have committed most of their work when their end is told, so they are judged at their start, by
-- the name in the text of the query. Where that is not qualified, every replicated table of the name counts.

CREATE OR REPLACE FUNCTION ddlrep.guarded(class oid, id oid, schema_name text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    relation oid;
    schema oid;
    belongs_to text;
BEGIN
    -- Which relation the object belongs to; a sequence belongs to the table whose column owns it.
    IF class = 'pg_class'::regclass THEN
        SELECT CASE c.relkind
                WHEN 'i' THEN (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = c.oid)
                WHEN 'I' THEN (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = c.oid)
                WHEN 'S' THEN coalesce((SELECT d.refobjid FROM pg_depend d WHERE d.classid = class AND d.objid = c.oid
                    AND d.refclassid = class AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0 LIMIT 1), c.oid)
                ELSE c.oid END, c.relnamespace
            INTO relation, schema FROM pg_class c WHERE c.oid = id;
    ELSIF class = 'pg_constraint'::regclass THEN
        SELECT nullif(c.conrelid, 0), c.connamespace INTO relation, schema FROM pg_constraint c WHERE c.oid = id;
    ELSIF class = 'pg_trigger'::regclass THEN
        SELECT t.tgrelid INTO relation FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
            WHERE t.oid = id AND NOT ddlrep.own_schema(f.pronamespace);
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
    ELSIF class = 'pg_policy'::regclass THEN
        SELECT p.polrelid INTO relation FROM pg_policy p WHERE p.oid = id;
    ELSIF class = 'pg_rewrite'::regclass THEN
        SELECT r.ev_class INTO relation FROM pg_rewrite r WHERE r.oid = id;
    ELSIF class = 'pg_attrdef'::regclass THEN
        SELECT a.adrelid INTO relation FROM pg_attrdef a WHERE a.oid = id;
    ELSIF class = 'pg_statistic_ext'::regclass THEN
        SELECT s.stxrelid, s.stxnamespace INTO relation, schema FROM pg_statistic_ext s WHERE s.oid = id;
    ELSIF class = 'pg_namespace'::regclass THEN
        SELECT t.publication INTO belongs_to FROM pg_class c JOIN ddlrep.replicated_table t ON t.relid = c.oid
            WHERE c.relnamespace = id LIMIT 1;
        IF belongs_to IS NOT NULL THEN
            RETURN belongs_to;
        END IF;
        schema := id;
    END IF;
    IF relation IS NOT NULL THEN
        -- A new child of a replicated parent is part of the parent.
        SELECT t.publication INTO belongs_to FROM ddlrep.replicated_table t WHERE t.relid = relation
            OR t.relid IN (SELECT h.inhparent FROM pg_inherits h WHERE h.inhrelid = relation) LIMIT 1;
        IF belongs_to IS NOT NULL THEN
            RETURN belongs_to;
        END IF;
        SELECT c.relnamespace INTO schema FROM pg_class c WHERE c.oid = relation;
    END IF;
    RETURN ddlrep.guarded_schema(coalesce((SELECT n.nspname::text FROM pg_namespace n WHERE n.oid = schema), schema_name));
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.guarded(oid, oid, text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.guarded(oid, oid, text) IS 'The publication that an object belongs to, directly or by its relation or schema; null for none';

CREATE OR REPLACE FUNCTION ddlrep.guarded_schema(schema text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
    SELECT p.name FROM ddlrep.publication p WHERE p.scope = 'schemas' AND schema = ANY (p.schemas)
        OR p.scope = 'database' AND (schema IS NULL
            OR schema <> ALL (ARRAY['ddlrep', 'ddlrep_shadow', 'ddlrep_apply']) AND schema !~ '^pg_(toast_)?temp(_|$)')
    ORDER BY p.scope DESC, p.name LIMIT 1
$f$;
REVOKE ALL ON FUNCTION ddlrep.guarded_schema(text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.guarded_schema(text) IS 'The publication whose scope holds everything in a schema (null: things outside schemas, which only scope database holds); null for none';

CREATE OR REPLACE FUNCTION ddlrep.admitted(stack text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    op CONSTANT text := ddlrep.in_operation();
    running CONSTANT text := coalesce(current_setting('ddlrep.running', true), '');
    -- The end of the stack, where the outermost function stands.
    ending CONSTANT text := right(stack, 90);
    size text;
    tail text;
    head text;
BEGIN
    IF op IS NULL THEN
        RETURN false;
    END IF;
    -- The statement that was sent, itself: nothing but the guard is on the stack.
    IF strpos(stack, E'\n') = 0 OR op LIKE 'init-%' THEN
        RETURN true;
    END IF;
    -- A text of ddlrep's own, whose length ddlrep.run() has signed; or a DO in it that drops triggers of ours.
    tail := substr(ending, nullif(strpos(ending, E'"\nPL/pgSQL function ddlrep.run(text,integer,text,text) line '), 0));
    size := split_part(running, '|', 1);
    IF tail LIKE '% at EXECUTE' AND strpos(substr(tail, 3), E'\n') = 0 AND size <> '' AND running = ddlrep.running(size::int) THEN
        head := left(stack, length(stack) - length(tail) - size::int);
        RETURN substr(head, strpos(head, E'\n')) = E'\nSQL statement "' OR head ~ ('^[^\n]*\nSQL statement "DROP TRIGGER ((?!\n(PL/|SQL )).)*"'
            || '\nPL/pgSQL function inline_code_block line \d+ at SQL statement\nSQL statement "$');
    END IF;
    -- What an operation outside a transaction block has made is taken back.
    IF stack ~ '^[^\n]*\nSQL statement "DROP INDEX [^\n]*"\nPL/pgSQL function ddlrep\.undo_outside\(text,boolean\) line \d+ at EXECUTE$' THEN
        RETURN true;
    END IF;
    -- An extension's script; from 18 on it is on the stack.
    RETURN current_query() ~* '^(\s|--[^\n]*\n|/\*([^*]|\*+[^*/])*\*+/)*(create|alter)\s+extension\M';
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.admitted(text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.admitted(text) IS 'Whether a command belongs to an operation, by the call stack of the event trigger that met it: the statement that was sent, or a text of ddlrep''s own; not what code of users runs';

CREATE OR REPLACE FUNCTION ddlrep.refuse(tag text, object text, publication text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    me text;
    origin ddlrep.node;
    address text;
    stack text;
    nested boolean;
    -- A procedure that has committed goes on in a transaction that began behind its statement.
    committed boolean := transaction_timestamp() > statement_timestamp();
    local text := ' Members of role ddlrep_local may keep DDL to one node: SET ddlrep.replicate = off.';
    who text := CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END;
BEGIN
    SELECT s.node INTO me FROM ddlrep.self s
        JOIN pg_database d ON d.oid = s.database_oid AND d.datname = current_database()
        JOIN pg_control_system() c ON c.system_identifier = s.system_identifier;
    IF NOT FOUND THEN
        RAISE WARNING 'ddlrep: this database is a copy of a node, so its guard is off'
            USING HINT = 'Remove what it brought along with: ddlrep uninstall.';
        RETURN;
    END IF;
    IF ddlrep.in_operation() IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = '0A000',
            MESSAGE = format('ddlrep: %s on replicated %s was run by code inside another statement, which cannot be replicated', tag, object),
            DETAIL = format('Operation %s on node %s: a function, a trigger or an event trigger ran it while the statement that was sent was at work. Nothing was changed on any node.',
                ddlrep.in_operation(), me),
            HINT = 'Send it as a statement of its own.';
    END IF;
    IF lower(current_setting('ddlrep.replicate', true)) IN ('off', 'false', 'no', '0')
            AND pg_has_role(who, (SELECT r.oid FROM pg_roles r WHERE r.rolname = 'ddlrep_local'), 'MEMBER') THEN
        INSERT INTO ddlrep.drift_event (actor, tag, object, query) VALUES (who, tag, object,
            CASE WHEN current_query() ~* 'password|user\s+mapping|(create|alter)\s+server' THEN '(not kept: it may hold a password)' ELSE current_query() END);
        RETURN;
    END IF;
    SELECT n.* INTO origin FROM ddlrep.publication p JOIN ddlrep.node n ON n.name = p.origin WHERE p.name = publication;
    -- What the guard stands on, if anything, is code.
    GET DIAGNOSTICS stack = PG_CONTEXT;
    nested := stack ~ 'PL/pgSQL function ddlrep\.guard_(start|end|drop)\(\) line \d+ at PERFORM\n';
    address := format('jdbc:ddlrep://%s:%s/%s',
        CASE WHEN origin.host LIKE '%:%' THEN '[' || origin.host || ']' ELSE origin.host END, origin.port, origin.database);
    IF nested AND origin.name = me THEN
        RAISE EXCEPTION USING ERRCODE = CASE WHEN committed THEN '55D01' ELSE '55D02' END,
            MESSAGE = format('ddlrep: %s on replicated %s was run by code', tag, object)
                || CASE WHEN committed THEN ' that has committed before, which cannot be replicated' ELSE '' END,
            DETAIL = format('Publication "%s": this is its origin, %s; the other nodes would not have the change.', publication, me),
            HINT = format(CASE WHEN committed
                THEN 'Leave COMMIT out of the code, or send the command as a statement of its own, through the ddlrep gateway or driver, %s.'
                ELSE 'Through the ddlrep gateway or driver, %s, it is replicated where the statement is sent alone, outside a transaction block; else send the command as a statement of its own, or in DO.' END, address)
                || local;
    END IF;
    RAISE EXCEPTION USING ERRCODE = '55D01',
        MESSAGE = format('ddlrep: %s on replicated %s did not come through ddlrep', tag, object),
        DETAIL = CASE WHEN origin.name = me THEN
            format('Publication "%s": this is its origin, %s; the other nodes would not have the change.', publication, me)
            ELSE format('Publication "%s": this is the replica %s; changes come from the origin, %s.', publication, me, origin.name) END,
        HINT = CASE WHEN origin.name = me THEN format('Send it through the ddlrep gateway or driver, %s.', address)
            ELSE format('Send it to the origin, through the ddlrep gateway or driver: %s.', address) END
            || local;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.refuse(text, text, text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.refuse(text, text, text) IS 'Raises 55D01, or 55D02 for what code has run, and says where to send the statement, or 0A000 inside an operation; or records a drift_event where a member of ddlrep_local asked for a local change';

CREATE OR REPLACE FUNCTION ddlrep.guard_mark() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
    WITH held AS MATERIALIZED (SELECT n.oid FROM pg_namespace n WHERE ddlrep.guarded_schema(n.nspname) IS NOT NULL)
    SELECT md5(coalesce(string_agg(x.text, ',' ORDER BY x.text COLLATE "C"), '')) FROM (
        SELECT concat_ws(' ', 'r', c.oid, c.relowner, c.relacl,
                (SELECT string_agg(a.attname || a.attacl::text, ' ' ORDER BY a.attnum) FROM pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL),
                (SELECT string_agg(o.polname || o.polroles::text, ' ' ORDER BY o.oid) FROM pg_policy o WHERE o.polrelid = c.oid))
            -- To ask of each relation which one it belongs to takes long, and those of the server belong to none.
            FROM pg_class c WHERE c.relkind NOT IN ('i', 'I', 't', 'c') AND (c.relnamespace IN (SELECT h.oid FROM held h)
                OR c.oid >= 16384 AND ddlrep.guarded('pg_class'::regclass, c.oid, null) IS NOT NULL)
        UNION ALL SELECT concat_ws(' ', 'f', f.oid, f.proowner, f.proacl) FROM pg_proc f
            WHERE f.pronamespace IN (SELECT h.oid FROM held h) AND f.oid >= 16384
        UNION ALL SELECT concat_ws(' ', 't', t.oid, t.typowner, t.typacl) FROM pg_type t
            WHERE t.typnamespace IN (SELECT h.oid FROM held h) AND t.oid >= 16384
        UNION ALL SELECT concat_ws(' ', 'n', n.oid, n.nspowner, n.nspacl) FROM pg_namespace n WHERE n.oid IN (SELECT h.oid FROM held h)
    ) x(text)
$f$;
REVOKE ALL ON FUNCTION ddlrep.guard_mark() FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.guard_mark() IS 'Digest of owners and privileges of everything replicated: the server does not tell an event trigger what GRANT, REVOKE and DROP OWNED changed';

CREATE OR REPLACE FUNCTION ddlrep.guard_census() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
    SELECT concat_ws(' ', 'census',
        (SELECT count(*) FROM pg_class x WHERE x.relnamespace = ANY (n.ids)), (SELECT count(*) FROM pg_proc x WHERE x.pronamespace = ANY (n.ids)),
        (SELECT count(*) FROM pg_type x WHERE x.typnamespace = ANY (n.ids)), (SELECT count(*) FROM pg_operator x WHERE x.oprnamespace = ANY (n.ids)),
        (SELECT count(*) FROM pg_collation x WHERE x.collnamespace = ANY (n.ids)), (SELECT count(*) FROM pg_conversion x WHERE x.connamespace = ANY (n.ids)),
        (SELECT count(*) FROM pg_opclass x WHERE x.opcnamespace = ANY (n.ids)), (SELECT count(*) FROM pg_opfamily x WHERE x.opfnamespace = ANY (n.ids)),
        (SELECT count(*) FROM pg_statistic_ext x WHERE x.stxnamespace = ANY (n.ids)), (SELECT count(*) FROM pg_ts_config x WHERE x.cfgnamespace = ANY (n.ids)),
        (SELECT count(*) FROM pg_ts_dict x WHERE x.dictnamespace = ANY (n.ids)), (SELECT count(*) FROM pg_ts_parser x WHERE x.prsnamespace = ANY (n.ids)),
        (SELECT count(*) FROM pg_ts_template x WHERE x.tmplnamespace = ANY (n.ids)))
    FROM (SELECT array_agg(s.oid) AS ids FROM pg_namespace s WHERE ddlrep.guarded_schema(s.nspname) IS NOT NULL) n
    WHERE EXISTS (SELECT FROM ddlrep.publication p WHERE p.scope = 'schemas')
$f$;
REVOKE ALL ON FUNCTION ddlrep.guard_census() FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.guard_census() IS 'How many objects of each kind stand in schemas that are replicated, where that is a publication''s scope: no ALTER changes that but one that moves objects to another schema';

CREATE OR REPLACE FUNCTION ddlrep.guard_concurrent(tag text, query text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    name CONSTANT text := '((?:"(?:[^"]|"")*"|[\w$]+)(?:\s*\.\s*(?:"(?:[^"]|"")*"|[\w$]+))?)';
    parts text[] := parse_ident(substring(query FROM CASE tag
        WHEN 'CREATE INDEX' THEN '(?i)\mon\s+(?:only\s+)?' || name
        WHEN 'DROP INDEX' THEN '(?i)\mconcurrently\s+(?:if\s+exists\s+)?' || name
        ELSE '(?i)\mtable\s+(?:if\s+exists\s+)?(?:only\s+)?' || name END), false);
    touched record;
BEGIN
    SELECT g.publication, c.oid::regclass AS relation INTO touched FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL (SELECT ddlrep.guarded('pg_class'::regclass, c.oid, NULL) AS publication) g
        WHERE c.relname = parts[cardinality(parts)] AND (cardinality(parts) = 1 OR n.nspname = parts[cardinality(parts) - 1])
            AND n.nspname <> ALL (ARRAY['pg_catalog', 'pg_toast']) AND c.relpersistence <> 't' AND g.publication IS NOT NULL LIMIT 1;
    IF FOUND THEN
        PERFORM ddlrep.refuse(tag || ' CONCURRENTLY', touched.relation::text, touched.publication);
    END IF;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.guard_concurrent(text, text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.guard_concurrent(text, text) IS 'Refuses a command that runs CONCURRENTLY on something replicated, before it starts';

CREATE OR REPLACE FUNCTION ddlrep.guard_start() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lc_messages = 'C'
AS $f$
DECLARE
    stack text;
BEGIN
    GET DIAGNOSTICS stack = PG_CONTEXT;
    IF ddlrep.admitted(stack) OR (session_user = 'ddlrep_apply' AND tg_tag = 'GRANT' AND strpos(stack, E'\n') = 0) THEN
        RETURN;
    END IF;
    IF tg_tag IN ('GRANT', 'REVOKE', 'DROP OWNED') THEN
        PERFORM set_config('ddlrep.guard_mark', ddlrep.guard_mark(), true);
    ELSIF tg_tag LIKE 'ALTER %' THEN
        PERFORM set_config('ddlrep.guard_mark', coalesce(ddlrep.guard_census(), ''), true);
    END IF;
    IF tg_tag IN ('CREATE INDEX', 'DROP INDEX', 'ALTER TABLE') AND current_query() ~* '\mconcurrently\M' THEN
        PERFORM ddlrep.guard_concurrent(tg_tag, current_query());
    END IF;
    IF tg_tag LIKE 'DROP %' THEN
        -- Once they are dropped nothing says any more which table these belonged to.
        PERFORM set_config('ddlrep.guard_parts', (SELECT coalesce(string_agg(concat_ws(':', x.class, x.id, x.publication), ','), '') FROM (
            SELECT 'pg_class'::regclass::oid, i.indexrelid, t.publication FROM pg_index i JOIN ddlrep.replicated_table t ON t.relid = i.indrelid
            UNION ALL SELECT d.classid, d.objid, t.publication FROM pg_depend d JOIN ddlrep.replicated_table t ON t.relid = d.refobjid
                WHERE d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
            UNION ALL SELECT 'pg_statistic_ext'::regclass, s.oid, t.publication FROM pg_statistic_ext s JOIN ddlrep.replicated_table t ON t.relid = s.stxrelid
        ) x(class, id, publication)), true);
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.guard_start() IS 'Event trigger: notes before the command what cannot be seen after it';

-- Not the guard's own path and user are wanted here, but those of the command.
CREATE OR REPLACE FUNCTION ddlrep.guard_path() RETURNS event_trigger
LANGUAGE plpgsql
AS $f$
BEGIN
    IF pg_catalog.length(pg_catalog.current_setting('ddlrep.code', true)) OPERATOR(pg_catalog.>) 0 THEN
        PERFORM pg_catalog.set_config('ddlrep.code_path', pg_catalog.current_setting('search_path'), true),
            pg_catalog.set_config('ddlrep.code_user', CURRENT_USER::pg_catalog.text, true);
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.guard_path() IS 'Event trigger: notes where a command that code runs looks for names, and as whom it runs';

CREATE OR REPLACE FUNCTION ddlrep.guard_end() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lc_messages = 'C'
AS $f$
DECLARE
    stack text;
    touched record;
BEGIN
    GET DIAGNOSTICS stack = PG_CONTEXT;
    -- Staging tables of ddlrep_apply: only temporary ones are made there, and to see what GRANT changed takes long. Code of
    -- owners runs in its sessions, so nothing else is let through.
    IF tg_tag = 'REFRESH MATERIALIZED VIEW' AND ddlrep.note_code(stack, tg_tag) THEN
        RETURN;
    END IF;
    IF tg_tag IN ('REFRESH MATERIALIZED VIEW', 'REINDEX') OR ddlrep.admitted(stack)
            OR (session_user = 'ddlrep_apply' AND tg_tag = 'GRANT' AND strpos(stack, E'\n') = 0) THEN
        RETURN;
    END IF;
    IF tg_tag IN ('GRANT', 'REVOKE', 'DROP OWNED') THEN
        IF current_setting('ddlrep.guard_mark', true) IS DISTINCT FROM ddlrep.guard_mark() AND NOT ddlrep.note_code(stack, tg_tag) THEN
            PERFORM ddlrep.refuse(tg_tag, 'objects', (SELECT p.name FROM ddlrep.publication p ORDER BY p.name LIMIT 1));
        END IF;
        RETURN;
    END IF;
    FOR touched IN
        SELECT c.object_type, c.object_identity, ddlrep.guarded(c.classid, c.objid, c.schema_name) AS publication
        FROM pg_event_trigger_ddl_commands() c
        WHERE NOT c.in_extension AND c.schema_name IS DISTINCT FROM 'pg_temp' AND c.object_type NOT IN ('subscription', 'event trigger', 'large object')
    LOOP
        IF touched.publication IS NOT NULL THEN
            IF ddlrep.note_code(stack, tg_tag) THEN
                RETURN;
            END IF;
            PERFORM ddlrep.refuse(tg_tag, touched.object_type || ' ' || touched.object_identity, touched.publication);
            RETURN;
        END IF;
    END LOOP;
    IF tg_tag = 'ALTER SCHEMA' THEN
        -- Renamed: the new name is not the one that the publication holds.
        SELECT p.name, s INTO touched FROM ddlrep.publication p, unnest(p.schemas) s WHERE to_regnamespace(quote_ident(s)) IS NULL LIMIT 1;
        IF FOUND AND NOT ddlrep.note_code(stack, tg_tag) THEN
            PERFORM ddlrep.refuse(tg_tag, 'schema ' || quote_ident(touched.s), touched.name);
        END IF;
    ELSIF tg_tag LIKE 'ALTER %' AND current_setting('ddlrep.guard_mark', true) LIKE 'census %'
            -- An extension's new version may have more functions.
            AND (tg_tag <> 'ALTER EXTENSION' OR current_query() ~* '\mset\s+schema\M')
            AND current_setting('ddlrep.guard_mark', true) <> ddlrep.guard_census() AND NOT ddlrep.note_code(stack, tg_tag) THEN
        SELECT c.object_type || ' ' || c.object_identity AS what INTO touched FROM pg_event_trigger_ddl_commands() c LIMIT 1;
        PERFORM ddlrep.refuse(tg_tag || ' … SET SCHEMA', touched.what || ', in or out of a schema',
            (SELECT p.name FROM ddlrep.publication p WHERE p.scope = 'schemas' ORDER BY p.name LIMIT 1));
    END IF;
END
$f$;
COMMENT ON FUNCTION ddlrep.guard_end() IS 'Event trigger: refuses commands that changed something replicated outside an operation of ddlrep';

CREATE OR REPLACE FUNCTION ddlrep.guard_drop() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lc_messages = 'C'
AS $f$
DECLARE
    stack text;
    parts text := ',' || coalesce(current_setting('ddlrep.guard_parts', true), '') || ',';
    dropped record;
    belongs_to text;
BEGIN
    GET DIAGNOSTICS stack = PG_CONTEXT;
    IF ddlrep.admitted(stack) THEN
        RETURN;
    END IF;
    FOR dropped IN
        SELECT d.* FROM pg_event_trigger_dropped_objects() d
        -- Triggers of a foreign key go with the table that has the key, from the referenced table too.
        WHERE NOT d.is_temporary AND NOT (d.object_type = 'trigger' AND NOT d.original AND d.object_identity LIKE '"RI\_ConstraintTrigger\_%')
            AND d.object_type NOT IN ('subscription', 'event trigger', 'toast table')
            AND (d.schema_name IS NULL OR d.schema_name <> ALL (ARRAY['ddlrep', 'ddlrep_shadow', 'ddlrep_apply', 'pg_toast']))
    LOOP
        SELECT t.publication INTO belongs_to FROM ddlrep.replicated_table t
            WHERE dropped.classid = 'pg_class'::regclass AND t.relid = dropped.objid;
        IF belongs_to IS NULL AND strpos(parts, ',' || dropped.classid || ':' || dropped.objid || ':') > 0 THEN
            belongs_to := substring(parts FROM ',' || dropped.classid || ':' || dropped.objid || ':([^,]*)');
        END IF;
        IF belongs_to IS NULL AND dropped.object_type IN ('table constraint', 'trigger', 'policy', 'rule', 'default value') THEN
            SELECT t.publication INTO belongs_to FROM ddlrep.replicated_table t JOIN pg_class c ON c.oid = t.relid
                JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = dropped.address_names[1] AND c.relname = dropped.address_names[2];
        END IF;
        belongs_to := coalesce(belongs_to, ddlrep.guarded_schema(CASE
            WHEN dropped.object_type = 'schema' THEN dropped.object_name
            WHEN dropped.object_type = 'default acl' THEN dropped.address_names[2]
            WHEN dropped.object_type IN ('table constraint', 'trigger', 'policy', 'rule', 'default value') THEN dropped.address_names[1]
            ELSE dropped.schema_name END));
        IF belongs_to IS NOT NULL THEN
            IF ddlrep.note_code(stack, 'sql_drop') THEN
                RETURN;
            END IF;
            PERFORM ddlrep.refuse(tg_tag, dropped.object_type || ' ' || dropped.object_identity, belongs_to);
            RETURN;
        END IF;
    END LOOP;
END
$f$;
COMMENT ON FUNCTION ddlrep.guard_drop() IS 'Event trigger: refuses to drop something replicated outside an operation of ddlrep';

DO $$
DECLARE
    wanted record;
BEGIN
    FOR wanted IN SELECT * FROM (VALUES
        ('ddlrep_guard_start', 'ddl_command_start', 'ddlrep.guard_start()', $w$WHEN TAG IN ('GRANT', 'REVOKE', 'DROP OWNED', 'CREATE INDEX', 'ALTER TABLE',
            'ALTER VIEW', 'ALTER MATERIALIZED VIEW', 'ALTER FOREIGN TABLE', 'ALTER SEQUENCE', 'ALTER FUNCTION', 'ALTER PROCEDURE',
            'ALTER ROUTINE', 'ALTER AGGREGATE', 'ALTER TYPE', 'ALTER DOMAIN', 'ALTER OPERATOR', 'ALTER OPERATOR CLASS',
            'ALTER OPERATOR FAMILY', 'ALTER COLLATION', 'ALTER CONVERSION', 'ALTER STATISTICS', 'ALTER TEXT SEARCH CONFIGURATION',
            'ALTER TEXT SEARCH DICTIONARY', 'ALTER TEXT SEARCH PARSER', 'ALTER TEXT SEARCH TEMPLATE', 'ALTER EXTENSION',
            'DROP INDEX', 'DROP SEQUENCE', 'DROP STATISTICS', 'DROP FUNCTION', 'DROP ROUTINE', 'DROP AGGREGATE', 'DROP TYPE', 'DROP DOMAIN',
            'DROP COLLATION', 'DROP OPERATOR', 'DROP OPERATOR CLASS', 'DROP OPERATOR FAMILY', 'DROP EXTENSION', 'DROP SCHEMA',
            'DROP ACCESS METHOD', 'DROP TEXT SEARCH CONFIGURATION', 'DROP TEXT SEARCH DICTIONARY')$w$),
        ('ddlrep_guard_path', 'ddl_command_start', 'ddlrep.guard_path()', ''),
        ('ddlrep_guard_end', 'ddl_command_end', 'ddlrep.guard_end()', ''),
        ('ddlrep_guard_drop', 'sql_drop', 'ddlrep.guard_drop()', '')) v(name, event, function, filter)
    LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_event_trigger e WHERE e.evtname = wanted.name) THEN
            EXECUTE pg_catalog.format('CREATE EVENT TRIGGER %I ON %s %s EXECUTE FUNCTION %s', wanted.name, wanted.event, wanted.filter, wanted.function);
            EXECUTE pg_catalog.format('COMMENT ON EVENT TRIGGER %I IS %L', wanted.name, 'ddlrep: the guard; calls ' || wanted.function);
        END IF;
        EXECUTE pg_catalog.format('ALTER EVENT TRIGGER %I ENABLE ALWAYS', wanted.name);
    END LOOP;
END
$$;
