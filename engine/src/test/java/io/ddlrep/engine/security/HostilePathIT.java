package io.ddlrep.engine.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operators, functions and types of an attacker stand in the search_path of somebody else, in front of the server's own or
 * behind them with a better match (as anybody could make them in schema public before 15): no SQL of ddlrep's calls them.
 */
class HostilePathIT {
    private static final String HOSTILE = """
            DO $do$
            DECLARE
                types text;
                operator text;
                name text;
                n int := 0;
            BEGIN
                CREATE FUNCTION mallory.note(what text) RETURNS void LANGUAGE plpgsql AS $$
                BEGIN
                    IF current_user OPERATOR(pg_catalog.<>) 'mallory' THEN
                        INSERT INTO spy.log VALUES (session_user, current_user, 'hijacked ' OPERATOR(pg_catalog.||) what, current_query());
                    END IF;
                END $$;
                FOREACH types IN ARRAY ARRAY['text,text', 'name,text', 'name,name', 'text,varchar', 'varchar,varchar', 'oid,oid',
                        'oid,regclass', 'oid,int8', '"char",text', '"char","char"', 'int4,int4', 'int8,int8', 'int8,int4', 'int4,int8',
                        'text[],text[]', 'name,varchar', 'xid8,xid8', 'bool,bool', 'uuid,uuid', 'text,name', 'int2,int2', 'int2,int4'] LOOP
                    FOREACH operator IN ARRAY ARRAY['=', '<>', '||', '~', '!~', '<', '>', '>=', '<=', '+', '-', '&', '*'] LOOP
                        n := n + 1;
                        EXECUTE format('CREATE FUNCTION mallory.op%s(a pg_catalog.%s, b pg_catalog.%s) RETURNS pg_catalog.%s LANGUAGE plpgsql AS'
                            ' $f$ BEGIN PERFORM mallory.note(%L); RETURN NULL; END $f$', n, split_part(types, ',', 1), split_part(types, ',', 2),
                            CASE operator WHEN '||' THEN 'text' WHEN '+' THEN 'int8' WHEN '-' THEN 'int8' WHEN '&' THEN 'int8'
                                WHEN '*' THEN 'int8' ELSE 'bool' END, operator || ' ' || types);
                        EXECUTE format('CREATE OPERATOR mallory.%s (LEFTARG = pg_catalog.%s, RIGHTARG = pg_catalog.%s, FUNCTION = mallory.op%s)',
                            operator, split_part(types, ',', 1), split_part(types, ',', 2), n);
                    END LOOP;
                END LOOP;
                FOREACH name IN ARRAY ARRAY['quote_ident(a text)', 'quote_ident(a name)', 'quote_ident(a varchar)', 'to_regclass(a text)',
                        'to_regclass(a varchar)', 'current_setting(a text)', 'format(a text)', 'format(a text, b text)',
                        'set_config(a text, b text, c bool)', 'split_part(a text, b text, c int4)', 'nextval(a regclass)', 'count(a int4)',
                        'pg_backend_pid()', 'pg_current_xact_id()', 'now()', 'clock_timestamp()', 'concat_ws(a text, b text)', 'md5(a text)', 'unnest(a text[])', 'array_to_string(a name[], b text)', 'current_schemas(a bool)'] LOOP
                    EXECUTE format('CREATE FUNCTION mallory.%s RETURNS text LANGUAGE plpgsql AS'
                        ' $f$ BEGIN PERFORM mallory.note(%L); RETURN NULL; END $f$', name, name);
                END LOOP;
                GRANT USAGE ON SCHEMA mallory TO PUBLIC;
            END
            $do$""";

    /** Types come last: before them the block above would use them. */
    private static final String TYPES = """
            DO $do$
            DECLARE
                name text;
            BEGIN
                FOREACH name IN ARRAY ARRAY['text', 'oid', 'regclass', '"char"', 'xid8', 'int8', 'name', 'uuid'] LOOP
                    EXECUTE format('CREATE FUNCTION mallory.checked(a pg_catalog.%s) RETURNS pg_catalog.bool LANGUAGE plpgsql AS'
                        ' $f$ BEGIN PERFORM mallory.note(%L); RETURN true; END $f$', name, 'type ' || name);
                    EXECUTE format('CREATE DOMAIN mallory.%s AS pg_catalog.%s CHECK (mallory.checked(VALUE))', name, name);
                END LOOP;
            END
            $do$""";

    /** Also while the group is made, by a superuser who did not choose another path. */
    private static final String DEFAULT = "DO $do$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path ="
            + " pg_catalog, mallory', current_database()); END $do$";

    private final AttackedGroup group;

    HostilePathIT() throws SQLException {
        this.group = AttackedGroup.create("path", "SET ROLE mallory", HOSTILE, TYPES, "RESET ROLE", DEFAULT);
    }

    @AfterEach
    void close() throws Exception {
        group.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mallory, pg_catalog", "pg_catalog, mallory", "mallory"})
    void operations_of_a_superuser_call_nothing_of_it(String path) throws SQLException {
        Client superuser = group.client();
        superuser.run("SET search_path = " + path);
        superuser.run(
                "BEGIN; INSERT INTO alice.diary VALUES (1, 'dear diary'); INSERT INTO alice.parent VALUES (1, 1);"
                        + "ALTER TABLE alice.parent ADD COLUMN c pg_catalog.text DEFAULT 'x'; SAVEPOINT s;"
                        + "CREATE TABLE alice.kid (id serial PRIMARY KEY, p int REFERENCES alice.parent); UPDATE alice.parent SET v = 2; COMMIT");
        superuser.run("CREATE INDEX i ON alice.parent (v)");
        superuser.run(
                "CREATE SEQUENCE alice.s; CREATE TYPE alice.e AS ENUM ('a');"
                        + "ALTER TABLE alice.kid ADD COLUMN e alice.e DEFAULT 'a', ADD COLUMN r float DEFAULT pg_catalog.random()");
        superuser.run("GRANT SELECT ON alice.kid TO mallory; REINDEX TABLE alice.kid");
        superuser.run("SET ddlrep.maintenance = 'all'");
        superuser.run("VACUUM alice.kid");
        superuser.run("INSERT INTO alice.kid (p) VALUES (1); ALTER TABLE alice.kid ALTER COLUMN p TYPE bigint;"
                + "UPDATE alice.kid SET id = 7; DELETE FROM alice.kid; TRUNCATE alice.kid; DROP TABLE alice.kid");
        superuser.refused("ALTER TABLE alice.parent ADD COLUMN c int");
        superuser.run("BEGIN ISOLATION LEVEL REPEATABLE READ; ALTER TABLE alice.parent ADD COLUMN d int; COMMIT");
        group.assertRows("SELECT id, v, c FROM alice.parent", "1|2|x");
        group.assertUnharmed();
    }

    @Test
    void the_attack_works_where_sql_is_not_qualified() throws SQLException {
        PgNode node = group.origin();
        group.nodes().executeOnAll("TRUNCATE spy.log");
        node.execute("SET search_path = mallory, pg_catalog", "SELECT 'a'::pg_catalog.text = 'b'::pg_catalog.text");
        assertThat(node.queryRows("SELECT runs_as FROM spy.log")).containsExactly(node.superuser());
    }
}
