package io.tutti.launcher.run;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.launcher.input.OperationShape;
import java.util.List;

/**
 * What a run found out; every element was right.
 *
 * @param communicators in the order in which they were run
 */
public record RunResult(List<CommunicatorResult> communicators) {

    public RunResult {
        communicators = List.copyOf(communicators);
    }

    /** Whether something that the facts promised was refused when it was tried, so that an operator should look. */
    public boolean promisedPathRefused() {
        return communicators.stream().anyMatch(communicator -> promiseRefused(communicator.rejected()));
    }

    /** The same of one communicator's rejected paths: the facts had not ruled it out, so it was tried. */
    public static boolean promiseRefused(List<RejectedPath> rejected) {
        return rejected.stream().anyMatch(row -> !row.stage().equals("plan"));
    }

    /**
     * One communicator.
     *
     * @param epoch number of the epoch in which the last operation ran
     * @param path the path it took
     * @param handleKinds the handle kinds in use, best first; empty for a world of one
     * @param rejected why every better path was not taken, then which handle kinds of this path were refused
     * @param restarts ranks that were replaced by a start in another process after the communicator had formed
     * @param downgrades times that the communicator went to a lower path after it had formed
     * @param operations what was run on it
     */
    public record CommunicatorResult(
            String name,
            int worldSize,
            long epoch,
            PathKind path,
            List<HandleKind> handleKinds,
            List<RejectedPath> rejected,
            int restarts,
            int downgrades,
            OperationsResult operations) {

        public CommunicatorResult {
            handleKinds = List.copyOf(handleKinds);
            rejected = List.copyOf(rejected);
        }
    }

    /**
     * The operations of one communicator.
     *
     * @param failed operations that did not complete, and that the runtime did not repeat with success
     * @param maxRelativeError the largest over ranks and outputs, against float64
     * @param bitIdentical whether every rank's outputs have the same bits
     * @param outputSha256 of the last operation's {@code residual_out} then {@code norm_out}, or of the plain sum
     * @param medianMicros median over the operations of the time from the first rank's submission until the last rank's
     *     completion was seen
     */
    public record OperationsResult(
            Operation operation,
            OperationShape shape,
            int failed,
            double maxRelativeError,
            boolean bitIdentical,
            String outputSha256,
            double medianMicros) {}
}
