package io.ddlrep.engine.replication;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KeyedTablesIT {
    private static RowsGroup group;

    @BeforeAll
    static void create() throws SQLException {
        group = RowsGroup.create("keyed", 2);
        group.replicate("CREATE TABLE t (id int PRIMARY KEY, g int, v text)", "t");
        group.write("INSERT INTO t SELECT g, g, 'v' || g FROM generate_series(1, 1000) g");
    }

    @AfterAll
    static void close() {
        group.close();
    }

    @Test
    void many_rows_inserted_updated_and_deleted_by_one_statement_each() throws SQLException {
        group.assertSame("t");
        group.write("UPDATE t SET v = v || 'u' WHERE id <= 300", "DELETE FROM t WHERE id > 900");
        group.assertSame("t");
    }
}
