package io.ddlrep.parser;

import java.util.List;
import java.util.TreeSet;

/** Prints statements for golden files: one block each, only what is not the usual case. */
final class StatementPrinter {
    private StatementPrinter() {}

    /** Prints; offsets only on demand, since they change with every line that is added. */
    static String print(List<Statement> statements, boolean offsets) {
        StringBuilder out = new StringBuilder();
        for (Statement statement : statements) {
            print(statement, offsets, out);
        }
        return out.toString();
    }

    private static void print(Statement statement, boolean offsets, StringBuilder out) {
        out.append("-- ").append(firstLine(statement.text())).append('\n');
        out.append(statement.kind()).append(" | ").append(statement.tag());
        SourceSpan span = statement.span();
        if (offsets) {
            out.append(" | ").append(span.start()).append("..").append(span.end());
            out.append(" bytes ").append(span.byteStart()).append("..").append(span.byteEnd());
        }
        if (statement instanceof Statement.Ddl ddl) {
            ddl(ddl, out);
        } else if (statement instanceof Statement.TransactionControl control) {
            out.append(" | ").append(control.verb());
            out.append(control.savepoint() == null ? "" : " " + control.savepoint());
            out.append(control.chain() ? " CHAIN\n" : "\n");
        } else if (statement instanceof Statement.Other other) {
            out.append(other.transactability() == Transactability.REFUSED ? " | not in a block\n" : "\n");
        }
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        String line = end < 0 ? text : text.substring(0, end);
        return line.length() > 100 ? line.substring(0, 100) + "…" : line;
    }

    private static void ddl(Statement.Ddl ddl, StringBuilder out) {
        out.append(ddl.transactability() == Transactability.REFUSED ? " | not in a block" : "");
        out.append(ddl.complete() ? "" : " | incomplete");
        out.append(ddl.facts().isEmpty() ? "" : " | " + new TreeSet<>(ddl.facts()));
        out.append('\n');
        for (ObjectRef ref : ddl.objects()) {
            out.append("  ").append(ref.role()).append(' ').append(ref.kind());
            out.append(' ').append(ref.name().quoted());
            out.append(ref.owner() == null ? "" : " of " + ref.owner().quoted());
            out.append(ref.signature() == null ? "" : " " + ref.signature());
            out.append('\n');
        }
        for (Expression expression : ddl.expressions()) {
            out.append("  ").append(expression.place()).append(' ').append(expression.column());
            out.append(" = ").append(expression.text()).append(" calls ").append(expression.functions());
            out.append('\n');
        }
    }
}
