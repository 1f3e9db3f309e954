package io.ddlrep.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Values of every kind of type, between nodes whose types have other oids and whose columns stand in another order. */
class TypesIT {
    private static final String BUILT_IN =
            "id int, i2 smallint, i8 bigint, n numeric, n2 numeric(10,3), f4 real, f8 float8,"
                    + " m money, t text, vc varchar(20), c char(10), nm name, ch \"char\", b boolean, by bytea, u uuid,"
                    + " d date, tm time, tmz timetz, ts timestamp, tsz timestamptz, iv interval, bi bit(5), vb varbit,"
                    + " ine inet, ci cidr, ma mac"
                    + "addr, ma8 macaddr8, js json, jb jsonb, jp jsonpath, x xml, tv tsvector,"
                    + " tq tsquery, pt point, ln line, ls lseg, bx box, pa path, pl polygon, cr circle, ia int[], ta text[],"
                    + " na numeric[], tsa timestamptz[], ir int4range, tr tstzrange, nr numrange, imr int4multirange, ra int4range[],"
                    + " lsn pg_lsn, o oid, rc regclass, rt regtype, rp regprocedure, rta regtype[], sn pg_snapshot, td tid, xd xid8";

    private static RowsGroup group;

    @BeforeAll
    static void create() throws SQLException {
        group = RowsGroup.create("types", 2);
        PgNode replica = group.replicas().get(0);
        // Other oids on the replica.
        replica.execute("CREATE TYPE spare AS ENUM ('x'); CREATE TABLE spare_t (s spare)");
        String types = "CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s, \"odd\"');"
                + "CREATE TYPE pair AS (m mood, at timestamptz, n int);"
                + "CREATE DOMAIN pos AS int CHECK (VALUE > 0); CREATE DOMAIN deep AS pos NOT NULL DEFAULT 1;"
                + "CREATE DOMAIN moody AS mood; CREATE TYPE moodrange AS RANGE (subtype = mood)";
        group.nodes().executeOnAll(types);
        group.replicate(
                "CREATE TABLE plain (" + BUILT_IN + ", PRIMARY KEY (id)); CREATE TABLE bag (" + BUILT_IN + ")",
                "plain",
                "bag");
        group.nodes().executeOnAll("CREATE TABLE big (id int PRIMARY KEY, t text, b bytea)");
        group.origin()
                .execute(
                        "CREATE TABLE own (k mood, id deep, m mood, ma mood[], p pair, pa pair[], d pos, da pos[], mo moody, mr moodrange, PRIMARY KEY (k, id))");
        // The columns in another order, and with a dropped one between.
        replica.execute(
                "CREATE TABLE own (mr moodrange, mo moody, gone int, da pos[], d pos, pa pair[], p pair, ma mood[], m mood, id deep, k mood, PRIMARY KEY (k, id));"
                        + "ALTER TABLE own DROP COLUMN gone");
        group.replicate("", "own", "big");
    }

    @AfterAll
    static void close() {
        group.close();
    }

    private static void fill(String table) throws SQLException {
        group.write(
                "INSERT INTO " + table + " (id) VALUES (1)",
                "INSERT INTO " + table
                        + " VALUES (2, -32768, 9223372036854775807, 'NaN', 1234567.891, 'Infinity', '-Infinity',"
                        + " 12.34, 'täxt \\ '' \" %', 'vc', 'c', 'name', 'x', true, '\\x00ff27', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',"
                        + " 'infinity', '24:00', '12:00+05:30', '-infinity', '4713-01-01 BC', '-1 year 2 days 03:04:05.678901', B'10101', B'1',"
                        + " '::1/64', '10.0.0.0/8', '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05', '{\"a\": 1, \"a\": 2}', '{\"b\": [1.0, null]}', '$.a[*]',"
                        + " '<a>&amp;</a>', 'a:1A fat:2B', 'fat & !rat', '(1,2)', '{1,2,3}', '[(0,0),(1,1)]', '((0,0),(1,1))', '[(0,0),(1,1)]', '((0,0),(1,1),(2,0))', '<(0,0),1>',"
                        + " '{{1,NULL},{3,4}}', ARRAY['a,b', NULL, '\"'], '{NaN,1.10}', '{infinity}', '[1,10)', '[2020-01-01,)', 'empty', '{[1,3),[5,7)}', ARRAY['[1,2)'::int4range],"
                        + " '16/B374D848', 4294967295, 'pg_class', 'int4', 'lower(text)', '{int4,text}', '10:20:10,14', '(1,2)', '18446744073709551615')",
                "INSERT INTO " + table
                        + " (id, n, f8, d, n2) VALUES (3, 1.10, 1e-300, '0001-01-01 BC', -0.001), (4, 1e500, '-0', '5874897-12-31', 0)",
                "UPDATE " + table + " SET t = t || 'u', jb = jb || '{\"c\": 3}' WHERE id = 2");
    }

