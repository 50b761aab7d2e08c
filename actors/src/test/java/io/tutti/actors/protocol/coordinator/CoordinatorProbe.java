package io.tutti.actors.protocol.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.simulation.SimPlanner;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.RankFacts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A coordinator's core under test: what it is told, and what it said to the last thing it was told. */
final class CoordinatorProbe {

    static final CoordinatorTiming TIMING = CoordinatorTiming.standard();
    static final CoordinatorLimits LIMITS = new CoordinatorLimits(8, 3, 2, 2, 1 << 20);

    private final CoordinatorCore core;
    private final int world;
    private UnaryOperator<RankFacts> facts = UnaryOperator.identity();
    private CoordinatorState state;
    private List<CoordinatorCommand> commands;
    private long sentSoFar;

    CoordinatorProbe(int world) {
        this.world = world;
        core = new CoordinatorCore(
                new CoordinatorConfig("tp0", "c1", world, 1, Policy.standard(), TIMING, LIMITS), new SimPlanner());
        Transition<CoordinatorState, CoordinatorCommand> start = core.start();
        state = start.state();
        commands = start.commands();
    }

    static Incarnation rank(int rank) {
        return life(rank, 0);
    }

    static Incarnation life(int rank, int life) {
        return new Incarnation(rank, "r" + rank + "." + life, "p" + rank + "." + life);
    }

    static CoordinatorMessage.Hello hello(int rank, int world) {
        return new CoordinatorMessage.Hello(rank(rank), world, 1, Term.NONE);
    }

    static ErrorInfo error(ErrorCode code, @Nullable String result) {
        return new ErrorInfo(code, null, "call", result, "it broke", "mend it");
    }

    // Telling it something.

    CoordinatorProbe on(CoordinatorEvent event) {
        Transition<CoordinatorState, CoordinatorCommand> next = core.on(state, event);
        state = next.state();
        commands = next.commands();
        sentSoFar += commands.stream()
                .filter(CoordinatorCommand.Send.class::isInstance)
                .count();
        return this;
    }

    /** Messages to all ranks since the beginning. */
    long sentSoFar() {
        return sentSoFar;
    }

    CoordinatorProbe hear(CoordinatorMessage message) {
        return on(new CoordinatorEvent.Received(message));
    }

    CoordinatorProbe fire(CoordinatorTimer timer) {
        return on(new CoordinatorEvent.TimerFired(timer));
    }

    CoordinatorProbe lost(Incarnation rank, boolean reaped) {
        return on(new CoordinatorEvent.RankLost(rank, reaped, error(ErrorCode.REMOTE, null)));
    }

    /** The same event changes nothing and says nothing. */
    CoordinatorProbe ignores(CoordinatorMessage message) {
        CoordinatorState before = state;
        hear(message);
        assertThat(commands).isEmpty();
        assertThat(state).isEqualTo(before);
        return this;
    }

    CoordinatorProbe gathered() {
        ranks().forEach(rank -> hear(hello(rank, world)));
        return this;
    }

    CoordinatorProbe promised() {
        ranks().forEach(this::promise);
        return this;
    }

    CoordinatorProbe promise(int rank) {
        return hear(new CoordinatorMessage.Promised(rank(rank), state.term(), 0, Optional.empty(), Optional.empty()));
    }

    /** Gathers, claims, and answers every stage before this one. */
    CoordinatorProbe at(Stage stage) {
        gathered().promised();
        return upTo(stage);
    }

    CoordinatorProbe upTo(Stage stage) {
        for (Stage each : Stage.values()) {
            if (each.ordinal() < stage.ordinal()) {
                ranks().forEach(rank -> answer(rank, each, good(rank, each)));
            }
        }
        return this;
    }

    CoordinatorProbe running() {
        at(Stage.COMMIT);
        return entered();
    }

    /** All ranks enter the epoch that is being committed. */
    CoordinatorProbe entered() {
        ranks().forEach(this::acknowledge);
        return this;
    }

    /** An operation fails, and all ranks drain. */
    CoordinatorProbe operationFailed() {
        failed(0, ErrorCode.TIMEOUT, null);
        ranks().forEach(rank -> drained(rank, 1, null));
        return this;
    }

