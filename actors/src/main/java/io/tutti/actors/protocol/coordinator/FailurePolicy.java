package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.Planner;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.EndReason;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.StageFailure;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.Exclusion;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What follows when an epoch has ended, as a table: the first row that applies decides.
 *
 * <table>
 * <caption>Reason, condition, decision</caption>
 * <tr><td>closing</td><td></td><td>close</td></tr>
 * <tr><td>no path left, or ranks disagree</td><td></td><td>fail</td></tr>
 * <tr><td>inherited</td><td></td><td>form the next at once</td></tr>
 * <tr><td>member lost</td><td></td><td>form the next, with backoff</td></tr>
 * <tr><td>operation failed</td><td></td><td>form the next, with backoff while nothing completes</td></tr>
 * <tr><td>stage failed</td><td>802, tries left</td><td>form the next after a pause</td></tr>
 * <tr><td>stage failed</td><td>the silent rank did not drain either, or at commit</td><td>form the next, with
 * backoff</td></tr>
 * <tr><td>stage failed</td><td>at identity or plan, not by time</td><td>fail</td></tr>
 * <tr><td>stage failed</td><td>out of memory at allocate, halvings left</td><td>half the workspace</td></tr>
 * <tr><td>stage failed</td><td>a plan was agreed</td><td>exclude the kind where one is named, else the path</td></tr>
 * </table>
 */
final class FailurePolicy {

    static final String NOT_READY = "CUDA_ERROR_SYSTEM_NOT_READY";
    static final String OUT_OF_MEMORY = "CUDA_ERROR_OUT_OF_MEMORY";

    /** What to do next. */
    sealed interface Decision {

        /** Form another epoch after the delay. */
        record Again(History history, ErrorInfo cause, Optional<Exclusion> excluded, Duration delay)
                implements Decision {}

        record Fail(ErrorInfo cause) implements Decision {}

        record Close(ErrorInfo cause) implements Decision {}
    }

    private final CoordinatorConfig config;
    private final Planner planner;

    FailurePolicy(CoordinatorConfig config, Planner planner) {
        this.config = config;
        this.planner = planner;
    }

    Decision after(History history, Ending ending, ErrorInfo cause, Set<Integer> silent) {
        EndReason reason = ending.reason();
        if (reason instanceof EndReason.Closing closing) {
            return new Decision.Close(closing.cause());
        }
        if (reason instanceof EndReason.Hopeless hopeless) {
            return new Decision.Fail(hopeless.cause());
        }
        if (reason instanceof EndReason.Inherited) {
            return again(history, cause, Duration.ZERO);
        }
        if (reason instanceof EndReason.StageFailed failed) {
            return afterStage(history, ending, failed.stage(), failed.failure(), silent);
        }
        return again(history, cause, backoff(history));
    }

    private Decision afterStage(
            History history, Ending ending, Stage stage, StageFailure failure, Set<Integer> silent) {
        Optional<EpochPlan> plan = ending.plan();
        ErrorInfo error = failure.error();
        if (NOT_READY.equals(error.result())
                && history.notReady() < config.limits().notReady()) {
            return again(history.waitedForReadiness(), error, config.timing().notReady());
        }
        if (stage == Stage.COMMIT || silent.contains(failure.rank())) {
            return again(history, error, backoff(history));
        }
        if (stage == Stage.IDENTITY || stage == Stage.PLAN || plan.isEmpty()) {
            return error.code() == ErrorCode.TIMEOUT
                    ? again(history, error, backoff(history))
                    : new Decision.Fail(error);
        }
        if (stage == Stage.ALLOCATE && OUT_OF_MEMORY.equals(error.result())) {
            long half = planner.workspaceBytes(plan.get()) / 2;
            if (history.shrinks() < config.limits().shrinks()
                    && half >= config.limits().smallestWorkspace()) {
                return again(history.shrunkTo(half), error, Duration.ZERO);
            }
        }
        Exclusion exclusion =
                new Exclusion(plan.get().path(), failure.kind(), stage.wireName(), error, ending.newestEpoch());
        return new Decision.Again(history.excluding(exclusion), error, Optional.of(exclusion), Duration.ZERO);
    }

    private static Decision again(History history, ErrorInfo cause, Duration delay) {
        return new Decision.Again(history, cause, Optional.empty(), delay);
    }

    /** Doubles with every epoch in which nothing completed; none after one in which something did. */
    private Duration backoff(History history) {
        if (history.fruitless() == 0) {
            return Duration.ZERO;
        }
        Duration delay = config.timing().backoffFirst().multipliedBy(1L << Math.min(history.fruitless() - 1, 20));
        return delay.compareTo(config.timing().backoffMost()) < 0
                ? delay
                : config.timing().backoffMost();
    }
}