    @Test
    void built_in_types_of_a_table_with_a_key() throws SQLException {
        fill("plain");
        group.assertSame("plain");
        group.write("UPDATE plain SET n = NULL, t = NULL WHERE id = 3", "DELETE FROM plain WHERE id = 4");
        group.assertSame("plain");
    }

    @Test
    void built_in_types_of_a_table_without_a_key() throws SQLException {
        fill("bag");
        group.assertSame("bag");
        group.write("UPDATE bag SET i2 = 5", "DELETE FROM bag WHERE id IN (1, 2)");
        group.assertSame("bag");
    }

    @Test
    void types_of_users_and_columns_in_another_order() throws SQLException {
        group.write("SET timezone = 'Asia/Tokyo'; SET datestyle = 'ISO, DMY'; SET intervalstyle = 'iso_8601';"
                + "INSERT INTO own VALUES ('it''s, \"odd\"', 1, 'ok', '{sad,NULL}', ('sad', '2020-01-01 00:00+00', 5),"
                + " ARRAY[('ok', NULL, NULL)::pair, NULL], 7, '{1,2}', 'sad', '[sad,ok]'), ('sad', 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
                + " ('ok', 3, NULL, NULL, (NULL, NULL, NULL), '{}', NULL, '{}', NULL, 'empty')");
        group.assertSame("own");
        group.write(
                "UPDATE own SET k = 'ok', p.n = 6 WHERE id = 1",
                "UPDATE own SET m = 'ok' WHERE id = 2",
                "DELETE FROM own WHERE id = 3");
        group.assertSame("own");
        // Nothing of ours holds on to the types.
        group.write(
                "ALTER DOMAIN deep ADD CHECK (VALUE > -1)",
                "ALTER TYPE mood ADD VALUE 'new'",
                "ALTER TYPE pair ADD ATTRIBUTE extra int CASCADE");
        group.replicas()
                .get(0)
                .execute(
                        "ALTER DOMAIN deep ADD CHECK (VALUE > -1)",
                        "ALTER TYPE mood ADD VALUE 'new'",
                        "ALTER TYPE pair ADD ATTRIBUTE extra int CASCADE");
        group.write("UPDATE own SET m = 'new', p.extra = 1");
        group.assertSame("own");
    }

    @Test
    void a_cast_that_a_user_made_is_never_called() throws SQLException {
        group.nodes()
                .executeOnAll(
                        "CREATE FUNCTION trap(text) RETURNS mood LANGUAGE sql AS $$ SELECT 1/0; SELECT 'ok'::mood $$;"
                                + "CREATE CAST (text AS mood) WITH FUNCTION trap(text) AS ASSIGNMENT;"
                                + "CREATE FUNCTION trap2(mood) RETURNS text LANGUAGE sql AS $$ SELECT 1/0; SELECT 'ok' $$;"
                                + "CREATE CAST (mood AS text) WITH FUNCTION trap2(mood) AS ASSIGNMENT");
        try {
            group.write(
                    "INSERT INTO own VALUES ('ok', 77, 'ok')",
                    "DELETE FROM own WHERE id = 77",
                    "INSERT INTO own VALUES ('sad', 78, 'sad')");
            group.synchronize();
            assertThat(group.replicas().get(0).queryText("SELECT m FROM own WHERE id = 78"))
                    .isEqualTo("sad");
        } finally {
            group.nodes().executeOnAll("DROP CAST (text AS mood); DROP CAST (mood AS text)");
        }
    }

    @Test
    void large_values() throws SQLException {
        group.write(
                "INSERT INTO big SELECT 1, string_agg(md5(g::text), ''), decode(string_agg(md5(g::text), ''), 'hex') FROM generate_series(1, 40000) g",
                "INSERT INTO big VALUES (2, repeat('x', 3000000), NULL)");
        group.assertSame("big");
        group.write("UPDATE big SET id = id + 10");
        group.assertSame("big");
    }
}
