package io.tutti.actors.internal;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.PekkoSettings;
import io.tutti.config.TuttiSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * The parent of everything that runs in one process: for each configured communicator it starts the coordinator's
 * singleton and a rank actor, on a thread of its own, for every rank that is placed here.
 */
final class NodeActor extends AbstractBehavior<NodeActor.Command> {

    sealed interface Command {}

    /** All ranks leave; {@code left} completes when every one has given everything back. */
    record Leave(CompletableFuture<Void> left) implements Command {}

    /**
     * A process that this one started, or watches for the operating system, has ended.
     *
     * @param processId its identity, as in its ranks' facts
     * @param how how it ended, for people
     * @param address its member's address, host:port, or null where it never joined
     */
    record ProcessEnded(
            String processId, String how, @Nullable String address) implements Command {}

    private final List<CoordinatorProxy> coordinators = new ArrayList<>();
    private @Nullable CompletableFuture<Void> left;
    private int children;

    private NodeActor(ActorContext<Command> context, Node node) {
        super(context);
        node.settings().communicators().forEach(communicator -> start(node, communicator));
    }

    static Behavior<Command> create(Node node) {
        return Behaviors.setup(context -> new NodeActor(context, node));
    }

    private void start(Node node, CommunicatorSettings communicator) {
        TuttiSettings settings = node.settings();
        CoordinatorProxy coordinator = CoordinatorProxy.start(getContext().getSystem(), settings, communicator);
        coordinators.add(coordinator);
        for (LocalRank rank : node.ranks(communicator.name())) {
            ActorRef<Object> actor = getContext()
                    .spawn(
                            RankActor.create(node, communicator, rank, coordinator),
                            communicator.name() + "-rank-" + rank.rank(),
                            DispatcherSelector.fromConfig(PekkoSettings.RANK_DISPATCHER));
            rank.onCloseRequest(() -> actor.tell(RankActor.Close.INSTANCE));
            rank.onForgetRequest(() -> actor.tell(RankActor.Forget.INSTANCE));
            getContext().watch(actor);
            children++;
        }
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Leave.class, this::onLeave)
                .onMessage(ProcessEnded.class, this::onProcessEnded)
                .onSignal(Terminated.class, this::onTerminated)
                .build();
    }

    private Behavior<Command> onLeave(Leave leave) {
        left = leave.left();
        getContext().getChildren().forEach(child -> child.<Object>unsafeUpcast().tell(RankActor.Close.INSTANCE));
        return stopWhenEmpty();
    }

    private Behavior<Command> onProcessEnded(ProcessEnded ended) {
        coordinators.forEach(coordinator -> coordinator.processExited(ended.processId(), ended.how()));
        // Membership would need many seconds to notice what the operating system has already said.
        if (ended.address() != null) {
            ClusterEntry.down(getContext().getSystem(), ended.address());
        }
        return this;
    }

    private Behavior<Command> onTerminated(Terminated terminated) {
        children--;
        return stopWhenEmpty();
    }

    private Behavior<Command> stopWhenEmpty() {
        if (left == null || children > 0) {
            return this;
        }
        left.complete(null);
        return Behaviors.stopped();
    }
}
