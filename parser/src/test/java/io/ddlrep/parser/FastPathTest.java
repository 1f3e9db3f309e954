package io.ddlrep.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.ddlrep.parser.FastPath.Verdict;
import java.lang.management.ManagementFactory;
import java.nio.CharBuffer;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FastPathTest {
    private static final EnumSet<StatementKind> NEVER_PASS =
            EnumSet.of(StatementKind.DDL, StatementKind.TRANSACTION_CONTROL, StatementKind.OPAQUE);

    /** PASS and TRANSACTION are promises; both ways of reading strings must keep them. */
    static void check(String sql) {
        Verdict verdict = FastPath.look(sql);
        assertThat(FastPath.look(CharBuffer.wrap(sql))).isEqualTo(verdict);
        if (verdict == Verdict.LOOK) {
            return;
        }
        for (boolean standard : new boolean[] {true, false}) {
            List<Statement> statements = SqlParser.parse(sql, new ParserOptions(standard));
            assertThat(statements).as(sql).hasSizeLessThanOrEqualTo(1);
            for (Statement statement : statements) {
                if (verdict == Verdict.PASS) {
                    assertThat(NEVER_PASS).as(sql).doesNotContain(statement.kind());
                } else {
                    assertThat(statement.kind()).as(sql).isEqualTo(StatementKind.TRANSACTION_CONTROL);
                }
            }
        }
    }

    @Test
    void agrees_with_the_parser_on_random_text() {
        Seeded.run(50_000, random -> check(Samples.fragments(random)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " -- nothing\n",
                "select 1",
                "SELECT abalance FROM pgbench_accounts WHERE aid = $1;",
                "/* trace */ select * from t where a = ?",
                "(select 1) union (select 2)",
                "insert into t select 1 ; ",
                "with x as (insert into t values (1) returning a) select * from x",
                "WITH x AS (SELECT 1) UPDATE t SET a = 1",
                "select intonation, into_x, xinto from t",
                "values (1)",
                "copy t from stdin",
                "checkpoint",
                "merge into t using s on true when matched then delete"
            })
    void passes_what_cannot_change_a_schema(String sql) {
        assertThat(FastPath.look(sql)).isEqualTo(Verdict.PASS);
        check(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "begin",
                "Commit;",
                "/* x */ rollback to sp",
                "savepoint a",
                "release a",
                "END",
                "start transaction"
            })
    void knows_transaction_control(String sql) {
        assertThat(FastPath.look(sql)).isEqualTo(Verdict.TRANSACTION);
        check(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table t ()",
                "select 1; drop table t",
                "select ';--'; drop table t",
                "select 1 into t",
                "select 1into t",
                "select begin $into t",
                "select(1)into t",
                "select insert into t from x",
                "with x as (select 1) select insert into t from x",
                "with x as (select 1) select (1) insert into t from x",
                "select 1 as a\tINTO\nt",
                "select a into",
                "do $$ $$",
                "call p()",
                "{call p()}",
                "{? = call f()}",
                "execute p",
                "explain analyze select 1",
                "prepare transaction 'x'",
                "set transaction read only",
                "/* open",
                ";",
                "(begin)",
                "start",
                "start !and",
                "start /* */ transaction",
                "truncate t",
                "\u017Felect 1",
                "commit; select 1"
            })
    void wants_a_closer_look_at_everything_else(String sql) {
        assertThat(FastPath.look(sql)).isEqualTo(Verdict.LOOK);
    }

    @Test
    void allocates_nothing() {
        List<String> texts = List.of(
                "SELECT abalance FROM pgbench_accounts WHERE aid = 4711;",
                "UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = 4711;",
                "/* c */ WITH x AS (INSERT INTO t VALUES (1) RETURNING a) SELECT * FROM x",
                "COMMIT",
                "ALTER TABLE t ADD COLUMN a int");
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        int looks = 0;
        long before = 0;
        for (int round = 0; round < 20_000; round++) {
            if (round == 10_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            for (int i = 0; i < texts.size(); i++) {
                looks += FastPath.look(texts.get(i)) == Verdict.LOOK ? 1 : 0;
            }
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(looks).isEqualTo(20_000);
        assertThat(allocated).as("bytes for 50,000 looks").isLessThan(5_000);
    }
}