    CoordinatorProbe answer(int rank, Stage stage, StageOutcome outcome) {
        return hear(new CoordinatorMessage.StageAnswer(rank(rank), epoch(), stage, outcome));
    }

    CoordinatorProbe refuse(int rank, Stage stage, ErrorInfo error) {
        return answer(rank, stage, new StageOutcome.Refused(error, null));
    }

    /** One rank refuses, and all others carry out the stage. */
    CoordinatorProbe onlyRefuses(int rank, Stage stage, ErrorInfo error) {
        refuse(rank, stage, error);
        ranks().filter(other -> other != rank).forEach(other -> answer(other, stage, good(other, stage)));
        return this;
    }

    /** From now on a rank's facts are changed so. */
    CoordinatorProbe telling(UnaryOperator<RankFacts> change) {
        facts = change;
        return this;
    }

    StageOutcome good(int rank, Stage stage) {
        return switch (stage) {
            case IDENTITY -> new StageOutcome.Facts(facts.apply(SimPlanner.facts(rank, "p" + rank)));
            case PLAN -> new StageOutcome.Planned(planHash());
            case EXPORT -> new StageOutcome.Exported(List.of());
            default -> new StageOutcome.Done();
        };
    }

    private String planHash() {
        return new SimPlanner()
                .hash(((CoordinatorPhase.Forming) state.phase()).plan().orElseThrow());
    }

    CoordinatorProbe acknowledge(int rank) {
        return hear(new CoordinatorMessage.CommitAcknowledged(rank(rank), epoch()));
    }

    CoordinatorProbe failed(int rank, ErrorCode code, @Nullable Integer missing) {
        return hear(new CoordinatorMessage.OperationFailed(rank(rank), epoch(), 1, missing, error(code, null)));
    }

    CoordinatorProbe drained(int rank, long retired, @Nullable CallDescriptor pending) {
        return hear(new CoordinatorMessage.Drained(rank(rank), epoch(), retired, Optional.ofNullable(pending)));
    }

    CoordinatorProbe allDrained() {
        ranks().forEach(rank -> drained(rank, 0, null));
        return this;
    }

    private java.util.stream.Stream<Integer> ranks() {
        return IntStream.range(0, world).boxed();
    }

    // Asking it.

    CoordinatorState state() {
        return state;
    }

    CoordinatorPhase phase() {
        return state.phase();
    }

    <P extends CoordinatorPhase> P phase(Class<P> kind) {
        assertThat(state.phase()).isInstanceOf(kind);
        return kind.cast(state.phase());
    }

    /** The epoch of the phase. */
    EpochId epoch() {
        if (state.phase() instanceof CoordinatorPhase.Forming forming) {
            return forming.epoch();
        } else if (state.phase() instanceof CoordinatorPhase.Committing committing) {
            return committing.epoch();
        } else if (state.phase() instanceof CoordinatorPhase.Running running) {
            return running.epoch();
        }
        Map<Integer, EpochId> holding = phase(CoordinatorPhase.Ending.class).holding();
        return holding.values().iterator().next();
    }

    /** What the last event made it say, of this kind. */
    <M extends RankMessage> List<M> sent(Class<M> kind) {
        return commands.stream()
                .filter(CoordinatorCommand.Send.class::isInstance)
                .map(command -> ((CoordinatorCommand.Send) command).message())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** To which ranks the last event made it say something of this kind. */
    List<Integer> sentTo(Class<? extends RankMessage> kind) {
        return sent(kind).stream().map(message -> message.to().rank()).toList();
    }

    Stage ordered() {
        return sent(RankMessage.StageOrder.class).get(0).stage();
    }

    <N extends CoordinatorNotice> List<N> told(Class<N> kind) {
        return commands.stream()
                .filter(CoordinatorCommand.Publish.class::isInstance)
                .map(command -> ((CoordinatorCommand.Publish) command).notice())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    @Nullable
    Duration started(CoordinatorTimer timer) {
        Duration delay = null;
        for (CoordinatorCommand command : commands) {
            if (command instanceof CoordinatorCommand.StartTimer start && start.timer() == timer) {
                delay = start.delay();
            } else if (command instanceof CoordinatorCommand.CancelTimer cancel && cancel.timer() == timer) {
                delay = null;
            }
        }
        return delay;
    }
}
