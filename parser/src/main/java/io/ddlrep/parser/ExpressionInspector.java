package io.ddlrep.parser;

import io.ddlrep.parser.internal.Cursor;
import io.ddlrep.parser.internal.TokenList;
import io.ddlrep.parser.internal.expression.CallScan;
import io.ddlrep.parser.internal.expression.JSqlWalk;
import io.ddlrep.parser.internal.expression.PlainExpression;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Names what an expression calls. A scan of the tokens finds functions and operators, rather too many than too few. For
 * literals, names and calls with operators between them that is exact. Of anything else JSqlParser reads the tree, which adds the casts and tells
 * whether the scan is right: only where both find the same functions is the answer exact, else the functions are the
 * union of both. Stateless and thread-safe.
 */
public final class ExpressionInspector {
    private ExpressionInspector() {}

    /**
     * What an expression calls. Immutable.
     *
     * @param functions names of functions, folded, with their schema where the text has one; SQL value functions by
     *     their keyword in lower case
     * @param operators operators as written; keywords that stand for one, such as LIKE and IN, in upper case
     * @param casts types that something is cast to, folded, without modifiers; empty where the tree was not read
     * @param exact whether the tree was read and has the same functions: then the lists are all there is
     */
    public record Calls(List<String> functions, List<String> operators, List<String> casts, boolean exact) {}

    /** Inspects the text of an expression, as {@link Expression#text} has it, where strings are standard. */
    public static Calls inspect(String expression) {
        return inspect(expression, ParserOptions.DEFAULT);
    }

    /**
     * Inspects the text of an expression.
     *
     * @param expression the text, as {@link Expression#text} has it
     * @param options how strings are read in it
     */
    public static Calls inspect(String expression, ParserOptions options) {
        boolean standard = options.standardConformingStrings();
        TokenList tokens = TokenList.of(expression, standard);
        Set<String> scanned = CallScan.functions(tokens);
        List<String> operators = List.copyOf(CallScan.operators(tokens));
        Set<String> casts = PlainExpression.casts(new Cursor(tokens, 0, tokens.size()));
        if (casts != null) {
            return new Calls(List.copyOf(scanned), operators, List.copyOf(casts), true);
        }
        boolean sameStrings = standard || expression.indexOf('\\') < 0;
        JSqlWalk tree = sameStrings ? JSqlWalk.of(expression) : null;
        if (tree == null) {
            return new Calls(List.copyOf(scanned), operators, List.of(), false);
        }
        Set<String> functions = new LinkedHashSet<>(scanned);
        functions.addAll(tree.functions());
        boolean exact = tree.functions().equals(scanned);
        return new Calls(List.copyOf(functions), operators, List.copyOf(tree.casts()), exact);
    }
}
