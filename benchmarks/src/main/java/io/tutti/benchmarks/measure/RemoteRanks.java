package io.tutti.benchmarks.measure;

import io.tutti.launcher.input.OperationShape;
import java.time.Duration;
import java.util.List;

/** Ranks that live in other processes, each of which answers through a {@link RankServant}. */
public final class RemoteRanks implements OurRanks {

    private static final Duration MARGIN = Duration.ofSeconds(60);

    /** What one rank process can load, overwrite or check in a second, however busy the machine. */
    private static final long BYTES_PER_SECOND = 1L << 20;

    private final Processes processes;
    private final int worldSize;
    private final boolean promiseRefused;
    private Duration patience = MARGIN;

    /** All rank processes of the run. */
    @FunctionalInterface
    public interface Processes {

        /**
         * Puts the same question to all of them at once.
         *
         * @param limit how long any may take to answer
         * @return the answer of each
         * @throws io.tutti.gpu.TuttiException when one failed, died or was silent
         */
        List<String> ask(String question, Duration limit);
    }

    public RemoteRanks(Processes processes) {
        this.processes = processes;
        List<String> facts = processes.ask(new RankCommand.Facts().line(), MARGIN);
        this.worldSize = Integer.parseInt(facts.get(0).split(" ")[0]);
        this.promiseRefused = facts.stream().anyMatch(fact -> Boolean.parseBoolean(fact.split(" ")[1]));
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public boolean promiseRefused() {
        return promiseRefused;
    }

    @Override
    public void load(OperationShape shape) {
        patience = MARGIN.plusSeconds(shape.bytes() / BYTES_PER_SECOND * worldSize);
        ask(new RankCommand.Load(shape));
    }

    @Override
    public Burst burst(int warmUp, int iterations, Duration limit) {
        RankCommand run = new RankCommand.Run(warmUp, iterations, limit);
        return Burst.join(processes.ask(run.line(), limit.plus(MARGIN)).stream()
                .map(RankServant::read)
                .toList());
    }

    @Override
    public void poison() {
        ask(new RankCommand.Poison());
    }

    @Override
    public long judge() {
        return ask(new RankCommand.Judge()).stream().mapToLong(Long::parseLong).sum();
    }

    @Override
    public void close() {
        ask(new RankCommand.Unload());
    }

    private List<String> ask(RankCommand command) {
        return processes.ask(command.line(), patience);
    }
}
