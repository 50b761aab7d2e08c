package io.tutti.actors.simulation;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.protocol.rank.Agreed;
import io.tutti.actors.protocol.rank.RankCommand;
import io.tutti.actors.protocol.rank.RankEvent;
import io.tutti.actors.protocol.rank.RankPhase;
import io.tutti.actors.protocol.rank.RankState;
import io.tutti.actors.protocol.rank.RankTimer;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.op.CallDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One life of one rank: its core, its timers, its device and its user. */
final class SimRank {

    private final Simulation simulation;
    private final Incarnation incarnation;
    private final Machine<RankState, RankEvent, RankCommand> core;
    private final Timers<RankTimer> timers;
    private final List<RankEvent> heldBack = new ArrayList<>();

    private @Nullable RankState state;
    private boolean alive = true;
    private boolean stopped;

    private boolean working;
    private @Nullable EpochId toDrain;
    private @Nullable EpochId abortedEpoch;

    private @Nullable EpochId live;
    private @Nullable Agreed agreed;
    private long sequence;
    private long retired;
    private @Nullable CallDescriptor running;
    private @Nullable CallDescriptor failedCall;

    SimRank(Simulation simulation, Incarnation incarnation, Machine<RankState, RankEvent, RankCommand> core) {
        this.simulation = simulation;
        this.incarnation = incarnation;
        this.core = core;
        this.timers = new Timers<>(simulation.time, RankTimer.class, timer -> feed(new RankEvent.TimerFired(timer)));
    }

    void start() {
        if (alive) {
            apply(core.start(), null);
        }
    }

    int rank() {
        return incarnation.rank();
    }

    Incarnation incarnation() {
        return incarnation;
    }

    boolean alive() {
        return alive;
    }

    RankPhase phase() {
        return state == null ? new RankPhase.Greeting() : state.phase();
    }

    boolean finished() {
        return phase() instanceof RankPhase.Finished;
    }

    Timers<RankTimer> timers() {
        return timers;
    }

    /** The process dies: nothing more happens in it, and no kernel of it stores again. */
    void die() {
        replaced();
        simulation.promises.died(this);
    }

    /** The rank's actor dies while its process, and what its kernels do, lives on. */
    void replaced() {
        alive = false;
        for (RankTimer timer : RankTimer.values()) {
            timers.cancel(timer);
        }
    }

    void stop() {
        stopped = true;
    }

    void carryOn() {
        stopped = false;
        List<RankEvent> events = List.copyOf(heldBack);
        heldBack.clear();
        events.forEach(this::feed);
    }

    void feed(RankEvent event) {
        if (!alive || state == null) {
            return; // Nobody is there to hear it.
        }
        if (stopped) {
            heldBack.add(event);
            return;
        }
        simulation.note(this, event);
        Transition<RankState, RankCommand> next = core.on(state, event);
        if (event instanceof RankEvent.Received received
                && !received.message().to().equals(incarnation)) {
            boolean ignored = next.commands().isEmpty() && next.state().equals(state);
            Promises.check(ignored, this + " acts on what is for another life: " + received.message());
        }
        apply(next, event);
    }

    private void apply(Transition<RankState, RankCommand> transition, @Nullable RankEvent event) {
        state = transition.state();
        checkAnswered(transition, event);
        checkPoisoned(transition, event);
        transition.commands().forEach(this::carryOut);
        if (state.phase() instanceof RankPhase.Finished) {
            Promises.check(timers.running().isEmpty(), this + " has finished and timers run: " + timers.running());
        }
    }

    /** Every stage that was carried out is answered, unless the epoch was aborted meanwhile. */
    private void checkAnswered(Transition<RankState, RankCommand> transition, @Nullable RankEvent event) {
        if (event instanceof RankEvent.StageFinished finished
                && !finished.epoch().equals(abortedEpoch)) {
            boolean answered = transition.commands().stream()
                    .anyMatch(command -> command instanceof RankCommand.Send send
                            && send.message() instanceof CoordinatorMessage.StageAnswer answer
                            && answer.stage() == finished.stage()
                            && answer.epoch().equals(finished.epoch()));
            Promises.check(answered, this + " did not answer " + finished.stage() + " of " + finished.epoch());
        }
    }

    private void checkPoisoned(Transition<RankState, RankCommand> transition, @Nullable RankEvent event) {
        if (event instanceof RankEvent.TimerFired fired && fired.timer() == RankTimer.PATIENCE) {
            boolean refuses = transition.commands().stream()
                    .anyMatch(command -> command instanceof RankCommand.Send send
                            && send.message() instanceof CoordinatorMessage.StageAnswer answer
                            && answer.stage() == Stage.COMMIT);
            boolean poisons = transition.commands().stream().anyMatch(RankCommand.PoisonPad.class::isInstance);
            Promises.check(refuses == poisons, this + " refuses a commit without poisoning its pad");
        }
    }

