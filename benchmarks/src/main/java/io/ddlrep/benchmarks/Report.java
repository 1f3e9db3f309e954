package io.ddlrep.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What was measured, and its table. Used by one thread. */
final class Report {
    private static final List<String> TITLES =
            List.of("benchmark", "what", "ours", "peer", "ratio", "goal", "verdict", "note");

    private final PrintStream out;
    private final List<Figure> figures = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    Report(PrintStream out) {
        this.out = out;
    }

    /** Says something at once, such as progress or why a row is missing. */
    void say(String line) {
        out.println(line);
        out.flush();
    }

    void add(Figure figure) {
        figures.add(figure);
    }

    /** Medians of both sides, with their spread as the note. */
    void add(String benchmark, String what, Samples ours, Samples peer, Goal goal) {
        String note = ours.spread() + " / " + peer.spread() + ", " + ours.size() + " rounds";
        add(new Figure(benchmark, what, ours.median(), peer.median(), goal, note));
    }

    /** A median without a peer. */
    void add(String benchmark, String what, Samples ours, Goal goal) {
        String note = ours.spread() + ", " + ours.size() + " rounds";
        add(new Figure(benchmark, what, ours.median(), Figure.ALONE, goal, note));
    }

    /** A benchmark that could not be finished; the others go on. */
    void failed(String benchmark, Exception cause) {
        failures.add(benchmark + ": " + cause);
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Prints the table, and below it what failed. */
    void print() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(TITLES);
        figures.forEach(figure -> rows.add(cells(figure)));
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < TITLES.size(); column++) {
                line.append(column == 0 ? "" : " | ").append(padded(rows, row, column));
            }
            out.println(line.toString().stripTrailing());
        }
        failures.forEach(failure -> out.println("FAILED " + failure));
        out.flush();
    }

    private static List<String> cells(Figure figure) {
        return List.of(
                figure.benchmark(),
                figure.what(),
                Samples.number(figure.ours()),
                figure.hasPeer() ? Samples.number(figure.peer()) : "-",
                figure.hasPeer() ? Samples.number(figure.ratio()) : "-",
                figure.goal().text(),
                figure.verdict(),
                figure.note());
    }

    private static String padded(List<List<String>> rows, List<String> row, int column) {
        int width =
                rows.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        String cell = row.get(column);
        String pad = " ".repeat(width - cell.length());
        boolean number = column >= 2 && column <= 4;
        return number ? pad + cell : cell + pad;
    }
}
