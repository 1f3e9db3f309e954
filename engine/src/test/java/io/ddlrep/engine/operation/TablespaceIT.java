package io.ddlrep.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements about everything in a tablespace, which the catalogs alone can name. */
class TablespaceIT {
    private static final String SPACE = "ddlrep_test_all";
    private static TestGroup group;

    @BeforeAll
    static void start() throws Exception {
        group = TestGroup.create("spaces");
        for (int node = 1; node <= 3; node++) {
            group.local(node, "DROP TABLESPACE IF EXISTS " + SPACE);
            group.node(node)
                    .execute("SET allow_in_place_tablespaces = on", "CREATE TABLESPACE " + SPACE + " LOCATION ''");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        group.run("DROP TABLE IF EXISTS moved");
        for (int node = 1; node <= 3; node++) {
            group.local(node, "DROP TABLESPACE " + SPACE);
        }
        group.close();
    }

    @Test
    void what_is_in_it_is_moved_on_every_node() throws Exception {
        group.run("CREATE TABLE moved (id integer PRIMARY KEY USING INDEX TABLESPACE " + SPACE + ", v text) TABLESPACE "
                + SPACE);
        group.origin().execute("INSERT INTO moved VALUES (1, 'a'), (2, 'b')");
        group.assertEqualNodes();
        assertThat(in(SPACE)).containsExactly("moved, moved_pkey");
        group.run("ALTER TABLE ALL IN TABLESPACE " + SPACE + " OWNED BY CURRENT_USER SET TABLESPACE pg_default NOWAIT");
        assertThat(in(SPACE)).containsExactly("moved_pkey");
        group.origin().execute("UPDATE moved SET v = v || '!'");
        group.assertEqualNodes();
        group.run("BEGIN; ALTER INDEX ALL IN TABLESPACE " + SPACE + " SET TABLESPACE pg_default;"
                + " UPDATE moved SET v = v || '?'; COMMIT");
        assertThat(in(SPACE)).containsExactly("");
        group.origin().execute("DELETE FROM moved WHERE id = 1");
        group.assertEqualNodes();
        // Nothing is left: a notice, as the server gives it.
        group.run("ALTER MATERIALIZED VIEW ALL IN TABLESPACE " + SPACE + " SET TABLESPACE pg_default");
    }

    /** What stands in a tablespace, on each node; once where all nodes say the same. */
    private static Set<String> in(String space) throws Exception {
        Set<String> said = new LinkedHashSet<>();
        for (int node = 1; node <= 3; node++) {
            said.add(group.node(node)
                    .queryText("SELECT coalesce(string_agg(c.relname, ', ' ORDER BY c.relname), '') FROM pg_class c"
                            + " JOIN pg_tablespace s ON s.oid = c.reltablespace"
                            + " WHERE c.relkind IN ('r', 'i') AND c.relname !~ '^pg_' AND s.spcname = '" + space
                            + "'"));
        }
        return said;
    }
}