    private void carryOut(RankCommand command) {
        if (command instanceof RankCommand.Send send) {
            if (send.message() instanceof CoordinatorMessage.Promised promised) {
                simulation.promises.promised(this, promised);
            }
            simulation.toCoordinator(this, send.message());
        } else if (command instanceof RankCommand.StartTimer start) {
            timers.start(start.timer(), start.delay());
        } else if (command instanceof RankCommand.CancelTimer cancel) {
            timers.cancel(cancel.timer());
        } else if (command instanceof RankCommand.Perform perform) {
            perform(perform);
        } else if (command instanceof RankCommand.EnterEpoch enter) {
            simulation.promises.enters(this, enter.epoch());
        } else if (command instanceof RankCommand.AnnounceCommitted committed) {
            begin(committed);
        } else if (command instanceof RankCommand.PoisonPad poison) {
            simulation.calls.abort(poison.epoch(), rank());
        } else if (command instanceof RankCommand.AbortDevice abort) {
            abortedEpoch = abort.epoch();
            simulation.calls.abortEverywhere(abort.epoch());
        } else if (command instanceof RankCommand.DrainDevice drain) {
            toDrain = drain.epoch();
            drainWhenIdle();
        } else if (command instanceof RankCommand.EndEpoch end) {
            endForUser(end);
        } else if (command instanceof RankCommand.ReleaseEpoch release) {
            simulation.promises.released(this, release.epoch());
        } else if (command instanceof RankCommand.AbandonEpoch abandon) {
            simulation.promises.abandoned(this, abandon.epoch());
        } else if (command instanceof RankCommand.Finish) {
            simulation.promises.finished(this);
        }
    }

    // The device.

    private void perform(RankCommand.Perform perform) {
        simulation.promises.begins(this, perform.epoch(), perform.stage());
        working = true;
        StageOutcome outcome = simulation.outcome(this, perform);
        long duration = simulation.duration(perform.timeout());
        simulation.time.after(duration, () -> {
            working = false;
            if (perform.stage() == Stage.ARM && outcome instanceof StageOutcome.Done && alive) {
                simulation.promises.armed(this, perform.epoch());
            }
            feed(new RankEvent.StageFinished(perform.epoch(), perform.stage(), outcome));
            drainWhenIdle();
        });
    }

    private void drainWhenIdle() {
        EpochId epoch = toDrain;
        if (epoch != null && !working && running == null) {
            toDrain = null;
            simulation.time.after(10 + simulation.random.nextInt(500), () -> {
                if (alive) {
                    simulation.promises.drained(this, epoch);
                }
                boolean ran = epoch.equals(live);
                Optional<CallDescriptor> pending = ran ? Optional.ofNullable(failedCall) : Optional.empty();
                feed(new RankEvent.DeviceDrained(epoch, ran ? retired : 0, pending));
            });
        }
    }

    // The user.

    private void begin(RankCommand.AnnounceCommitted committed) {
        simulation.promises.visible(this, committed.epoch());
        live = committed.epoch();
        agreed = committed.agreed();
        sequence = 0;
        retired = 0;
        running = null;
        failedCall = null;
        simulation.users.enter(committed.epoch());
        nextCall(committed.epoch());
    }

    private void nextCall(EpochId epoch) {
        long delay = simulation.users.pause(simulation.random);
        simulation.time.after(delay, () -> {
            if (alive && epoch.equals(live) && !epoch.equals(abortedEpoch) && failedCall == null) {
                int operation = simulation.users.operation(epoch, sequence + 1);
                if (operation < simulation.scenario.operations()) {
                    call(epoch, operation);
                }
            }
        });
    }

    private void call(EpochId epoch, int operation) {
        sequence++;
        CallDescriptor call = Calls.call(sequence, operation, simulation.users.tokens(simulation.random));
        running = call;
        if (simulation.users.refuses(simulation.random)) {
            simulation.calls.refuse(this, epoch, call);
        } else {
            simulation.calls.start(this, epoch, call);
        }
    }

    void callCompleted(EpochId epoch, CallDescriptor call) {
        running = null;
        retired = call.sequence();
        if (alive) {
            simulation.promises.completes(
                    this,
                    (int) call.tag(),
                    epoch,
                    Objects.requireNonNull(agreed).plan().path());
            simulation.users.done((int) call.tag());
        }
        drainWhenIdle();
        nextCall(epoch);
    }

    void callFailed(EpochId epoch, CallDescriptor call, @Nullable Integer missing, ErrorInfo error) {
        running = null;
        failedCall = call;
        simulation.time.after(1 + simulation.random.nextInt(20), () -> {
            feed(new RankEvent.CallFailed(epoch, call.sequence(), missing, error));
        });
        drainWhenIdle();
    }

    private void endForUser(RankCommand.EndEpoch end) {
        simulation.promises.endsForUsers(this, end.epoch());
        if (!end.epoch().equals(live)) {
            return;
        }
        CallDescriptor failed = failedCall != null ? failedCall : running;
        if (failed != null) {
            if (!simulation.isLatest(this)) {
                return; // Whatever its user makes of it, nobody follows a life that was replaced.
            } else if (end.resubmittable()) {
                simulation.promises.resubmittable((int) failed.tag());
            } else {
                simulation.users.done((int) failed.tag());
            }
        }
    }

    /** Where it is, in short. */
    String describe() {
        return this + " " + phase().getClass().getSimpleName()
                + phase().held().map(e -> " in " + e).orElse("");
    }

    @Override
    public String toString() {
        return incarnation.id();
    }
}
