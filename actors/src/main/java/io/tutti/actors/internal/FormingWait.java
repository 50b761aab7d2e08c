package io.tutti.actors.internal;

import io.tutti.actors.api.Communicator;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * One user's wait for a communicator. Its deadline begins when the user asks and covers what comes before any
 * coordinator: joining the cluster and finding who leads there. Once a coordinator has answered, its own deadlines bound
 * the rest, and its words say more. A wait that failed leaves the ranks as they are, so that the user may ask again.
 */
final class FormingWait {

    private FormingWait() {}

    static CompletionStage<Communicator> begin(
            ActorSystem<?> system, TuttiSettings settings, LocalCommunicator communicator) {
        CompletableFuture<Communicator> ready = communicator.ready().toCompletableFuture();
        if (ready.isDone()) {
            return ready.minimalCompletionStage();
        }
        Duration limit = settings.cluster().formTimeout();
        CompletableFuture<Communicator> asked = ready.copy();
        Cancellable deadline = system.scheduler()
                .scheduleOnce(
                        limit,
                        () -> obstacle(system, settings, communicator)
                                .ifPresent(error -> asked.completeExceptionally(new TuttiException(error))),
                        system.executionContext());
        asked.whenComplete((formed, failure) -> deadline.cancel());
        return asked.minimalCompletionStage();
    }

    /** Why a communicator was closed that nobody closed: the actor system ended, which only its log explains. */
    static ErrorInfo systemEnded(ActorSystem<?> system, TuttiSettings settings) {
        return ErrorInfo.of(
                ErrorCode.REMOTE,
                "the actor system ended by itself: address=" + ClusterEntry.address(system) + " seedNodes="
                        + settings.cluster().seedNodes(),
                "See the log for why; one reason is an address in tutti.cluster.seed-nodes at which something else than"
                        + " a member answers.");
    }

    /** What keeps the communicator from having a coordinator, if anything does. */
    private static Optional<ErrorInfo> obstacle(
            ActorSystem<?> system, TuttiSettings settings, LocalCommunicator communicator) {
        if (!ClusterEntry.isMember(system)) {
            return Optional.of(notJoined(system, settings, communicator));
        }
        return communicator.isCoordinated() ? Optional.empty() : Optional.of(unanswered(settings, communicator));
    }

    private static ErrorInfo notJoined(ActorSystem<?> system, TuttiSettings settings, LocalCommunicator communicator) {
        List<String> seeds = system.settings().config().getStringList("pekko.cluster.seed-nodes").stream()
                .map(ClusterEntry::hostAndPort)
                .toList();
        return new ErrorInfo(
                ErrorCode.TIMEOUT,
                null,
                "join",
                null,
                "this process did not become a member of the cluster in time: communicator=" + communicator.name()
                        + " address=" + ClusterEntry.address(system) + " seedNodes=" + seeds + " waited="
                        + settings.cluster().formTimeout().toMillis() + "ms",
                "Start a member at one of these seed nodes and see that it can be reached from here, correct"
                        + " tutti.cluster.seed-nodes, or empty it to found a cluster; give slow members more time with"
                        + " tutti.cluster.form-timeout.");
    }

    private static ErrorInfo unanswered(TuttiSettings settings, LocalCommunicator communicator) {
        return new ErrorInfo(
                ErrorCode.TIMEOUT,
                null,
                "hello",
                null,
                "no coordinator answered in time: communicator=" + communicator.name() + " coordinatorRole="
                        + settings.cluster().coordinatorRole().orElse("") + " waited="
                        + settings.cluster().formTimeout().toMillis() + "ms",
                "See that a member with the role tutti.cluster.coordinator-role is up, and that the oldest such member"
                        + " can be reached from here.");
    }
}
