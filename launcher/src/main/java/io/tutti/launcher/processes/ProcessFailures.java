package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.Failures;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Words what went wrong with rank processes, and chooses the one failure that explains the others. */
final class ProcessFailures {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ProcessesPlan plan;
    private final RankProcesses processes;
    private final List<ProcessState> states;

    ProcessFailures(ProcessesPlan plan, RankProcesses processes, List<ProcessState> states) {
        this.plan = plan;
        this.processes = processes;
        this.states = states;
    }

    /** Some of these said nothing until their deadline. */
    TuttiException silent(List<ProcessState> awaited) {
        long now = System.nanoTime();
        ProcessState silent = awaited.stream()
                .filter(state -> state.deadline() - now <= 0)
                .findFirst()
                .orElse(awaited.get(0));
        int process = states.indexOf(silent);
        String what = silent.starting()
                ? "has not come up: waited=" + plan.limits().startUp()
                : "has said nothing until its deadline: lastSeen=" + quoted(silent.doing());
        return failure(
                ErrorCode.TIMEOUT,
                process,
                what,
                "Run it again with --verbose to see its log, or give more time with --timeout.");
    }

    /**
     * The failure to report.
     *
     * @param since when the first one was seen, in the terms of {@link System#nanoTime}
     */
    TuttiException best(long since) {
        Map<Integer, TuttiException> told = new TreeMap<>();
        for (int process = 0; process < states.size(); process++) {
            int from = process;
            states.get(process).failure().ifPresent(error -> told.put(from, new TuttiException(error)));
        }
        return firstDeath(since)
                .map(process -> died(process, told, since))
                .orElseGet(() -> Failures.mostTelling(List.copyOf(told.values())));
    }

    /** What dies after the first may only follow from that. */
    private Optional<Integer> firstDeath(long since) {
        return IntStream.range(0, states.size())
                .filter(process -> states.get(process).died())
                .boxed()
                .min(Comparator.comparingLong(process -> states.get(process).settledAt() - since));
    }

    /**
     * What the other processes are told.
     *
     * @param first the process that was first seen to fail or die
     */
    String told(int first, long since) {
        int process = firstDeath(since).orElse(first);
        ProcessState state = states.get(process);
        String how = state.failure()
                .map(error -> "failed: " + error.message())
                .orElseGet(
                        () -> "ended: " + ExitCause.describe(state.exitValue().orElse(0)));
        return "rank process " + process + ", which hosts ranks " + ranks(process) + ", " + how;
    }

    private TuttiException died(int process, Map<Integer, TuttiException> told, long since) {
        ProcessState state = states.get(process);
        String what = (state.starting() ? "ended before it was up: " : "ended unexpectedly: ")
                + ExitCause.describe(state.exitValue().orElse(0)) + " while=" + quoted(state.doing()) + " "
                + others(process, since);
        TuttiException failure = failure(
                ErrorCode.REMOTE,
                process,
                what,
                "Look at its log with --verbose, and at the kernel's log for the out-of-memory killer; then run it again.");
        told.values().forEach(failure::addSuppressed);
        return failure;
    }

    private String others(int process, long since) {
        long last = since;
        StringBuilder stuck = new StringBuilder();
        for (int other = 0; other < states.size(); other++) {
            if (other == process) {
                continue;
            }
            ProcessState state = states.get(other);
            if (!state.settled()) {
                stuck.append(stuck.isEmpty() ? "" : ", ").append(other);
            } else if (state.result().isEmpty() && state.settledAt() - last > 0) {
                last = state.settledAt();
            }
        }
        return stuck.isEmpty()
                ? "othersFreeAfterMillis=" + (last - since) / NANOS_PER_MILLI
                : "othersStillBusy=[" + stuck + "]";
    }

    private TuttiException failure(ErrorCode code, int process, String what, String advice) {
        RankProcess started = processes.get(process);
        List<Integer> ranks = ranks(process);
        String log = started.lastLog().stream().collect(Collectors.joining(" | "));
        String message = "rank process " + process + " " + what + " pid=" + started.pid() + " ranks=" + ranks
                + (log.isEmpty() ? "" : " lastLog=" + quoted(log));
        return new TuttiException(new ErrorInfo(code, ranks.get(0), null, null, message, advice));
    }

    private List<Integer> ranks(int process) {
        return plan.ranks().get(process).values().stream()
                .flatMap(List::stream)
                .distinct()
                .sorted()
                .toList();
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }
}
