package io.tutti.actors.simulation;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.protocol.coordinator.CoordinatorCommand;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent;
import io.tutti.actors.protocol.coordinator.CoordinatorNotice;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase;
import io.tutti.actors.protocol.coordinator.CoordinatorState;
import io.tutti.actors.protocol.coordinator.CoordinatorTimer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One coordinator: its core and its timers. */
final class SimCoordinator {

    private final Simulation simulation;
    private final String id;
    private final Machine<CoordinatorState, CoordinatorEvent, CoordinatorCommand> core;
    private final Timers<CoordinatorTimer> timers;
    private @Nullable CoordinatorState state;
    private boolean alive = true;

    SimCoordinator(
            Simulation simulation, String id, Machine<CoordinatorState, CoordinatorEvent, CoordinatorCommand> core) {
        this.simulation = simulation;
        this.id = id;
        this.core = core;
        this.timers = new Timers<>(
                simulation.time, CoordinatorTimer.class, timer -> feed(new CoordinatorEvent.TimerFired(timer)));
    }

    void start() {
        if (alive) {
            apply(core.start());
        }
    }

    void die() {
        alive = false;
        for (CoordinatorTimer timer : CoordinatorTimer.values()) {
            timers.cancel(timer);
        }
    }

    CoordinatorPhase phase() {
        return state == null ? new CoordinatorPhase.Gathering(Optional.empty()) : state.phase();
    }

    boolean ended() {
        return phase() instanceof CoordinatorPhase.Failed
                || phase() instanceof CoordinatorPhase.Closed
                || phase() instanceof CoordinatorPhase.Superseded;
    }

    void receive(CoordinatorMessage message) {
        feed(new CoordinatorEvent.Received(message));
    }

    void feed(CoordinatorEvent event) {
        if (alive && state != null) {
            simulation.note(this, event);
            apply(core.on(state, event));
        }
    }

    private void apply(Transition<CoordinatorState, CoordinatorCommand> transition) {
        state = transition.state();
        for (CoordinatorCommand command : transition.commands()) {
            if (command instanceof CoordinatorCommand.Send send) {
                simulation.toRank(this, send.message());
            } else if (command instanceof CoordinatorCommand.StartTimer start) {
                timers.start(start.timer(), start.delay());
            } else if (command instanceof CoordinatorCommand.CancelTimer cancel) {
                timers.cancel(cancel.timer());
            } else if (command instanceof CoordinatorCommand.Publish publish
                    && publish.notice() instanceof CoordinatorNotice.Leading leading) {
                simulation.promises.leads(leading.term());
            } else if (command instanceof CoordinatorCommand.Publish publish
                    && publish.notice() instanceof CoordinatorNotice.StageStarted started) {
                simulation.stageStarted(started.stage());
            }
        }
        Promises.check(!ended() || timers.running().isEmpty(), this + " has ended and timers run: " + timers.running());
    }

    @Override
    public String toString() {
        return id;
    }
}
