package io.tutti.actors.protocol.coordinator;

import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.error;
import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.hello;
import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.rank;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage.ClaimRefused;
import io.tutti.actors.protocol.CoordinatorMessage.CommitAcknowledged;
import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.Leaving;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.Commit;
import io.tutti.actors.protocol.RankMessage.Committed;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.RankMessage.Failed;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Closed;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Committing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Gathering;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Pausing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Running;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.op.CallDescriptor;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochTest {

    private static CallDescriptor call(long sequence, long tokens) {
        return new CallDescriptor(
                sequence,
                tokens,
                4096,
                DType.BF16,
                Epilogue.RESIDUAL_RMSNORM,
                Algorithm.ONE_SHOT,
                Float.floatToIntBits(1e-6f),
                0,
                false,
                0);
    }

    // Committing.

    @Test
    void theEpochIsVisibleOnlyAfterAllRanksHaveAcknowledgedItsCommit() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.COMMIT);
        assertThat(probe.sentTo(Commit.class)).containsExactly(0, 1);
        probe.acknowledge(0).acknowledge(0);
        assertThat(probe.phase()).isInstanceOf(Committing.class);
        probe.acknowledge(1);
        assertThat(probe.sentTo(Committed.class)).containsExactly(0, 1);
        assertThat(probe.told(CoordinatorNotice.EpochCommitted.class)).hasSize(1);
        assertThat(probe.phase()).isInstanceOf(Running.class);
    }

    @Test
    void aCommitIsSentAgainUntilItIsAcknowledged() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.COMMIT).acknowledge(1);
        assertThat(probe.fire(CoordinatorTimer.RESEND).sentTo(Commit.class)).containsExactly(0);
    }

    @Test
    void anAcknowledgementOfAnotherEpochIsIgnored() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.COMMIT).acknowledge(0);
        EpochId other = new EpochId(probe.epoch().term(), 99);
        probe.hear(new CommitAcknowledged(rank(1), other));
        assertThat(probe.phase()).isInstanceOf(Committing.class);
    }

    @Test
    void aRankThatAcknowledgesAgainIsToldAgain() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().acknowledge(1);
        assertThat(probe.sentTo(Committed.class)).containsExactly(1);
    }

    @Test
    void aRankThatStoppedWaitingForTheCommitEndsTheEpochAndNoPathIsBlamed() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.COMMIT);
        probe.refuse(1, Stage.COMMIT, error(ErrorCode.TIMEOUT, null)).allDrained();
        assertThat(probe.phase()).isInstanceOf(Pausing.class);
        assertThat(probe.state().history().exclusions()).isEmpty();
    }

    @Test
    void whoDoesNotAcknowledgeInTimeIsNamed() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.COMMIT).acknowledge(0);
        probe.fire(CoordinatorTimer.DEADLINE);
        assertThat(probe.sent(Abort.class).get(0).cause().rank()).isEqualTo(1);
    }

    // Running.

    @Test
    void aFailedOperationEndsTheEpochOnAllRanksAndTheNextOneIsFormed() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running();
        EpochId epoch = probe.epoch();
        probe.failed(1, ErrorCode.TIMEOUT, 0);
        assertThat(probe.sentTo(Abort.class)).containsExactly(0, 1);
        probe.drained(0, 5, null).drained(1, 5, call(6, 8));
        assertThat(probe.sentTo(EpochEnded.class)).containsExactly(0, 1);
        assertThat(probe.phase(Forming.class).epoch()).isEqualTo(new EpochId(epoch.term(), epoch.epoch() + 1));
    }

    @Test
    void aFailureOfAFormerEpochIsIgnored() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running();
        EpochId other = new EpochId(probe.epoch().term(), 99);
        probe.ignores(new OperationFailed(rank(0), other, 1, null, error(ErrorCode.TIMEOUT, null)));
    }

    @Test
    void aMismatchNamesBothRanksBothCallsAndWhatDiffers() {
        CoordinatorProbe probe = new CoordinatorProbe(3).running().failed(2, ErrorCode.ABORTED, null);
        probe.failed(0, ErrorCode.MISMATCH, 1);
        probe.drained(0, 0, call(1, 64)).drained(1, 0, call(1, 32)).drained(2, 0, call(1, 64));
        ErrorInfo cause = probe.sent(EpochEnded.class).get(0).cause();
        assertThat(cause.code()).isEqualTo(ErrorCode.MISMATCH);
        assertThat(cause.message())
                .contains(
                        "rank 0 made " + call(1, 64).describe(),
                        "rank 1 made " + call(1, 32).describe())
                .contains("tokens (64 and 32)")
                .doesNotContain("hidden (");
        assertThat(probe.sent(EpochEnded.class).get(2).pending()).containsOnlyKeys(0, 1, 2);
    }

    @Test
    void aTimeoutNamesTheRankThatIsMissingAndWhatItLastDid() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().failed(0, ErrorCode.TIMEOUT, 1);
        probe.drained(0, 4, call(5, 8)).drained(1, 4, null);
        ErrorInfo cause = probe.sent(EpochEnded.class).get(0).cause();
        assertThat(cause.rank()).isEqualTo(1);
        assertThat(cause.message())
                .contains("rank 1 did not arrive at call 5", "last completed call 4", "made no call after that");
    }

    @Test
    void aTimeoutForARankThatDoesNotEvenDrainSaysSo() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().failed(0, ErrorCode.TIMEOUT, 1);
        probe.drained(0, 4, call(5, 8)).fire(CoordinatorTimer.DEADLINE);
        assertThat(probe.sent(EpochEnded.class).get(0).cause().message()).contains("has not answered since");
    }

    @Test
    void epochsInWhichNothingCompletesFollowEachOtherEverMoreSlowly() {
        CoordinatorProbe probe = new CoordinatorProbe(1).running();
        Duration expected = CoordinatorProbe.TIMING.backoffFirst();
        for (int i = 0; i < 20; i++) {
            probe.failed(0, ErrorCode.MISMATCH, null).drained(0, 0, null);
            assertThat(probe.phase()).isInstanceOf(Pausing.class);
            assertThat(probe.started(CoordinatorTimer.DEADLINE)).isEqualTo(expected);
            probe.fire(CoordinatorTimer.DEADLINE).upTo(Stage.COMMIT).acknowledge(0);
            Duration doubled = expected.multipliedBy(2);
            expected = doubled.compareTo(CoordinatorProbe.TIMING.backoffMost()) < 0
                    ? doubled
                    : CoordinatorProbe.TIMING.backoffMost();
        }
        probe.failed(0, ErrorCode.MISMATCH, null).drained(0, 1, null);
        assertThat(probe.phase()).isInstanceOf(Forming.class);
    }

    @Test
    void aLostRankEndsTheEpochInItsNameAndIsWaitedFor() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().lost(rank(1), true);
        probe.drained(0, 1, null);
        assertThat(probe.sent(EpochEnded.class).get(0).undrained()).isEmpty();
        assertThat(probe.phase()).isInstanceOf(Gathering.class);
    }

    // Ending.

    @Test
    void theEpochEndsOnlyWhenAllHaveDrained() {
        CoordinatorProbe probe = new CoordinatorProbe(3).running().failed(0, ErrorCode.TIMEOUT, null);
        probe.drained(0, 0, null).drained(0, 0, null).drained(2, 0, null);
        assertThat(probe.phase()).isInstanceOf(Ending.class);
        assertThat(probe.fire(CoordinatorTimer.RESEND).sentTo(Abort.class)).containsExactly(1);
        assertThat(probe.drained(1, 0, null).sentTo(EpochEnded.class)).containsExactly(0, 1, 2);
    }

    @Test
    void drainedForAnotherEpochIsIgnored() {
        CoordinatorProbe probe = new CoordinatorProbe(1).running().failed(0, ErrorCode.TIMEOUT, null);
        EpochId other = new EpochId(probe.epoch().term(), 99);
        probe.ignores(new Drained(rank(0), other, 0, Optional.empty()));
    }

    @Test
    void aProcessThatHasEndedCountsAsDrainedAndLostContactDoesNot() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().failed(0, ErrorCode.TIMEOUT, 1);
        probe.drained(0, 0, null).lost(rank(1), false);
        assertThat(probe.phase()).isInstanceOf(Ending.class);
        probe.lost(rank(1), true);
        assertThat(probe.sent(EpochEnded.class).get(0).undrained()).isEmpty();
    }

    @Test
    void whoDoesNotDrainInTimeIsToldToAllAndNoLongerCountedOn() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().failed(0, ErrorCode.TIMEOUT, 1);
        probe.drained(0, 1, null).fire(CoordinatorTimer.DEADLINE);
        assertThat(probe.sent(EpochEnded.class))
                .allSatisfy(ended -> assertThat(ended.undrained()).containsExactly(1));
        assertThat(probe.state().present()).containsOnlyKeys(0);
    }

    @Test
    void aRankThatDidNotHearOfTheEndIsToldAgain() {
        CoordinatorProbe probe = new CoordinatorProbe(1).running().failed(0, ErrorCode.TIMEOUT, null);
        Drained drained = new Drained(rank(0), probe.epoch(), 1, Optional.empty());
        EpochEnded first = probe.hear(drained).sent(EpochEnded.class).get(0);
        assertThat(probe.hear(drained).sent(EpochEnded.class)).containsExactly(first);
        assertThat(probe.phase()).isInstanceOf(Forming.class);
    }

    @Test
    void aCallMayBeMadeAgainOnlyWhenAllHaveDrainedAndNobodyIsAhead() {
        assertThat(resubmittable(3, 3)).isTrue();
        assertThat(resubmittable(3, 4)).isFalse();
        CoordinatorProbe silent = new CoordinatorProbe(2).running().failed(0, ErrorCode.TIMEOUT, 1);
        silent.drained(0, 3, null).fire(CoordinatorTimer.DEADLINE);
        assertThat(silent.sent(EpochEnded.class).get(0).resubmittable()).isFalse();
    }

    private static boolean resubmittable(long one, long other) {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().failed(0, ErrorCode.TIMEOUT, 1);
        return probe.drained(0, one, null)
                .drained(1, other, null)
                .sent(EpochEnded.class)
                .get(0)
                .resubmittable();
    }

    // Closing.

    @Test
    void whenAllRanksHaveLeftTheEpochEndsAndTheCommunicatorIsClosed() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running();
        probe.hear(new Leaving(rank(0)));
        assertThat(probe.phase()).isInstanceOf(Running.class);
        assertThat(probe.started(CoordinatorTimer.DEADLINE)).isEqualTo(CoordinatorProbe.TIMING.closeGrace());
        probe.ignores(new Leaving(rank(0)));
        assertThat(probe.hear(new Leaving(rank(1))).sentTo(Abort.class)).containsExactly(0, 1);
        probe.allDrained();
        assertThat(probe.phase()).isInstanceOf(Closed.class);
        assertThat(probe.sent(Failed.class))
                .hasSize(2)
                .allSatisfy(failed -> assertThat(failed.cause().code()).isEqualTo(ErrorCode.CLOSED));
    }

    @Test
    void oneRankThatLeavesClosesTheCommunicatorForAllAfterAGrace() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running().hear(new Leaving(rank(1)));
        assertThat(probe.fire(CoordinatorTimer.DEADLINE).sentTo(Abort.class)).containsExactly(0, 1);
        assertThat(probe.allDrained().phase(Closed.class).cause().rank()).isEqualTo(1);
    }

    @Test
    void aRankThatLeavesWhileAnEpochIsFormedOrEndsClosesTheCommunicatorAfterIt() {
        CoordinatorProbe forming = new CoordinatorProbe(2).at(Stage.FILL).hear(new Leaving(rank(1)));
        assertThat(forming.sentTo(Abort.class)).containsExactly(0, 1);
        assertThat(forming.allDrained().phase()).isInstanceOf(Closed.class);

        CoordinatorProbe ending = new CoordinatorProbe(2).running().failed(0, ErrorCode.TIMEOUT, 1);
        ending.hear(new Leaving(rank(1)));
        assertThat(ending.phase()).isInstanceOf(Ending.class);
        assertThat(ending.allDrained().phase()).isInstanceOf(Closed.class);
    }

    @Test
    void aRankThatLeavesWhileNothingIsHeldClosesAtOnce() {
        CoordinatorProbe probe = new CoordinatorProbe(2).hear(hello(0, 2)).hear(new Leaving(rank(0)));
        assertThat(probe.phase()).isInstanceOf(Closed.class);
        assertThat(probe.sentTo(Failed.class)).containsExactly(0);
    }

    @Test
    void aRequestToCloseEndsTheEpochWithoutGrace() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running();
        probe.on(new CoordinatorEvent.CloseRequested(error(ErrorCode.CLOSED, null)));
        assertThat(probe.sentTo(Abort.class)).containsExactly(0, 1);
        assertThat(probe.allDrained().phase()).isInstanceOf(Closed.class);
    }

    @Test
    void aClosedCommunicatorRunsNoTimerAndTellsEveryoneWhoSpeaks() {
        CoordinatorProbe probe = new CoordinatorProbe(1).running();
        probe.on(new CoordinatorEvent.CloseRequested(error(ErrorCode.CLOSED, null)))
                .allDrained();
        assertThat(probe.started(CoordinatorTimer.DEADLINE)).isNull();
        assertThat(probe.started(CoordinatorTimer.RESEND)).isNull();
        assertThat(probe.hear(hello(0, 1)).sentTo(Failed.class)).containsExactly(0);
        assertThat(probe.hear(new Leaving(rank(0))).sentTo(Failed.class)).containsExactly(0);
    }

    @Test
    void ranksThatEndAfterTheirCommunicatorAreNoNews() {
        CoordinatorProbe probe = new CoordinatorProbe(1).hear(hello(0, 1)).hear(new Leaving(rank(0)));
        assertThat(probe.lost(rank(0), true).told(CoordinatorNotice.RankDropped.class))
                .isEmpty();
    }

    @Test
    void aRankThatRefusesToHearOfTheCloseIsNotAnsweredOrTheTwoWouldNeverStop() {
        CoordinatorProbe probe = new CoordinatorProbe(1).hear(hello(0, 1)).hear(new Leaving(rank(0)));
        probe.ignores(new ClaimRefused(rank(0), probe.state().term(), new io.tutti.gpu.Term(9, "other")));
    }
}
