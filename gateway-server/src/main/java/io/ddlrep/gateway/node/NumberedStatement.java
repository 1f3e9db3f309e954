package io.ddlrep.gateway.node;

import io.ddlrep.parser.SqlLexer;
import io.ddlrep.parser.TokenType;
import java.util.ArrayList;
import java.util.List;

/**
 * One statement of a text of the engine's, with parameters numbered from 1 without a gap, as the extended protocol wants them.
 * Immutable.
 *
 * @param sql the statement
 * @param order for each of its parameters the number that it has in the whole text, from 1
 */
record NumberedStatement(String sql, List<Integer> order) {
    /** Cuts a text at its semicolons. Bodies of functions in it must be quoted. */
    static List<NumberedStatement> of(String text) {
        List<NumberedStatement> statements = new ArrayList<>();
        SqlLexer lexer = new SqlLexer(text, 0, text.length(), true);
        StringBuilder sql = new StringBuilder();
        List<Integer> order = new ArrayList<>();
        int copied = 0;
        boolean empty = true;
        while (lexer.next() != TokenType.END) {
            if (lexer.isSymbol(';')) {
                sql.append(text, copied, lexer.start());
                copied = lexer.end();
                add(statements, sql, order, empty);
                empty = true;
                continue;
            }
            empty = false;
            if (lexer.type() == TokenType.PARAMETER) {
                int number = Integer.parseInt(text, lexer.start() + 1, lexer.end(), 10);
                if (!order.contains(number)) {
                    order.add(number);
                }
                sql.append(text, copied, lexer.start()).append('$').append(order.indexOf(number) + 1);
                copied = lexer.end();
            }
        }
        sql.append(text, copied, text.length());
        add(statements, sql, order, empty);
        return List.copyOf(statements);
    }

    private static void add(List<NumberedStatement> statements, StringBuilder sql, List<Integer> order, boolean empty) {
        if (!empty) {
            statements.add(new NumberedStatement(sql.toString(), List.copyOf(order)));
        }
        sql.setLength(0);
        order.clear();
    }
}
