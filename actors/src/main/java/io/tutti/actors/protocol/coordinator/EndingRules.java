package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.Sorted;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.EndReason;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Pausing;
import io.tutti.actors.protocol.coordinator.FailurePolicy.Decision;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.plan.EpochPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The phase Ending: every member aborts and drains, and only then is the epoch's memory given back. A member that
 * neither drains by the deadline nor is reaped may still write, so the others abandon what it can reach.
 */
final class EndingRules {

    private final FailurePolicy policy;
    private final Consumer<Step> proceed;

    EndingRules(FailurePolicy policy, Consumer<Step> proceed) {
        this.policy = policy;
        this.proceed = proceed;
    }

    /** Ends an epoch of this term. */
    void begin(Step step, EpochId epoch, Optional<EpochPlan> plan, EndReason reason) {
        SortedMap<Integer, EpochId> holding = new TreeMap<>();
        step.members().keySet().forEach(rank -> holding.put(rank, epoch));
        begin(step, step.members(), holding, plan, reason);
    }

    /** Ends what a former coordinator left; ranks may hold different epochs of it. */
    void inherit(Step step, SortedMap<Integer, Promised> promises) {
        SortedMap<Integer, EpochId> holding = new TreeMap<>();
        promises.forEach((rank, promise) -> promise.held().ifPresent(epoch -> holding.put(rank, epoch)));
        SortedMap<Integer, Incarnation> members = new TreeMap<>(step.members());
        members.keySet().retainAll(holding.keySet());
        ErrorInfo cause = Errors.inherited(step.config);
        begin(step, Sorted.copy(members), holding, Optional.empty(), new EndReason.Inherited(cause));
    }

    private void begin(
            Step step,
            SortedMap<Integer, Incarnation> members,
            SortedMap<Integer, EpochId> holding,
            Optional<EpochPlan> plan,
            EndReason reason) {
        Ending ending = new Ending(
                members, Sorted.copy(holding), plan, reason, Sorted.copy(Map.of()), Sorted.copy(Set.of()), List.of());
        step.phase = ending;
        step.deadline(step.config.timing().drain());
        abortAgain(step, ending);
    }

    void abortAgain(Step step, Ending ending) {
        for (Incarnation member : ending.members().values()) {
            if (!settled(ending, member.rank())) {
                step.send(new RankMessage.Abort(
                        step.term(),
                        member,
                        epochOf(ending, member.rank()),
                        ending.reason().cause()));
            }
        }
        step.resend();
    }

    private static EpochId epochOf(Ending ending, int rank) {
        return Objects.requireNonNull(ending.holding().get(rank));
    }

    private static boolean settled(Ending ending, int rank) {
        return ending.drained().containsKey(rank) || ending.reaped().contains(rank);
    }

    /** Keeps a member's own words about what failed, for the error that users get. */
    void reported(Step step, Ending ending, OperationFailed failed) {
        int rank = failed.from().rank();
        boolean known =
                ending.reports().stream().anyMatch(report -> report.from().rank() == rank);
        if (!known && failed.epoch().equals(ending.holding().get(rank))) {
            List<OperationFailed> reports = new ArrayList<>(ending.reports());
            reports.add(failed);
            step.phase = new Ending(
                    ending.members(),
                    ending.holding(),
                    ending.plan(),
                    ending.reason(),
                    ending.drained(),
                    ending.reaped(),
                    reports);
        }
    }

    /** Counts a member as drained; false when that is no answer to this ending. */
    boolean drained(Step step, Ending ending, Drained drained) {
        int rank = drained.from().rank();
        boolean answers = drained.from().equals(ending.members().get(rank))
                && drained.epoch().equals(epochOf(ending, rank));
        if (answers) {
            settle(step, ending, ending.reason(), Sorted.with(ending.drained(), rank, drained), ending.reaped());
        }
        return answers;
    }

    /** A process that has ended writes nothing more. */
    void reaped(Step step, Ending ending, Incarnation rank) {
        if (rank.equals(ending.members().get(rank.rank()))) {
            settle(step, ending, ending.reason(), ending.drained(), Sorted.with(ending.reaped(), rank.rank()));
        }
    }

