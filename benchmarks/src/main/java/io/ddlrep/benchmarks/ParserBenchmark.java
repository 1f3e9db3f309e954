package io.ddlrep.benchmarks;

import io.ddlrep.parser.FastPath;
import io.ddlrep.parser.ParserOptions;
import io.ddlrep.parser.SqlParser;
import io.ddlrep.parser.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the driver's look at a text costs: for pgbench's statements, and for a DDL that is parsed. JMH makes one per thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ParserBenchmark {
    // Not final, so that nothing is folded into a constant.
    private String select = "SELECT abalance FROM pgbench_accounts WHERE aid = 4711;";
    private String update = "UPDATE pgbench_accounts SET abalance = abalance + 42 WHERE aid = 4711;";
    private String insert = "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
            + " VALUES (1, 1, 4711, 42, CURRENT_TIMESTAMP);";
    private String alter = "ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT 'none'";

    /** Made by JMH. */
    public ParserBenchmark() {}

    @Benchmark
    public FastPath.Verdict lookSelect() {
        return FastPath.look(select);
    }

    @Benchmark
    public FastPath.Verdict lookUpdate() {
        return FastPath.look(update);
    }

    @Benchmark
    public FastPath.Verdict lookInsert() {
        return FastPath.look(insert);
    }

    @Benchmark
    public List<Statement> parseAlter() {
        return SqlParser.parse(alter, ParserOptions.DEFAULT);
    }
}
