package io.ddlrep.parser.internal.expression;

import io.ddlrep.parser.TokenType;
import io.ddlrep.parser.internal.Cursor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads expressions that need no grammar: literals, names and calls of such, with casts, and with operators, AND, OR, NOT and
 * IS NULL between them, such as {@code nextval('s'::regclass)} or {@code net >= 0 AND code <> ''}. What binds tighter does not
 * matter to what is called. Most defaults and checks are of this kind, and reading them here takes a hundredth of what
 * JSqlParser's tree costs. Gives up on anything else. One thread at a time, for one expression.
 */
public final class PlainExpression {
    private static final int MAX_DEPTH = 20;

    private final Cursor cursor;
    private final Set<String> casts = new LinkedHashSet<>();
    private int depth;

    private PlainExpression(Cursor cursor) {
        this.cursor = cursor;
    }

    /** The types that something is cast to, as {@link JSqlWalk#casts} names them; null for anything but a plain expression. */
    public static @Nullable Set<String> casts(Cursor cursor) {
        PlainExpression expression = new PlainExpression(cursor);
        return expression.operands() && cursor.done() ? expression.casts : null;
    }

    /** operand [operator operand …]. */
    private boolean operands() {
        if (++depth > MAX_DEPTH) {
            return false;
        }
        boolean understood = operand();
        while (understood && (operator() || cursor.accept("AND") || cursor.accept("OR"))) {
            understood = operand();
        }
        depth--;
        return understood;
    }

    /** [NOT or operator …] primary [::type …] [IS …]. */
    private boolean operand() {
        while (operator() || cursor.accept("NOT")) {}
        boolean understood = primary();
        while (understood && cursor.acceptText("::")) {
            understood = type();
        }
        while (understood && cursor.accept("IS")) {
            cursor.accept("NOT");
            understood = cursor.acceptAny("NULL", "TRUE", "FALSE", "UNKNOWN");
        }
        return understood;
    }

    /** Any operator; not the arrow of a named argument, which {@link CallScan#operators} does not count as one either. */
    private boolean operator() {
        if (cursor.type() != TokenType.OPERATOR || cursor.tokens().isText(cursor.index(), "=>")) {
            return false;
        }
        cursor.skip();
        return true;
    }

    private boolean primary() {
        return switch (cursor.type()) {
            case NUMBER, STRING, ESCAPE_STRING, BIT_STRING, HEX_STRING, DOLLAR_STRING -> {
                cursor.skip();
                yield true;
            }
            case SYMBOL -> cursor.accept('(') && operands() && cursor.accept(')');
            case WORD, QUOTED_IDENTIFIER -> name();
            default -> false;
        };
    }

    /** A column, a keyword that stands for a value, or a call; whatever else begins with a word leaves tokens unread. */
    private boolean name() {
        String word = cursor.atSymbol(1, '.') ? "" : cursor.word();
        cursor.parts();
        if (!cursor.atSymbol('(')) {
            return true;
        }
        return !CallScan.callsNothing(word) && arguments();
    }

    private boolean arguments() {
        cursor.skip();
        if (cursor.accept(')')) {
            return true;
        }
        do {
            if (!operands()) {
                return false;
            }
        } while (cursor.accept(','));
        return cursor.accept(')');
    }

    private boolean type() {
        List<String> parts = cursor.parts();
        if (parts.isEmpty()) {
            return false;
        }
        String name = String.join(".", parts);
        if (cursor.at("VARYING") || cursor.at("PRECISION")) {
            name += " " + cursor.identifier();
        }
        if (cursor.atSymbol('(')) {
            cursor.skipGroup();
        }
        if (cursor.accept("WITH", "TIME", "ZONE")) {
            name += " with time zone";
        } else if (cursor.accept("WITHOUT", "TIME", "ZONE")) {
            name += " without time zone";
        }
        while (cursor.atSymbol('[')) {
            cursor.skipGroup();
        }
        casts.add(name);
        return true;
    }
}
