-- A schema with something of everything that a fingerprint covers and that majors 14 to 18 all have.
CREATE SCHEMA app;
CREATE TYPE app.mood AS ENUM ('sad', 'fine', 'glad');
CREATE DOMAIN app.positive AS int DEFAULT 1 CHECK (VALUE > 0);
CREATE TYPE app.address AS (street text COLLATE "C", zip varchar(10));
CREATE TYPE app.span AS RANGE (subtype = float8);
CREATE FUNCTION app.plus_one(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 + 1';
CREATE FUNCTION app.stamp() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.note := 'stamped'; RETURN NEW; END$$;
CREATE FUNCTION app.visible(text) RETURNS boolean LANGUAGE sql STABLE AS $$SELECT $1 = current_user$$;
CREATE SEQUENCE app.free_numbers AS int INCREMENT 5 MINVALUE 2 MAXVALUE 1000 START 7 CACHE 3 CYCLE;
CREATE TABLE app.parent (id bigint GENERATED ALWAYS AS IDENTITY, code text NOT NULL DEFAULT 'x', PRIMARY KEY (id), CONSTRAINT code_unique UNIQUE (code) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE app.rich (
    id serial PRIMARY KEY,
    parent bigint REFERENCES app.parent ON DELETE CASCADE,
    price numeric(10,2) NOT NULL DEFAULT 1.5 CHECK (price >= 0),
    name varchar(40) COLLATE "C" NOT NULL,
    feeling app.mood DEFAULT 'fine',
    feelings app.mood[],
    amount app.positive,
    home app.address,
    during tstzrange DEFAULT tstzrange('2020-01-01 00:00+02', NULL),
    wide app.span,
    owner_name text DEFAULT CURRENT_USER,
    note text,
    at timestamptz DEFAULT '2024-06-01 12:00+00',
    number int DEFAULT nextval('app.free_numbers'),
    doubled int GENERATED ALWAYS AS (app.plus_one(1) + 1) STORED,
    day date DEFAULT make_date(2024, 1, EXTRACT(day FROM now())::int),
    payload jsonb DEFAULT '{"a": 1}',
    EXCLUDE USING gist (during WITH &&)
) WITH (fillfactor = 70, autovacuum_enabled = off, toast.autovacuum_enabled = off);
CREATE INDEX rich_lower ON app.rich (lower(name), price DESC NULLS LAST) INCLUDE (note) WHERE price > 10;
CREATE INDEX rich_expression ON app.rich (app.plus_one(id)) WITH (fillfactor = 80);
ALTER INDEX app.rich_expression ALTER COLUMN 1 SET STATISTICS 77;
CREATE STATISTICS app.rich_stats (ndistinct, dependencies) ON name, price FROM app.rich;
CREATE STATISTICS app.rich_expression_stats ON (lower(name)), price FROM app.rich;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE OF name ON app.rich FOR EACH ROW WHEN (NEW.price > 0) EXECUTE FUNCTION app.stamp();
CREATE CONSTRAINT TRIGGER late AFTER INSERT ON app.rich DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION app.stamp();
CREATE RULE quiet AS ON DELETE TO app.rich WHERE OLD.price > 1000 DO INSTEAD NOTHING;
ALTER TABLE app.rich ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON app.rich FOR SELECT TO PUBLIC USING (app.visible(owner_name));
CREATE POLICY writes ON app.rich AS RESTRICTIVE FOR UPDATE USING (price < 100) WITH CHECK (price < 200);
ALTER TABLE app.rich ALTER COLUMN note SET STORAGE EXTERNAL, ALTER COLUMN name SET STATISTICS 500, ALTER COLUMN price SET (n_distinct = 100);
ALTER TABLE app.rich ADD CONSTRAINT note_short CHECK (length(note) < 100) NOT VALID;
COMMENT ON TABLE app.rich IS 'rich, with a tab	and a
new line';
COMMENT ON COLUMN app.rich.price IS 'what it costs';
COMMENT ON INDEX app.rich_lower IS 'an index';
COMMENT ON CONSTRAINT note_short ON app.rich IS 'short';
COMMENT ON TRIGGER stamp ON app.rich IS 'stamps';
GRANT SELECT, INSERT (name) ON app.rich TO PUBLIC;
GRANT UPDATE ON app.rich TO pg_monitor WITH GRANT OPTION;
CREATE TABLE app.measure (at timestamptz NOT NULL, place text NOT NULL, value float8, PRIMARY KEY (at, place)) PARTITION BY RANGE (at);
CREATE TABLE app.measure_1 PARTITION OF app.measure FOR VALUES FROM ('2024-01-01 00:00+00') TO ('2025-01-01 00:00+00');
CREATE TABLE app.measure_rest PARTITION OF app.measure DEFAULT PARTITION BY LIST (place);
CREATE TABLE app.measure_rest_a PARTITION OF app.measure_rest FOR VALUES IN ('a', NULL);
CREATE INDEX ON app.measure (value);
CREATE TABLE app.reading (at timestamptz, place text, FOREIGN KEY (at, place) REFERENCES app.measure);
CREATE TABLE app.animal (name text NOT NULL, legs int CHECK (legs >= 0));
CREATE TABLE app.dog (breed text) INHERITS (app.animal);
CREATE VIEW app.cheap WITH (security_barrier = true) AS SELECT r.id, r.name, p.code FROM app.rich r LEFT JOIN app.parent p ON p.id = r.parent WHERE r.price < 10;
CREATE VIEW app.names AS SELECT name, price * 2 AS twice FROM app.rich;
CREATE MATERIALIZED VIEW app.totals AS SELECT place, sum(value) AS total FROM app.measure GROUP BY place WITH NO DATA;
CREATE INDEX ON app.totals (place);
CREATE PROCEDURE app.nothing(INOUT a int DEFAULT 3) LANGUAGE plpgsql AS $$BEGIN NULL; END$$;
CREATE AGGREGATE app.total(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0');
