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

/** What the first text costs a process, classes loaded and nothing compiled yet. JMH makes one in a process of its own. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class ParserStartUp {
    /** Made by JMH. */
    public ParserStartUp() {}

    @Benchmark
    public FastPath.Verdict firstLook() {
        return FastPath.look("SELECT abalance FROM pgbench_accounts WHERE aid = 4711;");
    }

    @Benchmark
    public List<Statement> firstDdl() {
        return SqlParser.parse("ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT now()", ParserOptions.DEFAULT);
    }

    /** Only such a one loads JSqlParser: with keywords in it, not operators and calls alone. */
    @Benchmark
    public List<Statement> firstExpression() {
        return SqlParser.parse(
                "ALTER TABLE orders ADD COLUMN note text DEFAULT upper(md5(random()::text)) || now() AT TIME ZONE 'UTC'",
                ParserOptions.DEFAULT);
    }
}
