package io.ddlrep.parser.internal.expression;

import io.ddlrep.parser.Identifiers;
import io.ddlrep.parser.internal.Cursor;
import io.ddlrep.parser.internal.TokenList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.TimeKeyExpression;
import net.sf.jsqlparser.expression.TimezoneExpression;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.parser.AbstractJSqlParser.Dialect;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.Select;
import org.jspecify.annotations.Nullable;

/**
 * Walks JSqlParser's tree of an expression. JSqlParser is used for nothing else, and never to print SQL: printing changes
 * the meaning of some statements. One thread at a time.
 */
public final class JSqlWalk {
    /** Beyond these, deep look-ahead could take long for an expression that the token scan reads as well. */
    private static final int MAX_LENGTH = 4000;

    private static final int MAX_DEPTH = 10;

    private final Set<String> functions = new LinkedHashSet<>();
    private final Set<String> casts = new LinkedHashSet<>();
    private boolean subquery;

    private JSqlWalk() {}

    /** Parses and walks; null where JSqlParser does not understand the text, or where it holds a query. */
    public static @Nullable JSqlWalk of(String expression) {
        if (expression.length() > MAX_LENGTH || depth(expression) > MAX_DEPTH) {
            return null;
        }
        try {
            CCJSqlParser parser = CCJSqlParserUtil.newParser(expression)
                    .withDialect(Dialect.POSTGRESQL)
                    .withDollarQuotedStringTags(true)
                    .withAllowComplexParsing(false);
            Expression tree = parser.Expression();
            if (tree == null || parser.getToken(1).kind != CCJSqlParserConstants.EOF) {
                return null;
            }
            JSqlWalk walk = new JSqlWalk();
            tree.accept(walk.new Visitor(), null);
            return walk.subquery ? null : walk;
        } catch (ParseException | RuntimeException | StackOverflowError ignored) {
            return null; // the token scan answers
        }
    }

    private static int depth(String text) {
        int depth = 0;
        int deepest = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '(') {
                depth++;
                deepest = Math.max(deepest, depth);
            } else if (text.charAt(i) == ')') {
                depth--;
            }
        }
        return deepest;
    }

    /** The functions that are called. */
    public Set<String> functions() {
        return functions;
    }

    /** The types that something is cast to. */
    public Set<String> casts() {
        return casts;
    }

    private void called(String name) {
        String folded = folded(List.of(name.split("\\.", -1)));
        if (!CallScan.callsNothing(name)) {
            functions.add(folded);
        }
    }

    private static String folded(List<String> parts) {
        StringBuilder name = new StringBuilder();
        for (String part : parts) {
            name.append(name.isEmpty() ? "" : ".")
                    .append(part.startsWith("\"") ? Identifiers.unquote(part) : Identifiers.fold(part));
        }
        return name.toString();
    }

    /** Folds words, keeps what is quoted. */
    private static String typeName(String written) {
        TokenList tokens = TokenList.of(written, true);
        Cursor cursor = new Cursor(tokens, 0, tokens.size());
        StringBuilder name = new StringBuilder();
        while (!cursor.done()) {
            List<String> parts = cursor.parts();
            if (parts.isEmpty()) {
                cursor.skip();
            } else {
                name.append(name.isEmpty() ? "" : " ").append(String.join(".", parts));
            }
        }
        return name.toString();
    }

    /** Visits what calls something; the adapter goes on to what is inside. */
    private final class Visitor extends ExpressionVisitorAdapter<@Nullable Void> {
        @Override
        public <S> @Nullable Void visit(Function function, S context) {
            List<String> parts = function.getMultipartName();
            if (parts == null || parts.size() == 1) {
                called(function.getName());
            } else {
                functions.add(folded(parts));
            }
            return super.visit(function, context);
        }

        @Override
        public <S> @Nullable Void visit(AnalyticExpression analytic, S context) {
            called(analytic.getName());
            return super.visit(analytic, context);
        }

        @Override
        public <S> @Nullable Void visit(ExtractExpression extract, S context) {
            functions.add("extract");
            return super.visit(extract, context);
        }

        @Override
        public <S> @Nullable Void visit(TrimFunction trim, S context) {
            functions.add("trim");
            return super.visit(trim, context);
        }

        @Override
        public <S> @Nullable Void visit(TimeKeyExpression key, S context) {
            functions.add(Identifiers.fold(key.getStringValue().replace("()", "")));
            return super.visit(key, context);
        }

        @Override
        public <S> @Nullable Void visit(TimezoneExpression zone, S context) {
            functions.add("timezone");
            return super.visit(zone, context);
        }

        @Override
        public <S> @Nullable Void visit(Column column, S context) {
            if (column.getTable() == null && CallScan.isValueFunction(column.getColumnName())) {
                functions.add(Identifiers.fold(column.getColumnName()));
            }
            return super.visit(column, context);
        }

        @Override
        public <S> @Nullable Void visit(CastExpression cast, S context) {
            casts.add(typeName(cast.getColDataType().getDataType()));
            return super.visit(cast, context);
        }

        @Override
        public <S> @Nullable Void visit(DateTimeLiteralExpression literal, S context) {
            casts.add(Identifiers.fold(literal.getType().name()));
            return super.visit(literal, context);
        }

        @Override
        public <S> @Nullable Void visit(IntervalExpression interval, S context) {
            casts.add("interval");
            return super.visit(interval, context);
        }

        @Override
        public <S> @Nullable Void visit(ParenthesedSelect select, S context) {
            subquery = true;
            return null;
        }

        @Override
        public <S> @Nullable Void visit(Select select, S context) {
            subquery = true;
            return null;
        }
    }
}