    /** The communicator closes when the epoch has ended. */
    void close(Step step, Ending ending, ErrorInfo cause) {
        settle(step, ending, new EndReason.Closing(cause), ending.drained(), ending.reaped());
    }

    private void settle(
            Step step,
            Ending ending,
            EndReason reason,
            SortedMap<Integer, Drained> drained,
            SortedSet<Integer> reaped) {
        Ending next = new Ending(
                ending.members(), ending.holding(), ending.plan(), reason, drained, reaped, ending.reports());
        step.phase = next;
        if (next.members().keySet().stream().allMatch(rank -> settled(next, rank))) {
            finish(step, next);
        }
    }

    /** Waiting longer would keep the others; the silent members' reach is abandoned. */
    void expired(Step step, Ending ending) {
        finish(step, ending);
    }

    private void finish(Step step, Ending ending) {
        ErrorInfo cause = FailureReport.compose(ending);
        Map<Integer, CallDescriptor> pending = new TreeMap<>();
        ending.drained().forEach((rank, answer) -> answer.pending().ifPresent(call -> pending.put(rank, call)));
        for (Incarnation member : ending.members().values()) {
            EpochEnded ended = new EpochEnded(
                    step.term(),
                    member,
                    epochOf(ending, member.rank()),
                    cause,
                    undrained(step, ending, epochOf(ending, member.rank())),
                    pending,
                    FailureReport.resubmittable(step.config.worldSize(), ending));
            step.remember(ended);
            step.send(ended);
        }
        SortedSet<Integer> silent = new TreeSet<>();
        for (Incarnation member : ending.members().values()) {
            if (!settled(ending, member.rank())) {
                silent.add(member.rank());
                step.drop(
                        member,
                        Errors.silent(
                                step.config,
                                member.rank(),
                                "drain",
                                step.config.timing().drain()));
            }
        }
        EpochId newest = epochOf(ending, ending.holding().lastKey());
        step.publish(new CoordinatorNotice.EpochEnded(newest, ending.plan(), cause, silent.size()));
        boolean anyCompleted = ending.drained().values().stream().anyMatch(answer -> answer.retired() > 0);
        step.history = step.history.ended(cause, anyCompleted);
        step.noResend();
        act(step, policy.after(step.history, ending, cause, silent));
    }

    /** Ranks that may still write to memory of the epoch; who is not known to have drained it is one of them. */
    private static SortedSet<Integer> undrained(Step step, Ending ending, EpochId epoch) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (int rank = 0; rank < step.config.worldSize(); rank++) {
            boolean settledHere = epoch.equals(ending.holding().get(rank)) && settled(ending, rank);
            if (!settledHere && !drainedBefore(step, rank, epoch)) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    private static boolean drainedBefore(Step step, int rank, EpochId epoch) {
        return step.ends().values().stream()
                .anyMatch(end -> end.epoch().equals(epoch) && !end.undrained().contains(rank));
    }

    private void act(Step step, Decision decision) {
        if (decision instanceof Decision.Fail fail) {
            TerminalRules.fail(step, fail.cause());
        } else if (decision instanceof Decision.Close close) {
            TerminalRules.close(step, close.cause());
        } else if (decision instanceof Decision.Again again) {
            step.history = again.history();
            step.publish(new CoordinatorNotice.Retrying(again.cause(), again.excluded(), again.delay()));
            if (again.delay().isZero() || !step.complete()) {
                proceed.accept(step); // Waiting for a rank is pause enough.
            } else {
                step.phase = new Pausing();
                step.deadline(again.delay());
            }
        }
    }

    /** A rank that did not hear how its epoch ended says again that it has drained, and is told again. */
    void answerAgain(Step step, Drained drained) {
        EpochEnded ended = step.ends().get(drained.from());
        if (ended != null && ended.epoch().equals(drained.epoch())) {
            step.send(ended);
        }
    }
}
