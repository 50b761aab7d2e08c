package io.tutti.actors.protocol.coordinator;

import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.error;
import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.rank;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage.ForgetRefusals;
import io.tutti.actors.protocol.RankMessage.RefusalsForgotten;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Pausing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Running;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.DeviceFacts;
import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.ProcessFacts;
import io.tutti.gpu.plan.RankFacts;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was refused is remembered with its reason until something relevant changes or somebody asks to forget it. */
class RefusalsTest {

    private static final ErrorInfo REFUSAL = error(ErrorCode.DRIVER, "CUDA_ERROR_INVALID_HANDLE");
    private static final String NOT_READY = "CUDA_ERROR_SYSTEM_NOT_READY";

    /** Two ranks on the second path, since the first was refused at verify. */
    private static CoordinatorProbe downgraded() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.VERIFY);
        probe.onlyRefuses(1, Stage.VERIFY, REFUSAL).allDrained();
        probe.upTo(Stage.COMMIT).entered();
        assertThat(probe.phase(Running.class).plan().path()).isEqualTo(PathKind.P2P);
        return probe;
    }

    private static PathKind planned(CoordinatorProbe probe) {
        return probe.phase(Forming.class).plan().orElseThrow().path();
    }

    @Test
    void anEpochThatIsFormedAgainDoesNotTryWhatWasRefusedAndSaysSo() {
        CoordinatorProbe probe = downgraded().operationFailed();
        probe.upTo(Stage.PLAN);
        assertThat(probe.told(CoordinatorNotice.NotTriedAgain.class))
                .singleElement()
                .satisfies(notice -> assertThat(notice.refusals())
                        .singleElement()
                        .satisfies(refusal -> {
                            assertThat(refusal.path()).isEqualTo(PathKind.NVLS);
                            assertThat(refusal.epoch()).isEqualTo(1);
                            assertThat(refusal.describe())
                                    .contains("nvls was refused in epoch 1 at stage verify")
                                    .contains("it broke");
                        }));
        assertThat(planned(probe)).isEqualTo(PathKind.P2P);
    }

    private static Stream<Named<UnaryOperator<RankFacts>>> changes() {
        return Stream.of(
                Named.of(
                        "process",
                        f -> new RankFacts(
                                f.rank(),
                                f.host(),
                                new ProcessFacts("another", "", "", Optional.empty()),
                                f.driver(),
                                f.device(),
                                f.sharing(),
                                f.links(),
                                f.multicast())),
                Named.of(
                        "driver",
                        f -> new RankFacts(
                                f.rank(),
                                f.host(),
                                f.process(),
                                new DriverFacts("host", 2, 1),
                                f.device(),
                                f.sharing(),
                                f.links(),
                                f.multicast())),
                Named.of(
                        "device",
                        f -> withFreeBytes(f, f.device().freeBytes(), f.device().multiprocessors() + 1)));
    }

    private static RankFacts withFreeBytes(RankFacts f, long freeBytes, int multiprocessors) {
        DeviceFacts device = new DeviceFacts(
                f.device().ordinal(),
                f.device().identity(),
                f.device().computeCapability(),
                multiprocessors,
                freeBytes,
                f.device().confidential());
        return new RankFacts(
                f.rank(), f.host(), f.process(), f.driver(), device, f.sharing(), f.links(), f.multicast());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void itIsTriedAgainOnceARanksFactsHaveChanged(UnaryOperator<RankFacts> change) {
        CoordinatorProbe probe = downgraded().operationFailed();
        probe.telling(facts -> facts.rank() == 1 ? change.apply(facts) : facts).upTo(Stage.PLAN);
        assertThat(probe.told(CoordinatorNotice.RefusalsForgotten.class))
                .singleElement()
                .satisfies(notice -> assertThat(notice.why()).contains("[1]"));
        assertThat(planned(probe)).isEqualTo(PathKind.NVLS);
    }

    @Test
    void memoryThatIsFreeOrNotIsNoRelevantChange() {
        CoordinatorProbe probe = downgraded().operationFailed();
        probe.telling(facts -> withFreeBytes(facts, 7, facts.device().multiprocessors()))
                .upTo(Stage.PLAN);
        assertThat(planned(probe)).isEqualTo(PathKind.P2P);
    }

    @Test
    void itIsTriedAgainOnceARankAskedForItAndTheRunningEpochIsLeftAlone() {
        CoordinatorProbe probe = downgraded();
        probe.hear(new ForgetRefusals(rank(0)));
        assertThat(probe.sentTo(RefusalsForgotten.class)).containsExactly(0);
        assertThat(probe.told(CoordinatorNotice.RefusalsForgotten.class)).hasSize(1);
        assertThat(probe.phase(Running.class).plan().path()).isEqualTo(PathKind.P2P);

        probe.operationFailed().upTo(Stage.PLAN);
        assertThat(planned(probe)).isEqualTo(PathKind.NVLS);
    }

    @Test
    void everyRequestIsAnsweredAndOnlyTheFirstChangesAnything() {
        CoordinatorProbe probe = downgraded().hear(new ForgetRefusals(rank(0)));
        CoordinatorState forgotten = probe.state();
        probe.hear(new ForgetRefusals(rank(0)));
        assertThat(probe.sentTo(RefusalsForgotten.class)).containsExactly(0);
        assertThat(probe.told(CoordinatorNotice.class)).isEmpty();
        assertThat(probe.state()).isEqualTo(forgotten);
    }

    @Test
    void aBetterPathWhoseSystemIsNotReadyIsWaitedForInLockStepAndThenRememberedAsRefused() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered().promised();
        probe.telling(RefusalsTest::unready);
        for (int i = 0; i < CoordinatorProbe.LIMITS.notReady(); i++) {
            probe.upTo(Stage.PLAN).allDrained();
            assertThat(probe.phase()).isInstanceOf(Pausing.class);
            assertThat(probe.started(CoordinatorTimer.DEADLINE)).isEqualTo(CoordinatorProbe.TIMING.notReady());
            probe.fire(CoordinatorTimer.DEADLINE);
        }
        probe.upTo(Stage.COMMIT).entered();
        assertThat(probe.phase(Running.class).plan().path()).isEqualTo(PathKind.P2P);
        assertThat(probe.state().history().exclusions())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.error().result()).isEqualTo(NOT_READY));

        probe.operationFailed().upTo(Stage.ALLOCATE);
        assertThat(planned(probe)).as("nobody waits for it again").isEqualTo(PathKind.P2P);
    }

    @Test
    void aSystemThatBecomesReadyIsSeenByTheChangedFacts() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered().promised();
        probe.telling(RefusalsTest::unready).upTo(Stage.PLAN).allDrained();
        probe.fire(CoordinatorTimer.DEADLINE).telling(UnaryOperator.identity()).upTo(Stage.PLAN);
        assertThat(planned(probe)).isEqualTo(PathKind.NVLS);
    }

    private static RankFacts unready(RankFacts f) {
        MulticastAnswer answer = f.rank() == 0
                ? new MulticastAnswer.Refused("cuMulticastGetGranularity", NOT_READY, "Wait.")
                : f.multicast();
        return new RankFacts(f.rank(), f.host(), f.process(), f.driver(), f.device(), f.sharing(), f.links(), answer);
    }
}
