package io.ddlrep.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Values of one thing measured again and again. Used by one thread. */
final class Samples {
    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    int size() {
        return values.size();
    }

    double median() {
        return percentile(50);
    }

    /** The value that {@code percent} of the samples do not exceed; the mean of two where it falls between them. */
    double percentile(double percent) {
        if (values.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        double place = percent / 100 * (sorted.size() - 1);
        int below = (int) Math.floor(place);
        int above = (int) Math.ceil(place);
        return sorted.get(below) + (sorted.get(above) - sorted.get(below)) * (place - below);
    }

    /** Least and greatest, as {@code 1.2-3.4}. */
    String spread() {
        return number(Collections.min(values)) + "-" + number(Collections.max(values));
    }

    /** A number with three or four figures that count. */
    static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 || size == 0 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
