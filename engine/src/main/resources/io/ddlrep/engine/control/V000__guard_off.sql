-- The guard is taken down while the control schema changes, and R__guard.sql puts it up again in the same transaction:
-- a damaged guard cannot stand in the way of its own repair.

DO $$
DECLARE
    gone record;
BEGIN
    FOR gone IN SELECT e.evtname FROM pg_catalog.pg_event_trigger e JOIN pg_catalog.pg_proc f ON f.oid = e.evtfoid
            JOIN pg_catalog.pg_namespace n ON n.oid = f.pronamespace WHERE n.nspname = 'ddlrep' LOOP
        EXECUTE pg_catalog.format('DROP EVENT TRIGGER %I', gone.evtname);
    END LOOP;
END
$$;
