package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Planner;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Sorted;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.EndReason;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.StageFailure;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.plan.RankFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The phase Forming: one stage after the other, each with one deadline. All ranks' answers are collected, also after a
 * refusal; then the refusal that arrived first decides.
 */
final class FormingRules {

    private final Planner planner;
    private final EpochRules epochs;
    private final EndingRules ending;

    FormingRules(Planner planner, EpochRules epochs, EndingRules ending) {
        this.planner = planner;
        this.epochs = epochs;
        this.ending = ending;
    }

    /** Begins the next epoch with its first stage, unless too many in a row came to nothing. */
    void begin(Step step) {
        if (step.history.attempts() >= step.config.limits().attempts()) {
            TerminalRules.fail(step, Errors.attemptsSpent(step.config, step.history));
            return;
        }
        step.history = step.history.attempted();
        EpochId epoch = new EpochId(step.term(), step.nextEpoch());
        order(step, epoch, Stage.IDENTITY, List.of(), Optional.empty(), new StageInput.Nothing());
    }

    private static void order(
            Step step, EpochId epoch, Stage stage, List<RankFacts> facts, Optional<EpochPlan> plan, StageInput input) {
        Forming forming = new Forming(epoch, stage, facts, plan, input, Sorted.copy(Map.of()), List.of());
        step.phase = forming;
        step.publish(new CoordinatorNotice.StageStarted(epoch, stage));
        step.deadline(step.config.timing().of(stage).plus(step.config.timing().margin()));
        orderAgain(step, forming);
    }

    /** Sends the stage's order to every rank that has not answered it. */
    static void orderAgain(Step step, Forming forming) {
        long millis = step.config.timing().of(forming.stage()).toMillis();
        for (Incarnation rank : step.members().values()) {
            if (!forming.answers().containsKey(rank.rank())) {
                step.send(new RankMessage.StageOrder(rank, forming.epoch(), forming.stage(), forming.input(), millis));
            }
        }
        step.resend();
    }

    /** Counts one answer for each rank; the last one decides the stage. */
    void answered(Step step, Forming forming, StageAnswer answer) {
        int rank = answer.from().rank();
        if (!answer.epoch().equals(forming.epoch())
                || answer.stage() != forming.stage()
                || forming.answers().containsKey(rank)) {
            return;
        }
        SortedMap<Integer, StageOutcome> answers = Sorted.with(forming.answers(), rank, answer.outcome());
        List<StageFailure> failures = new ArrayList<>(forming.failures());
        failure(forming.stage(), rank, answer.outcome()).ifPresent(failures::add);
        Forming next = new Forming(
                forming.epoch(), forming.stage(), forming.facts(), forming.plan(), forming.input(), answers, failures);
        step.phase = next;
        if (answers.size() == step.config.worldSize()) {
            decide(step, next);
        }
    }

    private static Optional<StageFailure> failure(Stage stage, int rank, StageOutcome outcome) {
        if (outcome instanceof StageOutcome.Refused refused) {
            return Optional.of(new StageFailure(rank, refused.error().onRank(rank), refused.kind()));
        }
        boolean fits = switch (stage) {
            case IDENTITY ->
                outcome instanceof StageOutcome.Facts told && told.facts().rank() == rank;
            case PLAN -> outcome instanceof StageOutcome.Planned;
            case EXPORT -> outcome instanceof StageOutcome.Exported;
            default -> outcome instanceof StageOutcome.Done;
        };
        return fits ? Optional.empty() : Optional.of(new StageFailure(rank, Errors.oddAnswer(rank, stage), null));
    }

    /** The deadline has passed: the refusals so far decide, or else the first rank that said nothing. */
    void expired(Step step, Forming forming) {
        if (!forming.failures().isEmpty()) {
            decide(step, forming);
            return;
        }
        for (int rank : step.members().keySet()) {
            if (!forming.answers().containsKey(rank)) {
                ErrorInfo error = Errors.silent(
                        step.config,
                        rank,
                        forming.stage().wireName(),
                        step.config
                                .timing()
                                .of(forming.stage())
                                .plus(step.config.timing().margin()));
                end(step, forming, new EndReason.StageFailed(forming.stage(), new StageFailure(rank, error, null)));
                return;
            }
        }
    }

    private void decide(Step step, Forming forming) {
        if (!forming.failures().isEmpty()) {
            StageFailure first = forming.failures().get(0);
            boolean disagrees = forming.stage() == Stage.PLAN && first.error().code() == ErrorCode.CONFIGURATION;
            end(
                    step,
                    forming,
                    disagrees
                            ? new EndReason.Hopeless(Errors.disagreesOnPolicy(first, forming.answers()))
                            : new EndReason.StageFailed(forming.stage(), first));
            return;
        }
        EpochId epoch = forming.epoch();
        switch (forming.stage()) {
            case IDENTITY -> plan(step, forming);
            case PLAN -> comparePlans(step, forming);
            case EXPORT ->
                order(
                        step,
                        epoch,
                        Stage.IMPORT,
                        forming.facts(),
                        forming.plan(),
                        new StageInput.Importing(CoordinatorPhase.offers(forming.answers())));
            case ARM -> epochs.commit(step, epoch, forming.plan().orElseThrow());
            default -> nextStage(step, forming);
        }
    }

    private static void nextStage(Step step, Forming forming) {
        Stage next = Stage.values()[forming.stage().ordinal() + 1];
        order(step, forming.epoch(), next, forming.facts(), forming.plan(), new StageInput.Nothing());
    }

    private void plan(Step step, Forming forming) {
        List<RankFacts> facts = forming.answers().values().stream()
                .map(answer -> ((StageOutcome.Facts) answer).facts())
                .toList();
        RefusalRules.plan(step, facts);
        PlanningResult result =
                planner.plan(facts, step.config.policy(), step.history.exclusions(), step.history.workspaceLimit());
        Optional<StageFailure> notReady = result instanceof PlanningResult.Planned planned
                ? RefusalRules.notReady(step, forming.epoch().epoch(), planned.plan())
                : Optional.empty();
        if (notReady.isPresent()) {
            end(step, forming, new EndReason.StageFailed(Stage.IDENTITY, notReady.get()));
        } else if (result instanceof PlanningResult.Planned planned) {
            StageInput input = new StageInput.Planning(
                    facts,
                    step.config.policy(),
                    step.history.exclusions(),
                    step.history.workspaceLimit(),
                    planner.hash(planned.plan()));
            order(step, forming.epoch(), Stage.PLAN, facts, Optional.of(planned.plan()), input);
        } else if (result instanceof PlanningResult.Refused refused) {
            ErrorInfo cause = Errors.noPathLeft(step.history, refused);
            end(step, forming, new EndReason.Hopeless(cause));
        }
    }

    private void comparePlans(Step step, Forming forming) {
        String hash = ((StageInput.Planning) forming.input()).planHash();
        for (Map.Entry<Integer, StageOutcome> answer : forming.answers().entrySet()) {
            if (!((StageOutcome.Planned) answer.getValue()).planHash().equals(hash)) {
                end(
                        step,
                        forming,
                        new EndReason.Hopeless(Errors.plansDiffer(answer.getKey(), forming.answers(), hash)));
                return;
            }
        }
        nextStage(step, forming);
    }

    private void end(Step step, Forming forming, EndReason reason) {
        ending.begin(step, forming.epoch(), forming.plan(), reason);
    }
}
