package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.run.RunResult;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/** One result from those of all processes, each of which found its own ranks right. */
final class ResultMerge {

    private ResultMerge() {}

    /**
     * The whole communicator's result: what all must have in common from the first, and of the rest the largest. So the
     * median is the slowest process's, since no clock is shared that could time an operation over all of them.
     *
     * @param parts of one communicator, by process; at least one
     * @throws TuttiException with code INTERNAL when they do not agree on what all ranks must have in common
     */
    static RunResult.CommunicatorResult of(List<RunResult.CommunicatorResult> parts) {
        same("outputSha256", parts, part -> part.operations().outputSha256());
        same("path", parts, part -> part.path().wireName());
        same("epoch", parts, RunResult.CommunicatorResult::epoch);
        RunResult.CommunicatorResult first = parts.get(0);
        RunResult.OperationsResult operations = first.operations();
        return new RunResult.CommunicatorResult(
                first.name(),
                first.worldSize(),
                first.epoch(),
                first.path(),
                first.handleKinds(),
                first.rejected(),
                largest(parts, RunResult.CommunicatorResult::restarts),
                largest(parts, RunResult.CommunicatorResult::downgrades),
                new RunResult.OperationsResult(
                        operations.operation(),
                        operations.shape(),
                        largest(parts, part -> part.operations().failed()),
                        largestNumber(parts, part -> part.operations().maxRelativeError()),
                        parts.stream().allMatch(part -> part.operations().bitIdentical()),
                        operations.outputSha256(),
                        largestNumber(parts, part -> part.operations().medianMicros())));
    }

    private static void same(
            String name, List<RunResult.CommunicatorResult> parts, Function<RunResult.CommunicatorResult, ?> value) {
        List<?> values = parts.stream().map(value).toList();
        if (values.stream().distinct().count() > 1) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.INTERNAL,
                    "the processes do not agree on what all ranks must have in common: communicator="
                            + parts.get(0).name() + " " + name + "ByProcess=" + values,
                    "Do not trust this configuration's results; report the command line and this message."));
        }
    }

    private static int largest(
            List<RunResult.CommunicatorResult> parts, ToIntFunction<RunResult.CommunicatorResult> value) {
        return parts.stream().mapToInt(value).max().orElseThrow();
    }

    private static double largestNumber(
            List<RunResult.CommunicatorResult> parts, ToDoubleFunction<RunResult.CommunicatorResult> value) {
        return parts.stream().mapToDouble(value).reduce(Double.NEGATIVE_INFINITY, Math::max);
    }
}
