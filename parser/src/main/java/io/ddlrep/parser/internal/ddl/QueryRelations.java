package io.ddlrep.parser.internal.ddl;

import io.ddlrep.parser.ObjectKind;
import io.ddlrep.parser.ObjectName;
import io.ddlrep.parser.ObjectRole;
import io.ddlrep.parser.internal.Cursor;
import io.ddlrep.parser.internal.TokenList;
import java.util.Set;

/**
 * Finds the relations that a query names, without a grammar of queries: the names behind FROM, JOIN, INTO, UPDATE,
 * USING, TABLE and the commas of a FROM list. Finds too much (names of WITH queries), never too little. One thread at a
 * time, for one query.
 */
final class QueryRelations {
    private static final Set<String> END_FROM = Set.of(
            "WHERE",
            "GROUP",
            "HAVING",
            "WINDOW",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "FOR",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "RETURNING",
            "SELECT",
            "SET",
            "VALUES");

    /** Calls whose arguments are separated by FROM. */
    private static final Set<String> FROM_IN_CALL = Set.of("EXTRACT", "SUBSTRING", "TRIM", "OVERLAY", "POSITION");

    /** The server's own stack ends long before; deeper than this, names are given up honestly. */
    private static final int MAX_DEPTH = 200;

    private final Cursor cursor;
    private final Findings findings;
    private int depth;

    QueryRelations(Cursor cursor, Findings findings) {
        this.cursor = cursor;
        this.findings = findings;
    }

    /** Whether a name stands here, not a clause of a query. */
    static boolean isName(Cursor at) {
        return at.atName() && !at.at("FROM") && !END_FROM.contains(at.word());
    }

    /** Reads all that the cursor sees. */
    void read() {
        level(cursor, false);
    }

    private void level(Cursor at, boolean inFrom) {
        boolean fromList = inFrom;
        boolean expected = inFrom;
        while (!at.done()) {
            if (expected && (at.accept("ONLY") || at.accept("LATERAL"))) {
                continue;
            }
            if (expected && at.accept("ROWS", "FROM")) {
                expected = false;
                continue;
            }
            if (at.atSymbol('(')) {
                group(at, expected);
                expected = false;
            } else if (expected && at.atName() && !startsQuery(at)) {
                relation(at);
                expected = false;
            } else {
                String word = at.word();
                expected = namesRelation(at, word) || (fromList && at.atSymbol(','));
                fromList = word.equals("FROM") ? expected || fromList : fromList && !END_FROM.contains(word);
                at.skip();
            }
        }
    }

    private void group(Cursor at, boolean expected) {
        if (depth == MAX_DEPTH) {
            findings.missed();
            at.skipAll();
            return;
        }
        depth++;
        int close = at.closing();
        boolean call = FROM_IN_CALL.contains(at.tokens().word(at.index() - 1));
        Cursor inside = at.over(at.index() + 1, close);
        boolean query = startsQuery(inside);
        if (!call || query) {
            level(inside, expected && !query);
        } else {
            callArguments(inside);
        }
        at.moveTo(Math.min(close + 1, at.limit()));
        depth--;
    }

    private void callArguments(Cursor inside) {
        while (!inside.done()) {
            if (inside.atSymbol('(')) {
                group(inside, false);
            } else {
                inside.skip();
            }
        }
    }

    private void relation(Cursor at) {
        int from = at.index();
        boolean target = at.tokens().isWord(from - 1, "INTO");
        ObjectName name = at.name();
        if (at.index() == from) {
            at.skip();
        } else if (target || !at.atSymbol('(')) {
            findings.add(ObjectKind.TABLE, name, ObjectRole.REFERENCED);
        }
    }

    private static boolean startsQuery(Cursor at) {
        return at.at("SELECT") || at.at("WITH") || at.at("VALUES") || at.at("TABLE");
    }

    /** JOIN … USING (a, b): names and commas only. */
    private static boolean isColumnList(Cursor at) {
        int i = at.index() + 1;
        if (!at.tokens().isSymbol(i, '(')) {
            return false;
        }
        Cursor inside = at.over(i, at.limit());
        inside = at.over(i + 1, inside.closing());
        while (inside.identifier() != null && inside.accept(',')) {}
        return inside.done();
    }

    private static boolean namesRelation(Cursor at, String word) {
        TokenList tokens = at.tokens();
        int before = at.index() - 1;
        return switch (word) {
            case "FROM" -> !tokens.isWord(before, "DISTINCT") || tokens.isWord(at.index() + 1, "ONLY");
            case "JOIN", "INTO" -> true;
            case "USING" -> !isColumnList(at);
            case "UPDATE" ->
                !tokens.isWord(before, "FOR") && !tokens.isWord(before, "KEY") && !tokens.isWord(before, "DO");
            case "TABLE" -> true;
            default -> false;
        };
    }
}
