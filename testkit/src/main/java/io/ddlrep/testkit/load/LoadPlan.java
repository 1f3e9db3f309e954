package io.ddlrep.testkit.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How many writers do what how often. Immutable.
 *
 * @param writers number of threads, each with its own connection
 * @param seed of all random choices
 * @param choices transactions with their weights
 */
public record LoadPlan(int writers, long seed, List<Choice> choices) {

    /** A transaction, chosen in proportion to its weight. */
    public record Choice(int weight, LoadTransaction transaction) {}

    public LoadPlan {
        choices = List.copyOf(choices);
    }

    /** A plan without transactions yet. */
    public static LoadPlan of(int writers, long seed) {
        return new LoadPlan(writers, seed, List.of());
    }

    /** This plan with one more transaction; weight must be positive. */
    public LoadPlan add(int weight, LoadTransaction transaction) {
        if (weight <= 0) {
            throw new IllegalArgumentException("weight " + weight);
        }
        List<Choice> more = new ArrayList<>(choices);
        more.add(new Choice(weight, transaction));
        return new LoadPlan(writers, seed, more);
    }

    /** Starts the writers over connections of the connector, such as {@code node::connect}. */
    public LoadGenerator start(LoadGenerator.Connector connector) {
        if (choices.isEmpty()) {
            throw new IllegalStateException("no transaction to run");
        }
        LoadGenerator generator = new LoadGenerator(this, connector);
        generator.start();
        return generator;
    }

    LoadTransaction pick(SplittableRandom random) {
        int total = choices.stream().mapToInt(Choice::weight).sum();
        int ticket = random.nextInt(total);
        for (Choice choice : choices) {
            ticket -= choice.weight();
            if (ticket < 0) {
                return choice.transaction();
            }
        }
        throw new IllegalStateException("weights changed while picking");
    }
}
