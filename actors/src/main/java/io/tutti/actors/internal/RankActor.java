package io.tutti.actors.internal;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.protocol.rank.RankCommand;
import io.tutti.actors.protocol.rank.RankConfig;
import io.tutti.actors.protocol.rank.RankCore;
import io.tutti.actors.protocol.rank.RankEvent;
import io.tutti.actors.protocol.rank.RankPhase;
import io.tutti.actors.protocol.rank.RankState;
import io.tutti.actors.protocol.rank.RankTimer;
import io.tutti.actors.wire.ProtocolVersion;
import io.tutti.actors.wire.ToRank;
import io.tutti.config.CommunicatorSettings;
import io.tutti.gpu.facts.ProcessIdentity;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;
import java.util.UUID;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/**
 * The shell of {@link RankCore}: one rank, on a thread of its own. Messages, timers and what the device reports become
 * events; the core's commands go to the device through {@link StageRunner}, to the coordinator and to the user's {@link
 * LocalRank}. It decides nothing, and a call of a user never passes it.
 */
final class RankActor extends AbstractBehavior<Object> {

    /** Asks the rank to leave; repeated requests change nothing. */
    enum Close {
        INSTANCE
    }

    /** Asks the rank to have the coordinator forget what was refused. */
    enum Forget {
        INSTANCE
    }

    /** Something happened outside the actor's thread. */
    record Happened(RankEvent event) {}

    private record Fired(RankTimer timer) {}

    private enum Tick {
        EXPIRE_HELD
    }

    private final TimerScheduler<Object> timers;
    private final LocalRank rank;
    private final StageRunner stages;
    private final CoordinatorProxy coordinator;
    private final Machine<RankState, RankEvent, RankCommand> core;
    private RankState state;
    private boolean finished;

    private RankActor(
            ActorContext<Object> context,
            TimerScheduler<Object> timers,
            Node node,
            CommunicatorSettings communicator,
            LocalRank rank,
            CoordinatorProxy coordinator) {
        super(context);
        this.timers = timers;
        this.rank = rank;
        this.coordinator = coordinator;
        this.stages = new StageRunner(
                node.facts(rank),
                rank,
                communicator.worldSize(),
                node.settings().probeFactor(),
                node.sharing()
                        .map(sharing -> new PeerWatch(
                                sharing.service(),
                                node.settings().stageTimeouts().of(Stage.IMPORT.wireName()),
                                rank::peerLost)));
        Incarnation self = new Incarnation(rank.rank(), UUID.randomUUID().toString(), ProcessIdentity.current());
        RankConfig config = new RankConfig(
                communicator.name(),
                self,
                communicator.worldSize(),
                ProtocolVersion.CURRENT,
                node.settings().policy(),
                RankTimings.of(node.settings()));
        this.core = new RankCore(config, ProductPlanner.INSTANCE);
        rank.onCallFailed(event -> context.getSelf().tell(new Happened(event)));
        timers.startTimerWithFixedDelay(
                Tick.EXPIRE_HELD, node.settings().heartbeat().interval());
        Transition<RankState, RankCommand> start = core.start();
        this.state = start.state();
        start.commands().forEach(this::carryOut);
    }

    static Behavior<Object> create(
            Node node, CommunicatorSettings communicator, LocalRank rank, CoordinatorProxy coordinator) {
        return Behaviors.setup(context ->
                Behaviors.withTimers(timers -> new RankActor(context, timers, node, communicator, rank, coordinator)));
    }

    @Override
    public Receive<Object> createReceive() {
        return newReceiveBuilder()
                .onMessage(ToRank.class, this::onCoordinator)
                .onMessage(Happened.class, happened -> feed(happened.event()))
                .onMessage(Fired.class, fired -> feed(new RankEvent.TimerFired(fired.timer())))
                .onMessage(Close.class, close -> feed(new RankEvent.LeaveRequested()))
                .onMessage(Forget.class, forget -> feed(new RankEvent.ForgetRequested()))
                .onMessage(Tick.class, this::onTick)
                .onSignal(PostStop.class, this::onStopped)
                .build();
    }

    private Behavior<Object> onCoordinator(ToRank envelope) {
        return envelope.instance().equals(coordinator.instance())
                ? feed(new RankEvent.Received(envelope.message()))
                : this;
    }

    private Behavior<Object> onTick(Tick tick) {
        rank.expireHeld();
        return this;
    }

    private Behavior<Object> onStopped(PostStop signal) {
        // Also when the actor system is ended by somebody else: what the device holds goes back in any case.
        stages.close();
        rank.close();
        return this;
    }

    private Behavior<Object> feed(RankEvent event) {
        if (finished) {
            return this;
        }
        Transition<RankState, RankCommand> transition = core.on(state, event);
        state = transition.state();
        if (!(state.phase() instanceof RankPhase.Greeting)) {
            rank.greeted();
        }
        transition.commands().forEach(this::carryOut);
        return finished ? Behaviors.stopped() : this;
    }

    private void carryOut(RankCommand command) {
        if (command instanceof RankCommand.Send send) {
            coordinator.tell(send.message(), getContext().getSelf().narrow());
        } else if (command instanceof RankCommand.StartTimer start) {
            timers.startSingleTimer(start.timer(), new Fired(start.timer()), start.delay());
        } else if (command instanceof RankCommand.CancelTimer cancel) {
            timers.cancel(cancel.timer());
        } else if (command instanceof RankCommand.Perform perform) {
            rank.at(perform.stage(), false);
            StageOutcome outcome = stages.perform(perform);
            rank.at(perform.stage(), true);
            // By message and not by recursion, so that events are handled one after the other.
            report(new RankEvent.StageFinished(perform.epoch(), perform.stage(), outcome));
        } else if (command instanceof RankCommand.EnterEpoch enter) {
            stages.enter(enter.epoch());
        } else if (command instanceof RankCommand.AnnounceCommitted announce) {
            rank.running(committed(announce));
        } else if (command instanceof RankCommand.PoisonPad poison) {
            stages.poison(poison.epoch());
        } else if (command instanceof RankCommand.AbortDevice abort) {
            rank.waiting();
            stages.abort(abort.epoch(), abort.cause());
        } else if (command instanceof RankCommand.DrainDevice drain) {
            stages.drain(drain.epoch()).ifPresent(this::report);
        } else if (command instanceof RankCommand.EndEpoch end) {
            stages.end(end.epoch(), end.cause(), end.resubmittable());
        } else if (command instanceof RankCommand.ReleaseEpoch release) {
            stages.release(release.epoch());
        } else if (command instanceof RankCommand.AbandonEpoch abandon) {
            stages.abandon(abandon.epoch());
        } else if (command instanceof RankCommand.AnnounceForgotten) {
            rank.forgotten();
        } else if (command instanceof RankCommand.Finish finish) {
            rank.over(finish.cause());
            finished = true;
        }
    }

    private static CommittedEpoch committed(RankCommand.AnnounceCommitted announce) {
        List<String> processes =
                announce.agreed().facts().stream().map(RankFacts::processId).toList();
        return new CommittedEpoch(announce.epoch(), announce.agreed().plan(), processes);
    }

    private void report(RankEvent event) {
        getContext().getSelf().tell(new Happened(event));
    }
}
