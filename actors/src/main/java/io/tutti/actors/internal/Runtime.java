package io.tutti.actors.internal;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.config.PekkoSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.facts.ProcessIdentity;
import io.tutti.gpu.plan.RankFacts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one process owns: the driver's ranks, the node's actors and, when it was started here, the actor
 * system. Native libraries are loaded and tried before any actor exists, since a linkage error inside an actor would end
 * the JVM.
 */
public final class Runtime implements AutoCloseable {

    private final TuttiSettings settings;
    private final Node node;
    private final ActorSystem<?> system;
    private final boolean ownsSystem;
    private final ActorRef<NodeActor.Command> guardian;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Runtime(
            TuttiSettings settings,
            Node node,
            ActorSystem<?> system,
            boolean ownsSystem,
            ActorRef<NodeActor.Command> guardian) {
        this.settings = settings;
        this.node = node;
        this.system = system;
        this.ownsSystem = ownsSystem;
        this.guardian = guardian;
    }

    public static Runtime start(TuttiSettings settings, Config config) {
        Config pekko = PekkoSettings.of(settings, config);
        Node node = Node.open(settings);
        try {
            ActorSystem<NodeActor.Command> system = ActorSystem.create(
                    NodeActor.create(node), settings.cluster().name(), pekko);
            ClusterEntry.join(system, settings);
            return new Runtime(settings, node, system, true, system);
        } catch (RuntimeException e) {
            node.close();
            throw ClusterEntry.explain(e, settings);
        }
    }

    public static Runtime attach(TuttiSettings settings, ActorSystem<?> system) {
        ClusterEntry.requireCluster(system, settings);
        Node node = Node.open(settings);
        try {
            ActorRef<NodeActor.Command> guardian =
                    system.systemActorOf(NodeActor.create(node), "tutti-node", Props.empty());
            return new Runtime(settings, node, system, false, guardian);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    public Set<String> communicators() {
        return node.communicators().keySet();
    }

    public CompletionStage<Communicator> communicator(String name) {
        Map<String, LocalCommunicator> communicators = node.communicators();
        LocalCommunicator communicator = communicators.get(name);
        if (communicator == null) {
            return CompletableFuture.failedStage(new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "no such communicator is configured: communicator=" + name + " configured="
                            + communicators.keySet(),
                    "Name one of those, or add it under tutti.communicators.")));
        }
        return FormingWait.begin(system, settings, communicator).exceptionallyCompose(this::explained);
    }

    private CompletionStage<Communicator> explained(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean over = cause instanceof TuttiException typed && typed.code() == ErrorCode.CLOSED;
        return CompletableFuture.failedStage(
                over && !closed.get() && isTerminating()
                        ? new TuttiException(FormingWait.systemEnded(system, settings), cause)
                        : cause);
    }

    private boolean isTerminating() {
        return system.whenTerminated().isCompleted()
                || CoordinatedShutdown.get(system).getShutdownReason().isPresent();
    }

    /** How far a communicator is on its way to its first epoch; empty where none of that name has ranks here. */
    public Optional<FormingProgress> forming(String name) {
        Optional<LocalCommunicator> communicator = Optional.ofNullable(
                        node.communicators().get(name))
                .filter(local -> !local.localRanks().isEmpty());
        return communicator.map(local -> ClusterEntry.isMember(system)
                ? local.forming()
                : new FormingProgress(
                        "joining the cluster", 0, local.localRanks().size()));
    }

    /** What the ranks here of a communicator have told about their places and devices so far. */
    public List<RankFacts> facts(String name) {
        LocalCommunicator communicator = node.communicators().get(name);
        return communicator == null ? List.of() : communicator.facts();
    }

    public String address() {
        return ClusterEntry.address(system);
    }

    public String processIdentity() {
        return ProcessIdentity.current();
    }

    public void processExited(String processIdentity, String how, @Nullable String address) {
        guardian.tell(new NodeActor.ProcessEnded(processIdentity, how, address));
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<Void> left = new CompletableFuture<>();
        guardian.tell(new NodeActor.Leave(left));
        // Where the system was ended by somebody else, its actors have given everything back and answer no more.
        boolean inTime = await(
                CompletableFuture.anyOf(left, system.getWhenTerminated().toCompletableFuture()),
                settings.closeTimeout());
        if (ownsSystem) {
            system.terminate();
            inTime &= await(system.getWhenTerminated().toCompletableFuture(), settings.closeTimeout());
        }
        node.close();
        if (!inTime) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.TIMEOUT,
                    "closing the runtime took too long: timeout=" + settings.closeTimeout() + " ranksStillOpen="
                            + node.openRanks(),
                    "Look at the log for what these ranks wait for, or raise tutti.close.timeout."));
        }
    }

    private static boolean await(CompletableFuture<?> future, Duration timeout) {
        try {
            future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
