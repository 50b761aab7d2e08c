package io.tutti.launcher.run;

import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.gpu.HandleKind;
import io.tutti.launcher.input.InputTensors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operations of one communicator, from loading its ranks' inputs to its result. */
final class CommunicatorRun {

    private final Communicator communicator;
    private final InputTensors inputs;
    private final Operation operation;
    private final Duration limit;
    private final Waits waits;
    private final Progress progress;
    private final Agreement agreement;

    CommunicatorRun(
            Communicator communicator,
            InputTensors inputs,
            Operation operation,
            Duration limit,
            Waits waits,
            Progress progress,
            Agreement agreement) {
        this.communicator = communicator;
        this.inputs = inputs;
        this.operation = operation;
        this.limit = limit;
        this.waits = waits;
        this.progress = progress;
        this.agreement = agreement;
    }

    /**
     * Runs and checks.
     *
     * @param output where the outputs go once they are found right
     * @throws io.tutti.gpu.TuttiException when an operation failed or an element is wrong
     */
    RunResult.CommunicatorResult run(Optional<Path> output) {
        List<RankTensors> ranks = new ArrayList<>();
        OperationLoop loop = new OperationLoop(communicator.name(), ranks, limit, waits, progress);
        try {
            List<Rank> local = communicator.localRanks();
            for (Rank rank : local) {
                ranks.add(RankTensors.load(rank, inputs, operation, waits));
                progress.at(communicator.name() + ": ranks loaded", ranks.size(), local.size());
            }
            OperationTimes times = loop.run(operation.iterations());
            double error = new ResultCheck(communicator.name(), inputs, operation).check(ranks, waits, progress);
            Outputs outputs = new Outputs(ranks.get(0), inputs.shape(), operation.epilogue(), waits);
            String sha256 = outputs.sha256();
            RunResult.CommunicatorResult result = result(new RunResult.OperationsResult(
                    operation, inputs.shape(), 0, error, true, sha256, times.medianMicros()));
            agreement.reach(result);
            output.ifPresent(outputs::write);
            return result;
        } finally {
            // A kernel that is still running writes to these; the runtime's own close is what ends it.
            if (loop.settled()) {
                ranks.forEach(RankTensors::close);
            }
        }
    }

    private RunResult.CommunicatorResult result(RunResult.OperationsResult operations) {
        List<HandleKind> kinds = communicator.plan().handleKinds().values().stream()
                .distinct()
                .sorted()
                .toList();
        return new RunResult.CommunicatorResult(
                communicator.name(),
                communicator.worldSize(),
                communicator.epoch().epoch(),
                communicator.path(),
                kinds,
                communicator.plan().rejected(),
                communicator.restarts(),
                communicator.downgrades(),
                operations);
    }
}
