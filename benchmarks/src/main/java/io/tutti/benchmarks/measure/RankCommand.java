package io.tutti.benchmarks.measure;

import io.tutti.gpu.DType;
import io.tutti.launcher.input.OperationShape;
import java.time.Duration;
import java.util.Locale;

/** What the process that measures tells each process that hosts ranks, as one line of words. */
sealed interface RankCommand {

    record Facts() implements RankCommand {}

    record Load(OperationShape shape) implements RankCommand {}

    record Run(int warmUp, int iterations, Duration limit) implements RankCommand {}

    record Poison() implements RankCommand {}

    record Judge() implements RankCommand {}

    record Unload() implements RankCommand {}

    /** The line. */
    default String line() {
        if (this instanceof Load load) {
            OperationShape shape = load.shape();
            return "load " + shape.tokens() + " " + shape.hidden() + " "
                    + shape.dtype().wireName();
        }
        if (this instanceof Run run) {
            return "run " + run.warmUp() + " " + run.iterations() + " "
                    + run.limit().toMillis();
        }
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException when that is no such line */
    static RankCommand parse(String line) {
        String[] words = line.split(" ");
        return switch (words[0] + "/" + words.length) {
            case "facts/1" -> new Facts();
            case "load/4" ->
                new Load(new OperationShape(
                        Long.parseLong(words[1]), Integer.parseInt(words[2]), DType.parse(words[3])));
            case "run/4" ->
                new Run(
                        Integer.parseInt(words[1]),
                        Integer.parseInt(words[2]),
                        Duration.ofMillis(Long.parseLong(words[3])));
            case "poison/1" -> new Poison();
            case "judge/1" -> new Judge();
            case "unload/1" -> new Unload();
            default -> throw new IllegalArgumentException("no command of a benchmark: " + line);
        };
    }
}
