package io.tutti.benchmarks.measure;

import io.tutti.benchmarks.stats.Samples;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.PathKind;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Carries out the commands of a benchmark in a process that hosts some of the ranks. Confined to one thread. */
public final class RankServant {

    private static final String DONE = "done";

    private final OurRanks ranks;

    public RankServant(OurRanks ranks) {
        this.ranks = ranks;
    }

    /**
     * Carries one out.
     *
     * @return the answer, one line
     * @throws io.tutti.gpu.TuttiException when a rank fails
     * @throws IllegalArgumentException when the line is no command
     */
    public String answer(String line) {
        RankCommand command = RankCommand.parse(line);
        if (command instanceof RankCommand.Facts) {
            return ranks.worldSize() + " " + ranks.promiseRefused();
        } else if (command instanceof RankCommand.Run run) {
            return write(ranks.burst(run.warmUp(), run.iterations(), run.limit()));
        } else if (command instanceof RankCommand.Judge) {
            return Long.toString(ranks.judge());
        } else if (command instanceof RankCommand.Load load) {
            ranks.load(load.shape());
        } else if (command instanceof RankCommand.Poison) {
            ranks.poison();
        } else {
            ranks.close();
        }
        return DONE;
    }

    static String write(Burst burst) {
        String nanos =
                LongStream.of(burst.slowest().nanos()).mapToObj(Long::toString).collect(Collectors.joining(","));
        return burst.path().name() + " " + burst.algorithm().name() + " " + nanos;
    }

    static Burst read(String answer) {
        String[] words = answer.split(" ");
        long[] nanos =
                Arrays.stream(words[2].split(",")).mapToLong(Long::parseLong).toArray();
        return new Burst(Samples.of(nanos), PathKind.valueOf(words[0]), Algorithm.valueOf(words[1]));
    }
}
