package io.ddlrep.parser;

import io.ddlrep.parser.internal.TokenList;
import io.ddlrep.parser.internal.expression.CallScan;
import io.ddlrep.parser.internal.expression.JSqlWalk;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Names what an expression calls. JSqlParser reads the expression's tree; a scan of the tokens checks it. Only where both
 * find the same functions is the answer exact; else it is the union of both, and operators and casts may be missing.
 * Stateless and thread-safe.
 */
public final class ExpressionInspector {
    private ExpressionInspector() {}

    /**
     * What an expression calls. Immutable.
     *
     * @param functions names of functions, folded, with their schema where the text has one; SQL value functions by
     *     their keyword in lower case
     * @param operators operators as written, keywords such as LIKE in upper case
     * @param casts types that something is cast to, folded, without modifiers
     * @param exact whether the tree was read and agrees with the tokens: then the three lists are all there is
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
        Set<String> scanned = CallScan.functions(TokenList.of(expression, standard));
        boolean sameStrings = standard || expression.indexOf('\\') < 0;
        JSqlWalk tree = sameStrings ? JSqlWalk.of(expression) : null;
        if (tree == null) {
            return new Calls(List.copyOf(scanned), List.of(), List.of(), false);
        }
        Set<String> functions = new LinkedHashSet<>(scanned);
        functions.addAll(tree.functions());
        boolean exact = tree.functions().equals(scanned);
        return new Calls(List.copyOf(functions), List.copyOf(tree.operators()), List.copyOf(tree.casts()), exact);
    }
}
