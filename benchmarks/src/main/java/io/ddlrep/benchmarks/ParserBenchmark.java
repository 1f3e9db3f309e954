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

/** What the driver's look at a text costs: for pgbench's statements, and for DDL that is analysed. JMH makes one per thread. */
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
    // Both go to JSqlParser: what it costs once warm.
    private String expression =
            "ALTER TABLE orders ADD CHECK (net BETWEEN 0 AND 1e9 AND state IN ('new', 'paid') AND extract(year FROM at) > 2000)";
    private String using = "ALTER TABLE orders ALTER COLUMN total TYPE numeric(12, 2)"
            + " USING CASE WHEN total LIKE '%,%' THEN replace(total, ',', '.')::numeric ELSE total::numeric END";
    private String table = """
            CREATE TABLE IF NOT EXISTS shop.orders (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                customer_id bigint NOT NULL REFERENCES shop.customers (id) ON DELETE CASCADE,
                number text NOT NULL DEFAULT 'N-' || nextval('shop.order_number'),
                placed_at timestamptz NOT NULL DEFAULT now(),
                shipped_at timestamptz CHECK (shipped_at > placed_at),
                currency char(3) NOT NULL DEFAULT 'EUR' CHECK (currency ~ '^[A-Z]{3}$'),
                net numeric(12, 2) NOT NULL CHECK (net >= 0),
                tax numeric(12, 2) NOT NULL CHECK (tax >= 0),
                gross numeric(12, 2) GENERATED ALWAYS AS (net + tax) STORED,
                tags text[] NOT NULL DEFAULT '{}',
                details jsonb NOT NULL DEFAULT '{}'::jsonb,
                token uuid NOT NULL DEFAULT gen_random_uuid(),
                UNIQUE (customer_id, number),
                EXCLUDE USING gist (customer_id WITH =, tstzrange(placed_at, shipped_at) WITH &&)
            ) WITH (fillfactor = 90) TABLESPACE fast""";
    private String view = """
            CREATE MATERIALIZED VIEW shop.turnover AS
            WITH paid AS (SELECT o.*, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) AS place FROM shop.orders o)
            SELECT c.id, c.name, count(*) FILTER (WHERE p.place <= 10) AS latest, coalesce(sum(p.gross), 0)::numeric(14, 2) AS gross
            FROM shop.customers c LEFT JOIN paid p ON p.customer_id = c.id AND p.placed_at >= date_trunc('year', current_date)
            GROUP BY c.id, c.name HAVING count(*) > 0
            WITH NO DATA""";
    private String function = """
            CREATE OR REPLACE FUNCTION shop.close_order(order_id bigint) RETURNS void LANGUAGE plpgsql AS $body$
            DECLARE
                o shop.orders%ROWTYPE;
            BEGIN
                SELECT * INTO STRICT o FROM shop.orders WHERE id = order_id FOR UPDATE;
                IF o.shipped_at IS NOT NULL THEN
                    RAISE EXCEPTION 'order % is closed', order_id USING ERRCODE = 'unique_violation';
                END IF;
                UPDATE shop.orders SET shipped_at = clock_timestamp() WHERE id = order_id;
                INSERT INTO shop.log (order_id, what) VALUES (order_id, 'closed');
            END
            $body$""";

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

    @Benchmark
    public List<Statement> parseExpression() {
        return SqlParser.parse(expression, ParserOptions.DEFAULT);
    }

    @Benchmark
    public List<Statement> parseUsing() {
        return SqlParser.parse(using, ParserOptions.DEFAULT);
    }

    @Benchmark
    public List<Statement> parseTable() {
        return SqlParser.parse(table, ParserOptions.DEFAULT);
    }

    @Benchmark
    public List<Statement> parseView() {
        return SqlParser.parse(view, ParserOptions.DEFAULT);
    }

    @Benchmark
    public List<Statement> parseFunction() {
        return SqlParser.parse(function, ParserOptions.DEFAULT);
    }
}
