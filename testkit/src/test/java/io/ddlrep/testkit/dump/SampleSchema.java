package io.ddlrep.testkit.dump;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A schema that holds one of everything, and single changes to it. */
final class SampleSchema {

    static final List<String> STATEMENTS = List.of(
            "CREATE SCHEMA app",
            "CREATE EXTENSION citext SCHEMA public",
            "CREATE TYPE app.state AS ENUM ('new', 'paid')",
            "CREATE DOMAIN app.amount AS numeric(10,2) NOT NULL DEFAULT 0 CHECK (VALUE >= 0)",
            "CREATE TYPE app.address AS (street text, city text)",
            "CREATE TYPE app.period AS RANGE (subtype = timestamptz)",
            "CREATE SEQUENCE app.numbers INCREMENT 5 CACHE 10",
            "CREATE FUNCTION app.touch() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN\n RETURN NEW;\nEND$$",
            "CREATE PROCEDURE app.nothing() LANGUAGE sql AS 'SELECT 1'",
            "CREATE FUNCTION app.add(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 + $2'",
            "CREATE AGGREGATE app.total(int) (SFUNC = app.add, STYPE = int, INITCOND = '0')",
            "CREATE OPERATOR app.<+> (FUNCTION = app.add, LEFTARG = int, RIGHTARG = int)",
            "CREATE CAST (app.address AS text) WITH INOUT",
            "CREATE COLLATION app.plain (provider = libc, locale = 'C')",
            "CREATE TEXT SEARCH CONFIGURATION app.words (COPY = simple)",
            "CREATE TABLE app.customers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE \"C\","
                    + " address app.address, data bytea)",
            "CREATE TABLE app.orders (id int PRIMARY KEY, customer bigint REFERENCES app.customers DEFERRABLE,"
                    + " state app.state DEFAULT 'new', amount app.amount, twice int GENERATED ALWAYS AS (id * 2) STORED,"
                    + " note text, code citext, at timestamptz DEFAULT now(), CONSTRAINT positive CHECK (id > 0))",
            "CREATE INDEX orders_at ON app.orders (at) WHERE state = 'new'",
            "CREATE UNIQUE INDEX orders_note ON app.orders (lower(note) DESC, id)",
            "CREATE TRIGGER touch BEFORE UPDATE ON app.orders FOR EACH ROW EXECUTE FUNCTION app.touch()",
            "CREATE RULE silent AS ON DELETE TO app.customers DO INSTEAD NOTHING",
            "CREATE POLICY own ON app.orders FOR SELECT TO public USING (id < 100)",
            "CREATE VIEW app.paid AS SELECT id, amount FROM app.orders WHERE state = 'paid'",
            "CREATE MATERIALIZED VIEW app.totals AS SELECT customer, sum(amount) AS total FROM app.orders GROUP BY 1",
            "CREATE STATISTICS app.correlated (dependencies) ON customer, state FROM app.orders",
            "CREATE PUBLICATION feed FOR TABLE app.orders WITH (publish = 'insert')",
            "CREATE TABLE app.log (at date NOT NULL, line text) PARTITION BY RANGE (at)",
            "CREATE TABLE app.log_2026 PARTITION OF app.log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
            "CREATE INDEX log_at ON app.log (at)",
            "CREATE TABLE app.parent (a int)",
            "CREATE TABLE app.child (b int) INHERITS (app.parent)",
            "CREATE TABLE app.serials (id serial, v text)",
            "COMMENT ON COLUMN app.orders.note IS 'free text'",
            "GRANT SELECT (id), UPDATE (note) ON app.orders TO public",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA app GRANT SELECT ON TABLES TO public");

    /** The same end by another way: columns come in another order, with a dropped one between them. */
    static final List<String> IN_ANOTHER_ORDER = inAnotherOrder();

    private SampleSchema() {}

    private static List<String> inAnotherOrder() {
        List<String> statements = new ArrayList<>();
        for (String statement : STATEMENTS) {
            if (statement.startsWith("CREATE TABLE app.serials")) {
                statements.add("CREATE TABLE app.serials (v text, gone int, id serial)");
                statements.add("ALTER TABLE app.serials DROP COLUMN gone");
            } else if (statement.startsWith("CREATE TABLE app.customers")) {
                statements.add("CREATE TABLE app.customers (data bytea, address app.address, name text COLLATE \"C\")");
                statements.add("ALTER TABLE app.customers ADD id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY");
            } else {
                statements.add(statement);
            }
        }
        return statements;
    }

    /** Single statements, each of which changes something that a dump must show. */
    static Stream<String> changes() {
        return Stream.of(
                        tables(),
                        columns(),
                        List.of(
                                "ALTER TABLE app.orders DROP CONSTRAINT positive",
                                "ALTER TABLE app.orders ADD CONSTRAINT later CHECK (id < 1000) NOT VALID",
                                "ALTER TABLE app.orders ALTER CONSTRAINT orders_customer_fkey INITIALLY DEFERRED",
                                "ALTER TABLE app.orders RENAME CONSTRAINT positive TO above_zero",
                                "ALTER DOMAIN app.amount ADD CONSTRAINT small CHECK (VALUE < 1000)",
                                "CREATE INDEX ON app.orders (customer)",
                                "ALTER INDEX app.orders_at SET (fillfactor = 50)",
                                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'app.orders_at'::regclass",
                                "ALTER INDEX app.orders_note ALTER COLUMN 1 SET STATISTICS 500"),
                        code(),
                        rights())
                .flatMap(List::stream);
    }

    private static List<String> tables() {
        return List.of(
                "CREATE TABLE app.more ()",
                "DROP TABLE app.serials",
                "CREATE SCHEMA other",
                "ALTER TABLE app.orders RENAME TO bills",
                "ALTER TABLE app.serials SET SCHEMA public",
                "ALTER TABLE app.serials SET UNLOGGED",
                "ALTER TABLE app.orders SET (autovacuum_enabled = off)",
                "ALTER TABLE app.orders SET (toast.autovacuum_enabled = off)",
                "ALTER TABLE app.orders ENABLE ROW LEVEL SECURITY",
                "ALTER TABLE app.orders FORCE ROW LEVEL SECURITY",
                "ALTER TABLE app.orders REPLICA IDENTITY FULL",
                "ALTER TABLE app.orders REPLICA IDENTITY USING INDEX orders_pkey",
                "ALTER TABLE app.orders CLUSTER ON orders_pkey",
                "ALTER TABLE app.log DETACH PARTITION app.log_2026",
                "ALTER TABLE app.child NO INHERIT app.parent",
                "CREATE OR REPLACE VIEW app.paid AS SELECT id, amount FROM app.orders WHERE state <> 'paid'",
                "ALTER VIEW app.paid SET (security_barrier = true)",
                "REFRESH MATERIALIZED VIEW app.totals WITH NO DATA",
                "ALTER SEQUENCE app.numbers INCREMENT 6",
                "ALTER SEQUENCE app.numbers OWNED BY app.orders.id",
                "SELECT nextval('app.numbers')");
    }

    private static List<String> columns() {
        return List.of(
                "ALTER TABLE app.orders ADD more int",
                "ALTER TABLE app.orders DROP note",
                "ALTER TABLE app.orders RENAME note TO remark",
                "ALTER TABLE app.orders ALTER note TYPE varchar(20)",
                "ALTER TABLE app.orders ALTER note SET NOT NULL",
                "ALTER TABLE app.orders ALTER note SET DEFAULT 'x'",
                "ALTER TABLE app.orders ALTER note SET STORAGE EXTERNAL",
                "ALTER TABLE app.orders ALTER note SET COMPRESSION pglz",
                "ALTER TABLE app.orders ALTER note SET STATISTICS 500",
                "ALTER TABLE app.orders ALTER note SET (n_distinct = 5)",
                "ALTER TABLE app.orders ALTER note TYPE text COLLATE \"C\"",
                "ALTER TABLE app.orders ALTER twice DROP EXPRESSION",
                "ALTER TABLE app.customers ALTER id SET GENERATED BY DEFAULT",
                "ALTER TABLE app.customers ALTER id DROP IDENTITY",
                "ALTER TYPE app.address ADD ATTRIBUTE zip text",
                "ALTER TYPE app.state ADD VALUE 'sent' BEFORE 'paid'",
                "ALTER DOMAIN app.amount DROP NOT NULL",
                "ALTER DOMAIN app.amount SET DEFAULT 1");
    }

    private static List<String> code() {
        return List.of(
                "ALTER TABLE app.orders DISABLE TRIGGER touch",
                "ALTER TABLE app.orders ENABLE ALWAYS TRIGGER touch",
                "ALTER TRIGGER touch ON app.orders RENAME TO touched",
                "DROP RULE silent ON app.customers",
                "ALTER POLICY own ON app.orders USING (id < 200)",
                "CREATE OR REPLACE FUNCTION app.add(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $2 + $1'",
                "ALTER FUNCTION app.add(int, int) STRICT",
                "ALTER FUNCTION app.add(int, int) SET work_mem = '1MB'",
                "DROP AGGREGATE app.total(int)",
                "DROP OPERATOR app.<+> (int, int)",
                "DROP CAST (app.address AS text)",
                "DROP COLLATION app.plain",
                "ALTER TEXT SEARCH CONFIGURATION app.words DROP MAPPING FOR email",
                "DROP STATISTICS app.correlated",
                "ALTER STATISTICS app.correlated SET STATISTICS 100",
                "ALTER PUBLICATION feed SET (publish = 'insert, update')",
                "ALTER PUBLICATION feed ADD TABLE app.customers",
                "ALTER PUBLICATION feed SET TABLE app.orders WHERE (id > 5)",
                "DROP EXTENSION citext CASCADE",
                "CREATE FUNCTION app.e() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';"
                        + " CREATE EVENT TRIGGER noted ON ddl_command_end EXECUTE FUNCTION app.e()");
    }

    private static List<String> rights() {
        return List.of(
                "COMMENT ON TABLE app.orders IS 'all orders'",
                "COMMENT ON COLUMN app.orders.note IS NULL",
                "COMMENT ON CONSTRAINT positive ON app.orders IS 'no zero'",
                "COMMENT ON INDEX app.orders_at IS 'open orders'",
                "COMMENT ON SCHEMA public IS 'shared'",
                "GRANT SELECT ON app.orders TO public",
                "REVOKE ALL ON app.orders FROM postgres",
                "GRANT SELECT (amount) ON app.orders TO public",
                "REVOKE EXECUTE ON FUNCTION app.add(int, int) FROM public",
                "GRANT USAGE ON SCHEMA app TO public",
                "GRANT USAGE ON SEQUENCE app.numbers TO public",
                "REVOKE USAGE ON TYPE app.state FROM public",
                "ALTER DEFAULT PRIVILEGES IN SCHEMA app REVOKE SELECT ON TABLES FROM public",
                "ALTER TABLE app.orders OWNER TO pg_monitor",
                "ALTER FUNCTION app.add(int, int) OWNER TO pg_monitor",
                "ALTER SCHEMA app OWNER TO pg_monitor",
                "ALTER TYPE app.state OWNER TO pg_monitor");
    }
}
