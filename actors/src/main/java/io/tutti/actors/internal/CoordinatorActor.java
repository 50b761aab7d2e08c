package io.tutti.actors.internal;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.protocol.coordinator.CoordinatorCommand;
import io.tutti.actors.protocol.coordinator.CoordinatorConfig;
import io.tutti.actors.protocol.coordinator.CoordinatorCore;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent;
import io.tutti.actors.protocol.coordinator.CoordinatorState;
import io.tutti.actors.protocol.coordinator.CoordinatorTimer;
import io.tutti.actors.wire.CoordinatorInbox;
import io.tutti.actors.wire.ProcessExited;
import io.tutti.actors.wire.ToCoordinator;
import io.tutti.actors.wire.ToRank;
import io.tutti.actors.wire.WireMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The shell of {@link CoordinatorCore}, one per communicator in the cluster: it turns messages, timers and lost ranks
 * into events and carries out the core's commands. It decides nothing.
 */
final class CoordinatorActor extends AbstractBehavior<Object> {

    private record Fired(CoordinatorTimer timer) {}

    private record Lost(Incarnation rank) {}

    private final String communicator;
    private final String instance;
    private final TimerScheduler<Object> timers;
    private final Machine<CoordinatorState, CoordinatorEvent, CoordinatorCommand> core;
    private final CoordinatorLog log;
    private final CoordinatorMetrics metrics;
    private final Map<Incarnation, ActorRef<ToRank>> ranks = new HashMap<>();
    private CoordinatorState state;

    private CoordinatorActor(
            ActorContext<Object> context, TimerScheduler<Object> timers, CoordinatorConfig config, String instance) {
        super(context);
        this.communicator = config.communicator();
        this.instance = instance;
        this.timers = timers;
        this.core = new CoordinatorCore(config, ProductPlanner.INSTANCE);
        this.log = new CoordinatorLog(communicator);
        this.metrics = new CoordinatorMetrics(communicator);
        Transition<CoordinatorState, CoordinatorCommand> start = core.start();
        this.state = start.state();
        start.commands().forEach(this::carryOut);
    }

    /** The behaviour as the cluster's singleton knows it: ranks' messages in, everything else is its own. */
    static Behavior<CoordinatorInbox> create(CoordinatorConfig config, String instance) {
        return Behaviors.<Object>setup(context ->
                        Behaviors.withTimers(timers -> new CoordinatorActor(context, timers, config, instance)))
                .narrow();
    }

    @Override
    public Receive<Object> createReceive() {
        return newReceiveBuilder()
                .onMessage(ToCoordinator.class, this::onRank)
                .onMessage(ProcessExited.class, this::onProcessExited)
                .onMessage(Fired.class, this::onFired)
                .onMessage(Lost.class, this::onLost)
                .build();
    }

    private Behavior<Object> onRank(ToCoordinator envelope) {
        if (!envelope.communicator().equals(communicator)
                || !envelope.instance().equals(instance)) {
            log.stranger(envelope);
            return this;
        }
        metrics.received();
        Incarnation from = envelope.message().from();
        if (ranks.put(from, envelope.replyTo()) == null) {
            getContext().watchWith(envelope.replyTo(), new Lost(from));
        }
        return feed(new CoordinatorEvent.Received(envelope.message()));
    }

    private Behavior<Object> onProcessExited(ProcessExited exited) {
        if (!isOurs(exited)) {
            return this;
        }
        for (Incarnation rank : List.copyOf(ranks.keySet())) {
            if (rank.processId().equals(exited.processId())) {
                ranks.remove(rank);
                feed(new CoordinatorEvent.RankLost(rank, true, LostRank.processEnded(rank, exited.how())));
            }
        }
        return this;
    }

    private boolean isOurs(WireMessage envelope) {
        return envelope.communicator().equals(communicator)
                && envelope.instance().equals(instance);
    }

    private Behavior<Object> onFired(Fired fired) {
        return feed(new CoordinatorEvent.TimerFired(fired.timer()));
    }

    private Behavior<Object> onLost(Lost lost) {
        ranks.remove(lost.rank());
        // Lost contact is not a reaped process: its kernels may still store.
        return feed(new CoordinatorEvent.RankLost(lost.rank(), false, LostRank.contactLost(lost.rank())));
    }

    private Behavior<Object> feed(CoordinatorEvent event) {
        Transition<CoordinatorState, CoordinatorCommand> transition = core.on(state, event);
        state = transition.state();
        transition.commands().forEach(this::carryOut);
        return this;
    }

    private void carryOut(CoordinatorCommand command) {
        if (command instanceof CoordinatorCommand.Send send) {
            ActorRef<ToRank> rank = ranks.get(send.message().to());
            if (rank != null) {
                metrics.sent();
                rank.tell(new ToRank(communicator, instance, send.message()));
            }
        } else if (command instanceof CoordinatorCommand.StartTimer start) {
            timers.startSingleTimer(start.timer(), new Fired(start.timer()), start.delay());
        } else if (command instanceof CoordinatorCommand.CancelTimer cancel) {
            timers.cancel(cancel.timer());
        } else if (command instanceof CoordinatorCommand.Publish publish) {
            log.notice(publish.notice());
            metrics.notice(publish.notice());
        }
    }
}
