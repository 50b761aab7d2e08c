package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.workspace.StageRegion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each stage does its part or says what is wrong, and everything comes back. */
final class StagesTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void offersThatCannotBeRightAreRefusedBeforeAnythingIsMapped() {
        try (RankGroup group = new RankGroup(3, Duration.ofSeconds(30))) {
            EpochId epoch = group.nextEpoch();
            EpochPlan plan = group.plan(null);
            group.each(rank -> rank.allocate(epoch, plan));
            group.each(rank -> rank.fill(epoch, 10 * SECOND));
            List<MemoryOffer> offers = new ArrayList<>();
            group.each(rank -> offers.addAll(rank.export(epoch)));
            RankDevice self = group.ranks.get(0);
            assertRefused(
                    ErrorCode.STALE, "another epoch", () -> self.importPeers(epoch, change(offers, StagesTest::older)));
            assertRefused(
                    ErrorCode.PREFLIGHT, "size", () -> self.importPeers(epoch, change(offers, StagesTest::shorter)));
            assertRefused(
                    ErrorCode.PREFLIGHT, "rank 2 has no offer", () -> self.importPeers(epoch, offers.subList(0, 2)));
            List<MemoryOffer> twice = new ArrayList<>(offers);
            twice.add(offers.get(1));
            assertRefused(ErrorCode.PREFLIGHT, "twice", () -> self.importPeers(epoch, twice));
            assertRefused(
                    ErrorCode.PREFLIGHT,
                    "out of range",
                    () -> self.importPeers(epoch, change(offers, StagesTest::beyond)));
            assertRefused(
                    ErrorCode.PREFLIGHT,
                    "no handle kind is agreed",
                    () -> self.importPeers(epoch, change(offers, StagesTest::elsewhere)));
            assertRefused(
                    ErrorCode.PREFLIGHT,
                    "not exported",
                    () -> self.importPeers(epoch, change(offers, o -> o.withHandle(new byte[16]))));
            assertRefused(
                    ErrorCode.PREFLIGHT,
                    "wrong size",
                    () -> self.importPeers(epoch, change(offers, o -> o.withHandle(new byte[3]))));
            group.each(rank -> rank.importPeers(epoch, offers));
            group.each(rank -> rank.release(epoch));
            group.each(rank -> rank.release(epoch));
        }
    }

    @Test
    void verifyNamesTheRankWhosePatternIsMissing() {
        try (RankGroup group = new RankGroup(3, Duration.ofSeconds(30))) {
            EpochId epoch = mapped(group);
            group.ranks.get(0).writePatterns(epoch, 10 * SECOND);
            group.ranks.get(2).writePatterns(epoch, 10 * SECOND);
            assertThatThrownBy(() -> group.ranks.get(0).verifyPatterns(epoch, SECOND / 5))
                    .isInstanceOfSatisfying(TuttiException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT);
                        assertThat(e.info().rank()).isEqualTo(1);
                    });
            // The failed rank poisons the epoch everywhere, so that nobody waits for a stage that cannot succeed.
            assertThatThrownBy(() -> group.ranks.get(2).verifyPatterns(epoch, 100 * SECOND))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ABORTED));
            group.each(rank -> rank.release(epoch));
        }
    }

    @Test
    void aShortDeadlineForOperationsNeitherBoundsTheStagesNorTheWayOut() {
        try (RankGroup group = new RankGroup(4, Duration.ofNanos(1))) {
            EpochId epoch = group.form(group.plan(null));
            assertThat(group.end(epoch)).hasSize(4);
        }
    }

    @Test
    void verifyNamesTheRankWhoseStoresArriveAltered() {
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId epoch = mapped(group);
            group.each(rank -> rank.writePatterns(epoch, 10 * SECOND));
            group.poke(0, epoch, layout -> layout.verifyLine(1) + 64, 0x7777);
            assertThatThrownBy(() -> group.ranks.get(0).verifyPatterns(epoch, SECOND))
                    .isInstanceOfSatisfying(TuttiException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.PREFLIGHT);
                        assertThat(e.info().rank()).isEqualTo(1);
                    });
            group.each(rank -> rank.release(epoch));
        }
    }

    @Test
    void anOverwrittenGuardIsReportedAndTheMemoryGivenBackAllTheSame() {
        for (boolean pad : new boolean[] {true, false}) {
            try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
                EpochId epoch = mapped(group);
                group.poke(1, epoch, layout -> pad ? layout.padGuardOffset() + 4 : layout.endGuardOffset() + 124, 1);
                group.ranks.get(0).release(epoch);
                assertThatThrownBy(() -> group.ranks.get(1).release(epoch))
                        .isInstanceOfSatisfying(TuttiException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL);
                            assertThat(e).hasMessageContaining("guard");
                        });
            }
        }
    }

    @Test
    void armRepairsEverythingThatTrialsAndAbortedCallsLeave() throws Exception {
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId epoch = mapped(group);
            group.poke(0, epoch, layout -> layout.slot(StageRegion.ONE_SHOT, 1, 1), 77);
            group.poke(0, epoch, layout -> layout.header(1, 1), 77);
            group.each(rank -> rank.arm(epoch, 10 * SECOND));
            group.each(rank -> rank.enter(epoch));
            GroupCall.ordinary(group, 4, 512).run();
            group.end(epoch);
        }
    }

    @Test
    void abandonedMemoryIsCountedAndNeverUsedAgain() throws Exception {
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId first = group.form(group.plan(null));
            GroupCall.ordinary(group, 2, 64).run();
            group.each(rank -> rank.abort(first, RankGroup.ENDED));
            group.each(rank -> rank.drain(first, 10 * SECOND));
            group.each(rank -> rank.endEpoch(first, RankGroup.ENDED));
            group.each(rank -> rank.abandon(first));
            group.each(rank -> rank.abandon(first));
            assertThat(group.ranks.get(0).abandonedBytes()).isPositive();
            EpochId second = group.form(group.plan(null));
            GroupCall.ordinary(group, 2, 64).run();
            group.end(second);
        }
    }

    @Test
    void anEpochThatWasGivenUpBeforeItWasFilledIsGivenBackWithoutComplaint() {
        try (RankGroup group = new RankGroup(2, Duration.ofSeconds(30))) {
            EpochId epoch = group.nextEpoch();
            group.each(rank -> rank.allocate(epoch, group.plan(null)));
            group.each(rank -> assertThatCode(() -> rank.release(epoch)).doesNotThrowAnyException());
        }
    }

    @Test
    void lateMessagesOfOtherEpochsAreRefusedAsStale() {
        try (RankGroup group = new RankGroup(1, Duration.ofSeconds(30))) {
            EpochId epoch = group.form(group.plan(null));
            EpochId other = new EpochId(new Term(9, "other"), epoch.epoch());
            RankDevice rank = group.ranks.get(0);
            assertRefused(ErrorCode.STALE, "not the epoch", () -> rank.fill(other, 10 * SECOND));
            assertRefused(ErrorCode.STALE, "not the epoch", () -> rank.arm(other, 10 * SECOND));
            assertRefused(ErrorCode.STALE, "not the epoch", () -> rank.enter(other));
            assertRefused(ErrorCode.INTERNAL, "is still held", () -> rank.allocate(other, group.plan(null)));
            assertThatCode(() -> rank.release(other)).doesNotThrowAnyException();
            group.end(epoch);
        }
    }

    private static EpochId mapped(RankGroup group) {
        EpochId epoch = group.nextEpoch();
        group.each(rank -> rank.allocate(epoch, group.plan(null)));
        group.each(rank -> rank.fill(epoch, 10 * SECOND));
        List<MemoryOffer> offers = new ArrayList<>();
        group.each(rank -> offers.addAll(rank.export(epoch)));
        group.each(rank -> rank.importPeers(epoch, offers));
        return epoch;
    }

    private static List<MemoryOffer> change(List<MemoryOffer> offers, UnaryOperator<MemoryOffer> change) {
        return List.of(offers.get(0), offers.get(1), change.apply(offers.get(2)));
    }

    private static MemoryOffer older(MemoryOffer o) {
        return new MemoryOffer(
                o.rank(), o.kind(), o.hostId(), o.processId(), o.bytes(), o.padBytes(), o.epoch() + 1, o.handle());
    }

    private static MemoryOffer shorter(MemoryOffer o) {
        return new MemoryOffer(
                o.rank(), o.kind(), o.hostId(), o.processId(), o.bytes() - 1, o.padBytes(), o.epoch(), o.handle());
    }

    private static MemoryOffer beyond(MemoryOffer o) {
        return new MemoryOffer(
                3, HandleKind.IN_PROCESS, o.hostId(), o.processId(), o.bytes(), o.padBytes(), o.epoch(), o.handle());
    }

    private static MemoryOffer elsewhere(MemoryOffer o) {
        return new MemoryOffer(
                o.rank(), o.kind(), o.hostId(), "another", o.bytes(), o.padBytes(), o.epoch(), o.handle());
    }

    private static void assertRefused(ErrorCode code, String reason, ThrowingCallable step) {
        assertThatThrownBy(step)
                .as(reason)
                .hasMessageContaining(reason)
                .isInstanceOfSatisfying(
                        TuttiException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
