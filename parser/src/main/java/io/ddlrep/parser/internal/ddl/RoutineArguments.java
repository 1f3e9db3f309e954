package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.Expression.Place;
import io.ddlrep.parser.SqlCommand;
import io.ddlrep.parser.internal.Cursor;
import io.ddlrep.parser.internal.TokenList;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the arguments of a routine, an aggregate or an operator, and the two types of a cast (func_arg, aggr_arg and
 * oper_argtypes in gram.y). Stateless.
 */
public final class RoutineArguments {
    private RoutineArguments() {}

    /**
     * The types that tell routines of one name apart, as written.
     *
     * @param signature with its parentheses
     * @param withOut whether OUT arguments count, as they do for procedures
     */
    public static List<String> types(String signature, boolean withOut) {
        TokenList tokens = TokenList.of(signature, true);
        Cursor cursor = new Cursor(tokens, 0, tokens.size());
        return read(cursor.over(1, cursor.closing()), new Findings(tokens, SqlCommand.CREATE_FUNCTION), withOut);
    }

    /** Reads a list of arguments without its parentheses: notes their types and defaults. */
    static void read(Cursor list, Findings findings) {
        read(list, findings, true);
    }

    private static List<String> read(Cursor list, Findings findings, boolean withOut) {
        List<String> types = new ArrayList<>();
        // an ordered-set aggregate whose last direct argument is variadic names it twice (makeOrderedSetArgs in gram.y)
        boolean counts = true;
        boolean variadic = false;
        while (!list.done()) {
            if (list.acceptText("*")) {
                continue;
            }
            if (list.accept("ORDER", "BY")) {
                counts = !variadic;
                continue;
            }
            int start = list.index();
            boolean out = mode(list);
            if (!startsType(list)) {
                list.identifier();
                out |= mode(list);
            }
            int from = list.index();
            variadic = list.over(start, from).skipToWord("VARIADIC");
            Types.read(list, findings);
            if (counts && (withOut || !out)) {
                types.add(list.text(from, list.index()));
            }
            if (list.accept("DEFAULT") || list.acceptText("=")) {
                int value = list.index();
                list.skipTo(',');
                findings.expression(Place.ARGUMENT_DEFAULT, "", value, list.index());
            }
            if (!list.accept(',') && !list.accept("AS") && !list.at("ORDER")) {
                list.skipTo(',');
                list.accept(',');
            }
        }
        return List.copyOf(types);
    }

    /** Passes over the mode, which may stand before or behind the name; true for OUT alone. */
    private static boolean mode(Cursor list) {
        if (list.accept("OUT")) {
            return true;
        }
        if (list.accept("IN")) {
            list.accept("OUT");
        } else {
            list.acceptAny("INOUT", "VARIADIC");
        }
        return false;
    }

    /** Whether a type stands here, and nothing behind it but the end of the argument: else it is the argument's name. */
    private static boolean startsType(Cursor list) {
        Cursor probe = list.over(list.index(), list.limit());
        Types.read(probe);
        if (probe.acceptText("%")) {
            probe.accept("TYPE");
        }
        return probe.done()
                || probe.atSymbol(',')
                || probe.at("DEFAULT")
                || probe.at("ORDER")
                || probe.at("AS")
                || probe.acceptText("=");
    }
}
