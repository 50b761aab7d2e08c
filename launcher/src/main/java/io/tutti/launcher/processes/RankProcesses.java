package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** All rank processes of one run. Closing leaves none behind: it asks, waits within a bound, and then kills. */
final class RankProcesses implements AutoCloseable {

    /** Killing is not refused, but a process in the middle of a system call takes a moment. */
    private static final Duration REAP_BOUND = Duration.ofSeconds(5);

    private final List<RankProcess> processes;
    private final Duration endBound;

    private RankProcesses(List<RankProcess> processes, Duration endBound) {
        this.processes = processes;
        this.endBound = endBound;
    }

    /**
     * Starts them.
     *
     * @param commands the command of each process
     * @param log told each line that one logs, with its name before it
     * @param endBound how long they may take to end when asked
     */
    static RankProcesses start(
            int count,
            IntFunction<List<String>> commands,
            Consumer<ProcessEvent> events,
            Consumer<String> log,
            Duration endBound) {
        RankProcesses started = new RankProcesses(new ArrayList<>(), endBound);
        try {
            for (int i = 0; i < count; i++) {
                String name = "[process " + i + "] ";
                started.processes.add(RankProcess.start(i, commands.apply(i), events, line -> log.accept(name + line)));
            }
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    RankProcess get(int number) {
        return processes.get(number);
    }

    List<RankProcess> all() {
        return List.copyOf(processes);
    }

    /**
     * Ends all of them.
     *
     * @throws TuttiException with code SYSTEM when one could not even be killed
     */
    @Override
    public void close() {
        processes.forEach(RankProcess::release);
        awaitAll(endBound);
        processes.forEach(RankProcess::kill);
        awaitAll(REAP_BOUND);
        List<Long> left = processes.stream()
                .filter(process -> !process.awaitExit(Duration.ZERO))
                .map(RankProcess::pid)
                .toList();
        if (!left.isEmpty()) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.SYSTEM,
                    "rank processes are still there after they were killed: pids=" + left,
                    "Look at what keeps them in the kernel, for example a dead network file system."));
        }
    }

    private void awaitAll(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        processes.forEach(process -> process.awaitExit(Duration.ofNanos(deadline - System.nanoTime())));
    }
}
