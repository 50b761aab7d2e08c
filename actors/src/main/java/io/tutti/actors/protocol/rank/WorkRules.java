package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Planner;
import io.tutti.actors.protocol.RankMessage.Commit;
import io.tutti.actors.protocol.RankMessage.Committed;
import io.tutti.actors.protocol.RankMessage.StageOrder;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.rank.RankEvent.StageFinished;
import io.tutti.actors.protocol.rank.RankPhase.Armed;
import io.tutti.actors.protocol.rank.RankPhase.Draining;
import io.tutti.actors.protocol.rank.RankPhase.Entered;
import io.tutti.actors.protocol.rank.RankPhase.Idle;
import io.tutti.actors.protocol.rank.RankPhase.Running;
import io.tutti.actors.protocol.rank.RankPhase.Working;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.PlanningResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The phases Idle to Running: one stage after the other, each answered once carried out, then the commit. */
final class WorkRules {

    private final Planner planner;

    WorkRules(Planner planner) {
        this.planner = planner;
    }

    /** Only the stage after the last answered one is new; the last one again is answered again. */
    void ordered(RankStep step, StageOrder order) {
        EpochId epoch = order.epoch();
        if (step.phase instanceof Idle && order.stage() == Stage.IDENTITY && epoch.epoch() > step.highestEpoch()) {
            step.heardOf(epoch);
            begin(step, order, Optional.empty());
        } else if (step.phase instanceof Working working && working.epoch().equals(epoch)) {
            if (working.answer().isPresent()) {
                if (order.stage() == working.stage()) {
                    answer(step, epoch, working.stage(), working.answer().get());
                } else if (order.stage().ordinal() == working.stage().ordinal() + 1) {
                    begin(step, order, working.agreed());
                }
            }
        } else if (step.phase instanceof Armed armed && armed.epoch().equals(epoch) && order.stage() == Stage.ARM) {
            answer(step, epoch, Stage.ARM, new StageOutcome.Done());
        }
    }

    private void begin(RankStep step, StageOrder order, Optional<Agreed> agreed) {
        Duration timeout = Duration.ofMillis(order.timeoutMillis());
        step.patience(timeout);
        if (order.stage() == Stage.PLAN) {
            plan(step, order);
            return;
        }
        step.phase = new Working(order.epoch(), order.stage(), agreed, Optional.empty());
        if (order.stage() != Stage.IDENTITY && agreed.isEmpty()) {
            finish(step, new StageOutcome.Refused(RankErrors.noPlan(step.config, order.stage()), null));
            return;
        }
        List<MemoryOffer> offers =
                order.input() instanceof StageInput.Importing importing ? importing.offers() : List.of();
        step.command(new RankCommand.Perform(order.epoch(), order.stage(), agreed, offers, timeout));
    }

    /** The rank plans for itself; it goes on only with a plan that has the coordinator's hash. */
    private void plan(RankStep step, StageOrder order) {
        Optional<Agreed> agreed = Optional.empty();
        StageOutcome outcome;
        if (!(order.input() instanceof StageInput.Planning planning)) {
            outcome = new StageOutcome.Refused(RankErrors.noPlan(step.config, Stage.PLAN), null);
        } else if (!planning.policy().equals(step.config.policy())) {
            outcome = new StageOutcome.Refused(RankErrors.policyDiffers(step.config, planning.policy()), null);
        } else {
            PlanningResult result =
                    planner.plan(planning.facts(), planning.policy(), planning.exclusions(), planning.workspaceLimit());
            if (result instanceof PlanningResult.Planned planned) {
                String hash = planner.hash(planned.plan());
                outcome = new StageOutcome.Planned(hash);
                if (hash.equals(planning.planHash())) {
                    agreed = Optional.of(new Agreed(planned.plan(), planning.facts()));
                }
            } else {
                outcome = new StageOutcome.Refused(((PlanningResult.Refused) result).error(), null);
            }
        }
        step.phase = new Working(order.epoch(), Stage.PLAN, agreed, Optional.empty());
        finish(step, outcome);
    }

    /** The device has carried out the stage. */
    void finished(RankStep step, StageFinished finished) {
        if (step.phase instanceof Working working
                && working.epoch().equals(finished.epoch())
                && working.stage() == finished.stage()
                && working.answer().isEmpty()) {
            finish(step, finished.outcome());
        }
    }

    private static void finish(RankStep step, StageOutcome outcome) {
        Working working = (Working) step.phase;
        boolean armed = working.stage() == Stage.ARM && outcome instanceof StageOutcome.Done;
        step.phase = armed
                ? new Armed(working.epoch(), working.agreed().orElseThrow())
                : new Working(working.epoch(), working.stage(), working.agreed(), Optional.of(outcome));
        answer(step, working.epoch(), working.stage(), outcome);
    }

    private static void answer(RankStep step, EpochId epoch, Stage stage, StageOutcome outcome) {
        step.send(new CoordinatorMessage.StageAnswer(step.config.self(), epoch, stage, outcome));
    }

    /** Only an armed rank enters; one that has entered says so again, one that has given up refuses again. */
    void commit(RankStep step, Commit commit) {
        EpochId epoch = commit.epoch();
        if (!step.holds(epoch)) {
            return;
        }
        if (step.phase instanceof Armed armed) {
            step.phase = new Entered(epoch, armed.agreed());
            step.patience(Duration.ZERO);
            step.resend();
            step.command(new RankCommand.EnterEpoch(epoch, armed.agreed()));
            step.send(new CoordinatorMessage.CommitAcknowledged(step.config.self(), epoch));
        } else if (step.phase instanceof Entered || step.phase instanceof Running) {
            step.send(new CoordinatorMessage.CommitAcknowledged(step.config.self(), epoch));
        } else if (step.phase instanceof Draining draining) {
            draining.refusal().ifPresent(step::send);
        }
    }

    void committed(RankStep step, Committed committed) {
        if (step.phase instanceof Entered entered && entered.epoch().equals(committed.epoch())) {
            step.phase = new Running(entered.epoch(), entered.agreed());
            step.cancel(RankTimer.PATIENCE);
            step.command(new RankCommand.AnnounceCommitted(entered.epoch(), entered.agreed()));
        }
    }
}
