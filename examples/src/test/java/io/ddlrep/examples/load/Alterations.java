package io.ddlrep.examples.load;

import static io.ddlrep.examples.load.Entity.ACCT;
import static io.ddlrep.examples.load.Entity.BAG;
import static io.ddlrep.examples.load.Entity.CUT;
import static io.ddlrep.examples.load.Entity.ENTRY;
import static io.ddlrep.examples.load.Entity.GEN;
import static io.ddlrep.examples.load.Entity.PART;
import static io.ddlrep.examples.load.Entity.SWAP;
import static io.ddlrep.examples.load.Entity.TRIG;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The kinds of alterations, each of which can be undone by itself later, so that any number can follow in any order. Each gives
 * the statements for the tables as they are, and says how they are afterwards. Stateless.
 */
final class Alterations {
    /** Makes statements and changes {@code shapes} to what they lead to. */
    interface Kind {
        List<String> make(Shapes shapes, SplittableRandom random);
    }

    private Alterations() {}

    /** All kinds by name. */
    static Map<String, Kind> all() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("column", Alterations::column);
        kinds.put("volatile column", Alterations::volatileColumn);
        kinds.put("column from sequence", Alterations::columnFromSequence);
        kinds.put("rename column", Alterations::renameColumn);
        kinds.put("type with rewrite", Alterations::type);
        kinds.put("type of text", Alterations::textType);
        kinds.put("not null", Alterations::notNull);
        kinds.put("default", Alterations::columnDefault);
        kinds.put("check", Alterations::check);
        kinds.put("unique", Alterations::unique);
        kinds.put("index", Alterations::index);
        kinds.put("many subcommands", Alterations::many);
        kinds.put("rename table", Alterations::renameTable);
        kinds.put("set schema", Alterations::setSchema);
        kinds.put("storage", Alterations::storage);
        kinds.put("row security", Alterations::rowSecurity);
        kinds.put("view", Alterations::view);
        kinds.put("foreign key", Alterations::foreignKey);
        kinds.put("foreign key again", Alterations::foreignKeyAgain);
        kinds.put("switch primary key", Alterations::switchPrimaryKey);
        kinds.put("drop primary key", Alterations::dropPrimaryKey);
        kinds.put("keyless to keyed", Alterations::bagKey);
        kinds.put("deferrable key", Alterations::deferrableKey);
        kinds.put("user trigger", Alterations::userTrigger);
        kinds.put("triggers off", Alterations::triggersOff);
        kinds.put("inheritance", Alterations::inheritance);
        kinds.put("generated column", Alterations::generated);
        kinds.put("identity", Alterations::identity);
        kinds.put("new partition", Alterations::partition);
        kinds.put("detach and attach", Alterations::detachAndAttach);
        kinds.put("attach filled", Alterations::attachFilled);
        kinds.put("truncate", Alterations::truncate);
        kinds.put("new table", Alterations::newTable);
        return kinds;
    }

    private static Entity any(SplittableRandom random) {
        List<Entity> all = List.of(Entity.values());
        return all.get(random.nextInt(all.size()));
    }

    private static Entity anyBut(SplittableRandom random, Entity... excluded) {
        while (true) {
            Entity entity = any(random);
            if (!List.of(excluded).contains(entity)) {
                return entity;
            }
        }
    }

    private static String alter(Shapes shapes, Entity entity, String what) {
        return "ALTER TABLE " + shapes.table(entity) + " " + what;
    }

    private static List<String> column(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        if (!shapes.toggle("column " + entity)) {
            return List.of(alter(shapes, entity, "DROP COLUMN x CASCADE"));
        }
        List<String> sql = new ArrayList<>();
        sql.add(alter(shapes, entity, "ADD COLUMN x integer " + (random.nextBoolean() ? "NOT NULL DEFAULT 7" : "")));
        if (random.nextBoolean()) {
            sql.add("CREATE VIEW public.x_of_" + entity + " AS SELECT x FROM " + shapes.table(entity));
        }
        return sql;
    }

    private static List<String> volatileColumn(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        return List.of(alter(
                shapes,
                entity,
                shapes.toggle("volatile " + entity)
                        ? "ADD COLUMN y double precision DEFAULT random()"
                        : "DROP COLUMN y"));
    }

    private static List<String> columnFromSequence(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        if (!shapes.toggle("sequence " + entity)) {
            return List.of(
                    alter(shapes, entity, "DROP COLUMN \"from Sequence\""), "DROP SEQUENCE public.seq_" + entity);
        }
        return List.of(
                alter(shapes, entity, "ADD COLUMN \"from Sequence\" bigint"),
                "CREATE SEQUENCE public.seq_" + entity,
                "UPDATE " + shapes.table(entity) + " SET \"from Sequence\" = nextval('public.seq_" + entity + "')",
                alter(
                        shapes,
                        entity,
                        "ALTER \"from Sequence\" SET DEFAULT nextval('public.seq_" + entity
                                + "'), ALTER \"from Sequence\" SET NOT NULL"));
    }

    private static List<String> renameColumn(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        String old = shapes.value(entity);
        return List.of(alter(shapes, entity, "RENAME COLUMN " + old + " TO " + shapes.renameValue(entity)));
    }

    private static List<String> type(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        String type = shapes.toggle("type " + entity) ? "numeric(20)" : "bigint";
        String value = shapes.value(entity);
        return List.of(
                alter(shapes, entity, "ALTER COLUMN " + value + " TYPE " + type + " USING " + value + "::" + type));
    }

    private static List<String> textType(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        String type = shapes.toggle("text type " + entity) ? "varchar(200)" : "text";
        return List.of(alter(shapes, entity, "ALTER COLUMN pad TYPE " + type));
    }

    private static List<String> notNull(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        if (!shapes.toggle("not null " + entity)) {
            return List.of(alter(shapes, entity, "ALTER opt DROP NOT NULL"));
        }
        // The first statement locks, so that no row without a value comes after the second.
        return List.of(
                alter(shapes, entity, "ALTER opt SET STATISTICS 50"),
                "UPDATE " + shapes.table(entity) + " SET opt = '1' WHERE opt IS NULL",
                alter(shapes, entity, "ALTER opt SET NOT NULL"));
    }

    private static List<String> columnDefault(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        return List.of(alter(
                shapes,
                entity,
                shapes.toggle("default " + entity) ? "ALTER opt SET DEFAULT '3'" : "ALTER opt DROP DEFAULT"));
    }

    private static List<String> check(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        if (!shapes.toggle("check " + entity)) {
            return List.of(alter(shapes, entity, "DROP CONSTRAINT ck"));
        }
        if (random.nextBoolean() && entity != PART) {
            return List.of(
                    alter(shapes, entity, "ADD CONSTRAINT ck CHECK (w > -100) NOT VALID"),
                    alter(shapes, entity, "VALIDATE CONSTRAINT ck"));
        }
        return List.of(alter(shapes, entity, "ADD CONSTRAINT ck CHECK (w > -100)"));
    }

    private static List<String> unique(Shapes shapes, SplittableRandom random) {
        Entity entity = anyBut(random, BAG, SWAP);
        return List.of(alter(
                shapes,
                entity,
                shapes.toggle("unique " + entity)
                        ? "ADD CONSTRAINT uq_" + entity + " UNIQUE (id, w)"
                        : "DROP CONSTRAINT uq_" + entity));
    }

    private static List<String> index(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        String name = "ix_" + entity;
        if (!shapes.toggle("index " + entity)) {
            return List.of("DROP INDEX " + shapes.beside(entity, name));
        }
        List<String> forms = List.of("(w, opt)", "(lower(pad))", "(w) WHERE opt IS NOT NULL");
        return List.of(
                "CREATE INDEX " + name + " ON " + shapes.table(entity) + " " + forms.get(random.nextInt(forms.size())));
    }

    private static List<String> many(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        return List.of(alter(
                shapes,
                entity,
                shapes.toggle("many " + entity)
                        ? "ADD COLUMN q1 integer DEFAULT 1, ADD COLUMN q2 text, ALTER pad SET DEFAULT 'p',"
                                + " ADD CONSTRAINT q CHECK (q1 > 0), ALTER w SET STATISTICS 10"
                        : "DROP COLUMN q1, DROP COLUMN q2, ALTER pad DROP DEFAULT"));
    }

    private static List<String> renameTable(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        String old = shapes.table(entity);
        return List.of("ALTER TABLE " + old + " RENAME TO " + shapes.renameTable(entity));
    }

    private static List<String> setSchema(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        String old = shapes.table(entity);
        return List.of("ALTER TABLE " + old + " SET SCHEMA " + shapes.moveTable(entity));
    }

    private static List<String> storage(Shapes shapes, SplittableRandom random) {
        Entity entity = anyBut(random, PART);
        boolean on = shapes.toggle("storage " + entity);
        return List.of(
                alter(shapes, entity, on ? "SET (fillfactor = 80)" : "RESET (fillfactor)"),
                alter(shapes, entity, "REPLICA IDENTITY " + (on ? "FULL" : "DEFAULT")),
                "COMMENT ON TABLE " + shapes.table(entity) + " IS " + (on ? "'under ''load'''" : "NULL"));
    }

    private static List<String> rowSecurity(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        boolean on = shapes.toggle("row security " + entity);
        return List.of(
                alter(shapes, entity, on ? "ENABLE ROW LEVEL SECURITY" : "DISABLE ROW LEVEL SECURITY"),
                on
                        ? "CREATE POLICY mine ON " + shapes.table(entity) + " USING (w > 0)"
                        : "DROP POLICY mine ON " + shapes.table(entity));
    }

    private static List<String> view(Shapes shapes, SplittableRandom random) {
        Entity entity = any(random);
        return List.of(
                shapes.toggle("view " + entity)
                        ? "CREATE VIEW public.view_of_" + entity + " AS SELECT w, count(*) AS n FROM "
                                + shapes.table(entity) + " GROUP BY w"
                        : "DROP VIEW public.view_of_" + entity);
    }

    private static List<String> foreignKey(Shapes shapes, SplittableRandom random) {
        Entity entity = random.nextBoolean() ? GEN : BAG;
        return List.of(alter(
                shapes,
                entity,
                shapes.toggle("foreign key " + entity)
                        ? "ADD COLUMN ref bigint REFERENCES " + shapes.table(ACCT) + " (id) ON DELETE SET NULL"
                        : "DROP COLUMN ref"));
    }

    private static List<String> foreignKeyAgain(Shapes shapes, SplittableRandom random) {
        String key = "FOREIGN KEY (acct_id) REFERENCES " + shapes.table(ACCT) + " ON UPDATE CASCADE ON DELETE CASCADE";
        if (random.nextBoolean()) {
            return List.of(alter(
                    shapes, ENTRY, "DROP CONSTRAINT entry_acct_id_fkey, ADD CONSTRAINT entry_acct_id_fkey " + key));
        }
        return List.of(
                alter(shapes, ENTRY, "DROP CONSTRAINT entry_acct_id_fkey"),
                alter(shapes, ENTRY, "ADD CONSTRAINT entry_acct_id_fkey " + key));
    }

    private static List<String> switchPrimaryKey(Shapes shapes, SplittableRandom random) {
        String columns = shapes.toggle("switched TRIG") ? "w, id" : "id";
        if (random.nextBoolean()) {
            return List.of(alter(
                    shapes, TRIG, "DROP CONSTRAINT trig_pkey, ADD CONSTRAINT trig_pkey PRIMARY KEY (" + columns + ")"));
        }
        return List.of(
                "CREATE UNIQUE INDEX trig_next ON " + shapes.table(TRIG) + " (" + columns + ")",
                alter(
                        shapes,
                        TRIG,
                        "DROP CONSTRAINT trig_pkey, ADD CONSTRAINT trig_pkey PRIMARY KEY USING INDEX trig_next"));
    }

    private static List<String> dropPrimaryKey(Shapes shapes, SplittableRandom random) {
        Entity entity = random.nextBoolean() ? ENTRY : CUT;
        String name = entity.initialName() + "_pkey";
        if (shapes.toggle("keyless " + entity)) {
            return List.of(alter(shapes, entity, "DROP CONSTRAINT " + name));
        }
        String columns = entity == ENTRY && random.nextBoolean() ? "acct_id, id" : "id";
        return List.of(alter(shapes, entity, "ADD CONSTRAINT " + name + " PRIMARY KEY (" + columns + ")"));
    }

    private static List<String> bagKey(Shapes shapes, SplittableRandom random) {
        if (shapes.isOn("inheritance")) {
            return inheritance(shapes, random);
        }
        if (!shapes.toggle("keyed BAG")) {
            return List.of(alter(shapes, BAG, "DROP COLUMN k"));
        }
        List<String> forms = List.of(
                "ADD COLUMN k bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
                "ADD COLUMN k bigserial PRIMARY KEY",
                "ADD COLUMN k uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY");
        return List.of(alter(shapes, BAG, forms.get(random.nextInt(forms.size()))));
    }

    private static List<String> deferrableKey(Shapes shapes, SplittableRandom random) {
        String deferrable = shapes.toggle("deferrable SWAP") ? " DEFERRABLE" : "";
        return List.of(alter(
                shapes, SWAP, "DROP CONSTRAINT swap_pkey, ADD CONSTRAINT swap_pkey PRIMARY KEY (id)" + deferrable));
    }

    private static List<String> userTrigger(Shapes shapes, SplittableRandom random) {
        Entity entity = List.of(ACCT, PART, BAG).get(random.nextInt(3));
        return List.of(
                shapes.toggle("trigger " + entity)
                        ? "CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON " + shapes.table(entity)
                                + " FOR EACH ROW EXECUTE FUNCTION public.touch()"
                        : "DROP TRIGGER touch ON " + shapes.table(entity));
    }

    private static List<String> triggersOff(Shapes shapes, SplittableRandom random) {
        Entity entity = List.of(ACCT, PART, BAG).get(random.nextInt(3));
        String off = shapes.toggle("triggers off " + entity) ? "DISABLE" : "ENABLE";
        return List.of(alter(shapes, entity, off + " TRIGGER USER"));
    }

    private static List<String> inheritance(Shapes shapes, SplittableRandom random) {
        if (shapes.isOn("keyed BAG")) {
            return bagKey(shapes, random);
        }
        return List.of(
                shapes.toggle("inheritance")
                        ? "CREATE TABLE public.bag_kid () INHERITS (" + shapes.table(BAG) + ")"
                        : "DROP TABLE public.bag_kid");
    }

    private static List<String> generated(Shapes shapes, SplittableRandom random) {
        Entity entity = random.nextBoolean() ? GEN : BAG;
        if (shapes.toggle("generated " + entity)) {
            return List.of(alter(shapes, entity, "ADD COLUMN twice integer GENERATED ALWAYS AS (w * 2) STORED"));
        }
        if (random.nextBoolean()) {
            return List.of(
                    alter(shapes, entity, "ALTER COLUMN twice DROP EXPRESSION"),
                    alter(shapes, entity, "DROP COLUMN twice"));
        }
        return List.of(alter(shapes, entity, "DROP COLUMN twice"));
    }

    private static List<String> identity(Shapes shapes, SplittableRandom random) {
        long start = 2_000_000_000_000L + shapes.next() * 1_000_000L;
        String form = shapes.toggle("identity by default") ? "BY DEFAULT" : "ALWAYS";
        return List.of(alter(shapes, GEN, "ALTER id SET GENERATED " + form + " RESTART WITH " + start));
    }

    private static List<String> partition(Shapes shapes, SplittableRandom random) {
        return List.of(
                shapes.toggle("partition")
                        ? "CREATE TABLE public.part_new PARTITION OF " + shapes.table(PART)
                                + " FOR VALUES FROM (5000000000000) TO (6000000000000)"
                        : "DROP TABLE public.part_new");
    }

    private static List<String> detachAndAttach(Shapes shapes, SplittableRandom random) {
        if (random.nextBoolean()) {
            return List.of(
                    alter(shapes, PART, "DETACH PARTITION public.part_low"),
                    "UPDATE public.part_low SET pad = 'detached' WHERE id % 3 = 0",
                    alter(shapes, PART, "ATTACH PARTITION public.part_low FOR VALUES FROM (MINVALUE) TO (200000)"));
        }
        return List.of(
                alter(shapes, PART, "DETACH PARTITION public.part_high"),
                alter(shapes, PART, "ATTACH PARTITION public.part_high FOR VALUES FROM (200000) TO (1000000000000)"));
    }

    /** Rows of nobody, whose values are 0, come and go with a partition. */
    private static List<String> attachFilled(Shapes shapes, SplittableRandom random) {
        if (!shapes.toggle("filled")) {
            return random.nextBoolean()
                    ? List.of(
                            alter(shapes, PART, "DETACH PARTITION public.part_filled"), "DROP TABLE public.part_filled")
                    : List.of("DROP TABLE public.part_filled");
        }
        return List.of(
                "CREATE TABLE public.part_filled (LIKE " + shapes.table(PART)
                        + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS)",
                "INSERT INTO public.part_filled (id, w, " + shapes.value(PART)
                        + ", pad, opt) SELECT 3000000000000 + g, -2, 0, 'filled', '5' FROM generate_series(1, 20) g",
                alter(
                        shapes,
                        PART,
                        "ATTACH PARTITION public.part_filled FOR VALUES FROM (3000000000000) TO (4000000000000)"));
    }

    private static List<String> truncate(Shapes shapes, SplittableRandom random) {
        return List.of(
                "TRUNCATE " + shapes.table(CUT) + (random.nextBoolean() ? " RESTART IDENTITY" : ""),
                "UPDATE public.epoch SET e = e + 1");
    }

    private static List<String> newTable(Shapes shapes, SplittableRandom random) {
        if (!shapes.toggle("new table")) {
            return List.of("DROP TABLE public.made");
        }
        return List.of(
                "CREATE TABLE public.made AS SELECT id, w, random() AS r FROM " + shapes.table(anyBut(random, BAG)),
                "ALTER TABLE public.made ADD PRIMARY KEY (id)",
                "INSERT INTO public.made VALUES (-1, 0, random())");
    }
}
