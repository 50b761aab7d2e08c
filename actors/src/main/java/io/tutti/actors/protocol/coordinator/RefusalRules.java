package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.ForgetRefusals;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.StageFailure;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.RejectedPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was refused when it was tried is remembered with its reason, so that an epoch that is formed again does not try it
 * again, until the facts change on which it rested, or somebody asks for it.
 */
final class RefusalRules {

    private RefusalRules() {}

    /** Compares the facts of a new epoch with those for which the refusals stand. */
    static void plan(Step step, List<RankFacts> facts) {
        List<RankFacts> lasting = facts.stream().map(RankFacts::lasting).toList();
        List<Integer> changed = changed(step.history.facts(), lasting);
        if (step.history.learned() && !changed.isEmpty()) {
            forget(step, "the facts of ranks " + changed + " have changed");
        }
        // The first try after a committed epoch; later ones have just learned what they leave out.
        if (step.history.attempts() == 1 && !step.history.exclusions().isEmpty()) {
            step.publish(new CoordinatorNotice.NotTriedAgain(step.history.exclusions()));
        }
        step.history = step.history.planning(lasting);
    }

    private static List<Integer> changed(List<RankFacts> before, List<RankFacts> now) {
        List<Integer> ranks = new ArrayList<>();
        for (RankFacts facts : now) {
            if (!before.contains(facts)) {
                ranks.add(facts.rank());
            }
        }
        return ranks;
    }

    /** A rank's user asks; answered each time. */
    static void asked(Step step, ForgetRefusals request) {
        if (step.history.learned()) {
            forget(step, "rank " + request.from().rank() + " asked for it");
        }
        step.send(new RankMessage.RefusalsForgotten(step.term(), request.from()));
    }

    private static void forget(Step step, String why) {
        step.publish(new CoordinatorNotice.RefusalsForgotten(step.history.exclusions(), why));
        step.history = step.history.forgotten();
    }

    /**
     * A better path that is out only because some rank's system is not ready yet: worth waiting for, as long as tries are
     * left; then it is remembered as refused.
     */
    static Optional<StageFailure> notReady(Step step, long epoch, EpochPlan plan) {
        for (RejectedPath row : plan.rejected()) {
            boolean known = step.history.exclusions().stream().anyMatch(e -> e.path() == row.path());
            if (FailurePolicy.NOT_READY.equals(row.result()) && row.rank() != null && !known) {
                ErrorInfo error = new ErrorInfo(
                        ErrorCode.DRIVER,
                        row.rank(),
                        row.call(),
                        row.result(),
                        row.call() + " answered " + row.result(),
                        row.advice());
                if (step.history.notReady() < step.config.limits().notReady()) {
                    return Optional.of(new StageFailure(row.rank(), error, null));
                }
                step.history = step.history.excluding(new Exclusion(row.path(), null, row.stage(), error, epoch));
            }
        }
        return Optional.empty();
    }
}
