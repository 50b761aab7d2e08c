package io.tutti.actors.protocol.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.simulation.SimPlanner;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rank 1 of 2 under test: what it is told, and what it did about the last thing it was told. */
final class RankProbe {

    static final Incarnation SELF = new Incarnation(1, "r1.0", "p1.0");
    static final Term TERM = new Term(3, "c");
    static final EpochId EPOCH = new EpochId(TERM, 5);
    static final ErrorInfo CAUSE = ErrorInfo.of(ErrorCode.ABORTED, "it ended", "");
    static final RankTiming TIMING = RankTiming.standard();

    private final RankCore core =
            new RankCore(new RankConfig("tp0", SELF, 2, 1, Policy.standard(), TIMING), new SimPlanner());
    private RankState state;
    private List<RankCommand> commands;

    RankProbe() {
        Transition<RankState, RankCommand> start = core.start();
        state = start.state();
        commands = start.commands();
    }

    // Telling it something.

    RankProbe on(RankEvent event) {
        Transition<RankState, RankCommand> next = core.on(state, event);
        state = next.state();
        commands = next.commands();
        return this;
    }

    RankProbe hear(RankMessage message) {
        return on(new RankEvent.Received(message));
    }

    RankProbe fire(RankTimer timer) {
        return on(new RankEvent.TimerFired(timer));
    }

    RankProbe ignores(RankMessage message) {
        return ignores(new RankEvent.Received(message));
    }

    RankProbe ignores(RankEvent event) {
        RankState before = state;
        on(event);
        assertThat(commands).isEmpty();
        assertThat(state).isEqualTo(before);
        return this;
    }

    RankProbe claimed() {
        return hear(new RankMessage.Claim(TERM, SELF));
    }

    static RankMessage.StageOrder order(EpochId epoch, Stage stage) {
        return new RankMessage.StageOrder(SELF, epoch, stage, input(stage), 1000);
    }

    static List<RankFacts> facts() {
        return List.of(SimPlanner.facts(0, "p0"), SimPlanner.facts(1, "p1"));
    }

    static StageInput input(Stage stage) {
        if (stage == Stage.PLAN) {
            SimPlanner planner = new SimPlanner();
            PlanningResult.Planned planned =
                    (PlanningResult.Planned) planner.plan(facts(), Policy.standard(), List.of());
            return new StageInput.Planning(facts(), Policy.standard(), List.of(), 0, planner.hash(planned.plan()));
        }
        return stage == Stage.IMPORT ? new StageInput.Importing(List.of()) : new StageInput.Nothing();
    }

    RankProbe ordered(Stage stage) {
        return hear(order(EPOCH, stage));
    }

    RankProbe finished(Stage stage, StageOutcome outcome) {
        return on(new RankEvent.StageFinished(EPOCH, stage, outcome));
    }

    /** Promised, and all stages before this one carried out. */
    RankProbe at(Stage stage) {
        claimed();
        for (Stage each : Stage.values()) {
            if (each.ordinal() < stage.ordinal()) {
                ordered(each);
                if (each == Stage.IDENTITY) {
                    finished(each, new StageOutcome.Facts(SimPlanner.facts(1, "p1")));
                } else if (each != Stage.PLAN) {
                    finished(each, new StageOutcome.Done());
                }
            }
        }
        return this;
    }

    RankProbe entered() {
        return at(Stage.COMMIT).hear(new RankMessage.Commit(SELF, EPOCH));
    }

    RankProbe running() {
        return entered().hear(new RankMessage.Committed(SELF, EPOCH));
    }

    RankProbe aborted() {
        return hear(new RankMessage.Abort(TERM, SELF, EPOCH, CAUSE));
    }

    RankProbe drained(long retired, @Nullable CallDescriptor pending) {
        return on(new RankEvent.DeviceDrained(EPOCH, retired, Optional.ofNullable(pending)));
    }

    static RankMessage.EpochEnded end(Set<Integer> undrained) {
        return new RankMessage.EpochEnded(TERM, SELF, EPOCH, CAUSE, undrained, Map.of(), true);
    }

    RankProbe ended(Integer... undrained) {
        return hear(end(Set.of(undrained)));
    }

    // Asking it.

    RankState state() {
        return state;
    }

    RankPhase phase() {
        return state.phase();
    }

    List<RankCommand> commands() {
        return commands;
    }

    <C extends RankCommand> List<C> did(Class<C> kind) {
        return commands.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    <M extends CoordinatorMessage> List<M> said(Class<M> kind) {
        return did(RankCommand.Send.class).stream()
                .map(RankCommand.Send::message)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    boolean started(RankTimer timer) {
        return did(RankCommand.StartTimer.class).stream().anyMatch(start -> start.timer() == timer);
    }
}
