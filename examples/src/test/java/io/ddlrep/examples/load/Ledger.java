package io.ddlrep.examples.load;

import io.ddlrep.testkit.PgNode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Compares what the books say with what a node holds. Used by one thread. */
final class Ledger {
    private final List<Book> books;
    private final Shapes shapes;

    Ledger(List<Book> books, Shapes shapes) {
        this.books = books;
        this.shapes = shapes;
    }

    /** What the node has too much or lacks; empty when it is as the books say. */
    List<String> differences(PgNode node) throws SQLException {
        List<String> lines = new ArrayList<>();
        for (Entity entity : Entity.values()) {
            compare(lines, node, entity.name(), expected(entity, node), found(entity, node));
        }
        TreeMap<String, Long> deleted = new TreeMap<>();
        books.forEach(b -> b.deletedFromTrig().forEach((id, count) -> deleted.merge(id + "", count, Long::sum)));
        compare(lines, node, "AUDIT", deleted, counts(node, "SELECT id, count(*) FROM public.audit GROUP BY id"));
        return lines;
    }

    private static void compare(
            List<String> lines, PgNode node, String what, Map<String, Long> expected, Map<String, Long> found) {
        expected.forEach((key, value) -> {
            if (!value.equals(found.get(key))) {
                lines.add(node.name() + ": " + what + " " + key + ": written " + value + ", there " + found.get(key));
            }
        });
        found.forEach((key, value) -> {
            if (!expected.containsKey(key)) {
                lines.add(node.name() + ": " + what + " " + key + ": never written, there " + value);
            }
        });
    }

    /** Value by "id/writer"; of BAG: count by "value/writer"; of CUT: 1 by "id/writer". */
    private Map<String, Long> expected(Entity entity, PgNode node) throws SQLException {
        Map<String, Long> expected = new TreeMap<>();
        long epoch = entity == Entity.CUT
                ? Long.parseLong(Objects.requireNonNull(node.queryText("SELECT e FROM public.epoch")))
                : 0;
        for (Book book : books) {
            book.rows(entity).forEach((key, value) -> {
                if (entity != Entity.CUT) {
                    expected.put(key + "/" + book.writer(), value);
                } else if (value == epoch) {
                    expected.put(key + "/" + book.writer(), 1L);
                }
            });
        }
        if (entity.hasHotRows()) {
            for (long id = 1; id <= Entity.HOT_ROWS; id++) {
                long sum = 0;
                for (Book book : books) {
                    sum += book.hot(entity).getOrDefault(id, 0L);
                }
                expected.put(id + "/-1", sum);
            }
        }
        return expected;
    }

    private Map<String, Long> found(Entity entity, PgNode node) throws SQLException {
        String value = shapes.value(entity);
        String from = " FROM " + shapes.table(entity) + " WHERE w <> -2";
        return switch (entity) {
            case BAG -> counts(node, "SELECT " + value + " || '/' || w, count(*)" + from + " GROUP BY 1");
            case CUT -> counts(node, "SELECT id || '/' || w, count(*)" + from + " GROUP BY 1");
            default -> {
                Map<String, Long> doubled =
                        counts(node, "SELECT id || '/' || w, count(*)" + from + " GROUP BY 1 HAVING count(*) > 1");
                if (!doubled.isEmpty()) {
                    throw new AssertionError(node.name() + ": rows of " + entity + " are there twice: " + doubled);
                }
                yield counts(node, "SELECT id || '/' || w, " + value + from);
            }
        };
    }

    private static Map<String, Long> counts(PgNode node, String sql) throws SQLException {
        Map<String, Long> counts = new TreeMap<>();
        for (String row : node.queryRows(sql)) {
            String[] parts = row.split("\\|", -1);
            counts.put(parts[0], Long.valueOf(parts[1]));
        }
        return counts;
    }
}
