package io.ddlrep.examples.load;

import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The tables as they are before the first alteration. Stateless. */
final class Schema {
    private static final String COLUMNS = "w integer NOT NULL, n bigint NOT NULL DEFAULT 0, pad text, opt integer";

    private Schema() {}

    static void create(PgNode node) throws SQLException {
        List<String> sql = new ArrayList<>(List.of(
                "CREATE SCHEMA " + Shapes.OTHER_SCHEMA,
                "CREATE TABLE public.epoch (id integer PRIMARY KEY, e bigint NOT NULL)",
                "INSERT INTO public.epoch VALUES (1, 1)",
                "CREATE TABLE public.audit (id bigint, w integer)",
                "CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " NEW.pad := 'touched ' || left(coalesce(NEW.pad, ''), 50); RETURN NEW; END $$",
                "CREATE FUNCTION public.note_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " INSERT INTO public.audit VALUES (OLD.id, OLD.w); RETURN NULL; END $$",
                "CREATE FUNCTION public.change_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF pg_trigger_depth() < 2 THEN EXECUTE format('UPDATE %s SET bumps = bumps + 1 WHERE id = $1',"
                        + " TG_RELID::regclass) USING NEW.id; END IF; RETURN NULL; END $$",
                "CREATE TABLE public.acct (id bigint PRIMARY KEY, " + COLUMNS + ")",
                "CREATE TABLE public.entry (id bigint PRIMARY KEY, acct_id bigint NOT NULL REFERENCES public.acct"
                        + " ON UPDATE CASCADE ON DELETE CASCADE, " + COLUMNS + ")",
                "CREATE TABLE public.bag (" + COLUMNS + ")",
                "CREATE TABLE public.part (id bigint PRIMARY KEY, " + COLUMNS + ") PARTITION BY RANGE (id)",
                "CREATE TABLE public.part_low PARTITION OF public.part FOR VALUES FROM (MINVALUE) TO (200000)",
                "CREATE TABLE public.part_high PARTITION OF public.part FOR VALUES FROM (200000) TO (1000000000000)"
                        + " PARTITION BY HASH (id)",
                "CREATE TABLE public.part_high0 PARTITION OF public.part_high FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
                "CREATE TABLE public.part_high1 PARTITION OF public.part_high FOR VALUES WITH (MODULUS 2, REMAINDER 1)",
                "CREATE TABLE public.trig (id bigint PRIMARY KEY, bumps integer NOT NULL DEFAULT 0, " + COLUMNS + ")",
                "CREATE TRIGGER again AFTER INSERT OR UPDATE ON public.trig FOR EACH ROW EXECUTE FUNCTION"
                        + " public.change_again()",
                "CREATE TRIGGER note AFTER DELETE ON public.trig FOR EACH ROW EXECUTE FUNCTION public.note_deleted()",
                "CREATE TABLE public.cut (id bigint PRIMARY KEY, " + COLUMNS + ")",
                "CREATE TABLE public.gen (id bigint GENERATED ALWAYS AS IDENTITY (START WITH 2000000000000) PRIMARY KEY, "
                        + COLUMNS + ", twin bigint GENERATED ALWAYS AS (w + 1) STORED)",
                "CREATE TABLE public.swap (id bigint PRIMARY KEY, " + COLUMNS + ")"));
        for (Entity entity : Entity.values()) {
            if (entity.hasHotRows()) {
                sql.add("INSERT INTO public." + entity.initialName() + " (id, w, n, opt)"
                        + (entity == Entity.GEN ? " OVERRIDING SYSTEM VALUE" : "")
                        + " SELECT g, -1, 0, 1 FROM generate_series(1, " + Entity.HOT_ROWS + ") g");
            }
        }
        node.execute(sql.toArray(String[]::new));
    }
}
