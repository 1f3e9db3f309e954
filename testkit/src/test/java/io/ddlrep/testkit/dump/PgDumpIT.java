package io.ddlrep.testkit.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.testkit.PgGroup;
import io.ddlrep.testkit.junit.RequiresProgram;
import io.ddlrep.testkit.server.PgBinaries;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PgDumpIT {

    @Test
    @RequiresProgram("pg_dump")
    void pg_dump_agrees_that_two_nodes_have_the_same_schema_and_leaves_ddlrep_out() throws SQLException {
        int major = Math.min(PgDump.newestMajor().orElseThrow(), PgBinaries.defaultMajor());
        try (PgGroup group = PgGroup.create("dump", 2, major)) {
            group.executeOnAll(SampleSchema.STATEMENTS.toArray(String[]::new));
            group.node(2)
                    .execute(
                            "CREATE SCHEMA ddlrep",
                            "CREATE FUNCTION ddlrep.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                            "CREATE TRIGGER \"!ddlrep\" AFTER INSERT ON app.orders EXECUTE FUNCTION ddlrep.f()",
                            "ALTER TABLE app.orders ENABLE ALWAYS TRIGGER \"!ddlrep\"");
            String schema = PgDump.schema(group.node(1));
            assertThat(schema).contains("CREATE TABLE app.orders").isEqualTo(PgDump.schema(group.node(2)));
            group.node(2).execute("ALTER TABLE app.orders ALTER note SET NOT NULL");
            assertThat(PgDump.statements(schema)).isNotEqualTo(PgDump.statements(PgDump.schema(group.node(2))));
        }
    }
}
