package io.tutti.launcher.run;

import com.typesafe.config.Config;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.FormingProgress;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.RejectedPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** A runtime without devices, actors or threads: its communicators compute by the scalar reference, unless told to err. */
public final class FakeRuntime implements RunRuntime {

    /** The row that every communicator reports for nvls. */
    public static final RejectedPath NO_MULTICAST = new RejectedPath(
            PathKind.NVLS, 0, "plan", "cuMulticastGetGranularity", "CUDA_ERROR_NOT_SUPPORTED", "Nothing to do.");

    private final Map<String, FakeCommunicator> communicators = new HashMap<>();
    private final Faults faults;
    private boolean closed;

    /** What a runtime does wrong. */
    public interface Faults {

        /** Does everything right. */
        Faults NONE = new Faults() {};

        /** Changes the last bit of an element that a rank has written. */
        static Faults flipBit(int operation, int rank, int allocation, int element) {
            return damage(operation, rank, allocation, element * 2, bits -> (byte) (bits ^ 1));
        }

        /** Leaves what was in an element before the operation, where outputs were poisoned. */
        static Faults unwritten(int operation, int rank, int allocation, int element) {
            return damage(operation, rank, allocation, element * 2, bits -> (byte) 0xff);
        }

        private static Faults damage(int operation, int rank, int allocation, int at, UnaryOperator<Byte> change) {
            return new Faults() {
                @Override
                public void afterOperation(int number, List<FakeRank> ranks) {
                    if (number == operation) {
                        ranks.get(rank).damage(allocation, at, change);
                    }
                }
            };
        }

        /** Called after the outputs of an operation were written, before it completes. */
        default void afterOperation(int operation, List<FakeRank> ranks) {}

        /** What a rank's call completes with instead of success; a stage that never completes is a hang. */
        default CompletionStage<Void> outcome(int operation, int rank) {
            return CompletableFuture.completedStage(null);
        }

        /** What forming completes with. */
        default CompletionStage<Void> forming() {
            return CompletableFuture.completedStage(null);
        }

        default int restarts() {
            return 0;
        }

        default int downgrades() {
            return 0;
        }

        /** How far forming says that it is. */
        default Optional<FormingProgress> progress() {
            return Optional.empty();
        }

        /** The rejected rows of the plan. */
        default List<RejectedPath> rejected() {
            return List.of(NO_MULTICAST);
        }
    }

    private FakeRuntime(Config config, Faults faults) {
        this.faults = faults;
        for (CommunicatorSettings communicator : TuttiSettings.load(config).communicators()) {
            communicators.put(
                    communicator.name(), new FakeCommunicator(communicator.name(), communicator.worldSize(), faults));
        }
    }

    /** Starts runtimes and remembers them. */
    public static final class Starter implements RunRuntime.Starter {
        private final Faults faults;
        private final ArrayList<FakeRuntime> started = new ArrayList<>();

        public Starter(Faults faults) {
            this.faults = faults;
        }

        @Override
        public RunRuntime start(Config config) {
            FakeRuntime runtime = new FakeRuntime(config, faults);
            started.add(runtime);
            return runtime;
        }

        /** Every runtime that was started. */
        public List<FakeRuntime> started() {
            return started;
        }
    }

    @Override
    public CompletionStage<Communicator> communicator(String name) {
        return faults.forming().thenApply(formed -> Objects.requireNonNull(communicators.get(name), name));
    }

    @Override
    public Optional<FormingProgress> forming(String name) {
        return faults.progress();
    }

    @Override
    public List<RankFacts> facts(String name) {
        return List.of();
    }

    @Override
    public Membership membership() {
        return new Membership("1-fake", "127.0.0.1:1");
    }

    @Override
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Tensors that were allocated and not given back. */
    public int liveTensors() {
        return communicators.values().stream()
                .flatMap(communicator -> communicator.ranks().stream())
                .mapToInt(FakeRank::liveTensors)
                .sum();
    }
}
