-- Functions for the command line's work on publications. Idempotent. Superusers only.

CREATE OR REPLACE FUNCTION ddlrep.forget_publication(publication_name text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $f$
DECLARE
    part record;
    ids text;
    forgotten bigint;
BEGIN
    SELECT string_agg(t.table_id::text, '|'), count(*) INTO ids, forgotten FROM ddlrep.replicated_table t WHERE t.publication = publication_name;
    FOR part IN SELECT g.tgname, g.tgrelid::regclass AS relation FROM pg_trigger g JOIN pg_proc f ON f.oid = g.tgfoid
            JOIN ddlrep.replicated_table t ON t.relid = g.tgrelid
            WHERE t.publication = publication_name AND g.tgparentid = 0 AND NOT g.tgisinternal AND ddlrep.own_schema(f.pronamespace) LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', part.tgname, part.relation);
    END LOOP;
    -- Every function and table that is made for one table has its id in its name.
    FOR part IN SELECT f.oid::regprocedure AS function FROM pg_proc f
            WHERE f.pronamespace IN ('ddlrep_shadow'::regnamespace, 'ddlrep_apply'::regnamespace)
                AND f.proname ~ ('^[a-z]+_(' || ids || ')(_|$)') LOOP
        EXECUTE format('DROP FUNCTION %s', part.function);
    END LOOP;
    FOR part IN SELECT c.oid::regclass AS relation FROM pg_class c
            WHERE c.relnamespace = 'ddlrep_shadow'::regnamespace AND c.relkind = 'r'
                AND (c.relname ~ ('^[a-z]+_?(' || ids || ')(_|$)') OR c.relname IN (
                    SELECT s.shadow FROM ddlrep.shadow_generation s WHERE s.publication = publication_name)) LOOP
        EXECUTE format('DROP TABLE %s', part.relation);
    END LOOP;
    -- One by one: where session_replication_role is replica no foreign key cascades.
    DELETE FROM ddlrep.replicated_table t WHERE t.publication = publication_name;
    DELETE FROM ddlrep.batch_used u WHERE u.publication = publication_name;
    DELETE FROM ddlrep.subscription s WHERE s.publication = publication_name;
    DELETE FROM ddlrep.publication_node n WHERE n.publication = publication_name;
    DELETE FROM ddlrep.shadow_generation s WHERE s.publication = publication_name;
    DELETE FROM ddlrep.publication p WHERE p.name = publication_name;
    RETURN forgotten;
END
$f$;
REVOKE ALL ON FUNCTION ddlrep.forget_publication(text) FROM PUBLIC;
COMMENT ON FUNCTION ddlrep.forget_publication(text) IS 'Takes everything that belongs to a publication out of this node: triggers, functions, shadow tables, control rows; the user''s tables stay as they are. Returns how many tables it had';
