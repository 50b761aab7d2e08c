package io.tutti.actors.protocol.rank;

import static io.tutti.actors.protocol.rank.RankProbe.CAUSE;
import static io.tutti.actors.protocol.rank.RankProbe.EPOCH;
import static io.tutti.actors.protocol.rank.RankProbe.SELF;
import static io.tutti.actors.protocol.rank.RankProbe.TERM;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage.ClaimRefused;
import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.CoordinatorMessage.Leaving;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.Commit;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.RankMessage.Failed;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.rank.RankPhase.Draining;
import io.tutti.actors.protocol.rank.RankPhase.Finished;
import io.tutti.actors.protocol.rank.RankPhase.Idle;
import io.tutti.actors.protocol.rank.RankPhase.Running;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainTest {

    private static final RankEvent.CallFailed CALL_FAILED =
            new RankEvent.CallFailed(EPOCH, 4, 0, ErrorInfo.of(ErrorCode.TIMEOUT, "late", ""));
    private static final RankCommand.ReleaseEpoch RELEASE = new RankCommand.ReleaseEpoch(EPOCH);

    @Test
    void anAbortStopsTheDeviceAndDrainsIt() {
        RankProbe probe = new RankProbe().running().aborted();
        assertThat(probe.commands())
                .containsSubsequence(new RankCommand.AbortDevice(EPOCH, CAUSE), new RankCommand.DrainDevice(EPOCH));
        assertThat(probe.drained(3, null).said(Drained.class))
                .containsExactly(new Drained(SELF, EPOCH, 3, Optional.empty()));
    }

    @Test
    void anAbortAgainIsAnsweredAgainAndDrainsOnce() {
        RankProbe probe = new RankProbe().running().aborted().aborted();
        assertThat(probe.commands()).isEmpty();
        probe.drained(3, null).aborted();
        assertThat(probe.commands())
                .containsExactly(new RankCommand.Send(new Drained(SELF, EPOCH, 3, Optional.empty())));
    }

    @Test
    void anEpochThatTheRankNeverHeldHasDrainedAndIsNeverBegun() {
        RankProbe probe = new RankProbe().claimed().aborted();
        assertThat(probe.said(Drained.class)).containsExactly(new Drained(SELF, EPOCH, 0, Optional.empty()));
        probe.ignores(RankProbe.order(EPOCH, Stage.IDENTITY));
    }

    @Test
    void anAbortOfALowerTermIsRefusedAndANewCoordinatorMayEndAnOldEpoch() {
        Term higher = new Term(9, "d");
        RankProbe probe = new RankProbe().running().hear(new io.tutti.actors.protocol.RankMessage.Claim(higher, SELF));
        assertThat(probe.aborted().said(ClaimRefused.class)).hasSize(1);
        assertThat(probe.phase()).isInstanceOf(Running.class);
        probe.hear(new Abort(higher, SELF, EPOCH, CAUSE));
        assertThat(probe.phase()).isInstanceOf(Draining.class);
    }

    @Test
    void memoryIsGivenBackOnlyWhenTheRankAndAllOthersHaveDrained() {
        RankProbe probe = new RankProbe().running().aborted().drained(0, null);
        assertThat(probe.commands()).doesNotContain(RELEASE);
        assertThat(probe.ended().commands()).contains(RELEASE);
        assertThat(probe.phase()).isInstanceOf(Idle.class);

        RankProbe late = new RankProbe().running().aborted().ended();
        assertThat(late.commands()).doesNotContain(RELEASE);
        assertThat(late.drained(0, null).commands()).contains(RELEASE);
    }

    @Test
    void memoryIsAbandonedWhenAnotherRankMayStillWriteToIt() {
        RankProbe probe = new RankProbe().running().aborted().drained(0, null).ended(0);
        assertThat(probe.commands()).contains(new RankCommand.AbandonEpoch(EPOCH, Set.of(0)));
        assertThat(probe.commands()).doesNotContain(RELEASE);
    }

    @Test
    void aRankThatDrainedTooLateForTheOthersMayGiveBackItsOwn() {
        RankProbe probe = new RankProbe().running().aborted().ended(1).drained(0, null);
        assertThat(probe.commands()).contains(RELEASE);
    }

    @Test
    void usersHearOfTheEndOnceAndWithoutWaitingForTheDevice() {
        RankProbe probe = new RankProbe().running().aborted().ended();
        assertThat(probe.did(RankCommand.EndEpoch.class))
                .containsExactly(new RankCommand.EndEpoch(EPOCH, CAUSE, Map.of(), true));
        assertThat(probe.ended().did(RankCommand.EndEpoch.class)).isEmpty();
        assertThat(probe.drained(0, null).did(RankCommand.EndEpoch.class)).isEmpty();
    }

    @Test
    void anEndWithoutAnAbortStillDrainsFirst() {
        RankProbe probe = new RankProbe().running().ended();
        assertThat(probe.did(RankCommand.DrainDevice.class)).hasSize(1);
        assertThat(probe.commands()).doesNotContain(RELEASE);
        assertThat(probe.drained(0, null).commands()).contains(RELEASE);
    }

    @Test
    void theEndOfAnotherEpochIsIgnoredAndTheEndOfThisOneIsTrueWhoeverSaysIt() {
        RankProbe probe = new RankProbe().running().aborted().drained(0, null);
        EpochId other = new EpochId(TERM, 4);
        probe.ignores(new EpochEnded(TERM, SELF, other, CAUSE, Set.of(), Map.of(), false));
        probe.hear(new EpochEnded(Term.NONE, SELF, EPOCH, CAUSE, Set.of(), Map.of(), false));
        assertThat(probe.commands()).contains(RELEASE);
    }

    @Test
    void aFailedCallIsReportedInTheRanksOwnWordsAndTheDeviceDrains() {
        RankProbe probe = new RankProbe().running().on(CALL_FAILED);
        assertThat(probe.said(OperationFailed.class))
                .containsExactly(new OperationFailed(SELF, EPOCH, 4, 0, CALL_FAILED.error()));
        assertThat(probe.did(RankCommand.DrainDevice.class)).hasSize(1);
        probe.ignores(CALL_FAILED);
    }

    @Test
    void aCallThatFailedBeforeTheDeviceDrainedIsReportedAlsoAfterAnAbort() {
        RankProbe probe = new RankProbe().running().aborted().on(CALL_FAILED);
        assertThat(probe.said(OperationFailed.class)).hasSize(1);
        RankProbe after = new RankProbe().running().aborted().drained(0, null);
        assertThat(after.on(CALL_FAILED).said(OperationFailed.class)).isEmpty();
    }

    @Test
    void aFailedCallOfAnotherEpochIsIgnored() {
        new RankProbe().running().ignores(new RankEvent.CallFailed(new EpochId(TERM, 4), 4, 0, CALL_FAILED.error()));
    }

    @Test
    void reportAndDrainedAreSaidAgainUntilTheEndIsHeard() {
        RankProbe probe =
                new RankProbe().running().on(CALL_FAILED).drained(3, null).fire(RankTimer.RESEND);
        assertThat(probe.said(OperationFailed.class)).hasSize(1);
        assertThat(probe.said(Drained.class)).hasSize(1);
        assertThat(probe.ended().fire(RankTimer.RESEND).commands()).isEmpty();
    }

    @Test
    void aRankThatHasNotDrainedSaysNoHello() {
        RankProbe probe = new RankProbe().running().aborted().fire(RankTimer.HELLO);
        assertThat(probe.said(Hello.class)).isEmpty();
        assertThat(probe.drained(0, null).fire(RankTimer.HELLO).said(Hello.class))
                .hasSize(1);
    }

    @Test
    void whoStopsWaitingForACommitPoisonsTheEpochFirstAndThenRefuses() {
        RankProbe probe = new RankProbe().at(Stage.COMMIT).fire(RankTimer.PATIENCE);
        assertThat(probe.commands()).first().isEqualTo(new RankCommand.PoisonPad(EPOCH));
        assertThat(probe.said(StageAnswer.class))
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.stage()).isEqualTo(Stage.COMMIT));
        probe.hear(new Commit(SELF, EPOCH));
        assertThat(probe.did(RankCommand.EnterEpoch.class)).isEmpty();
        assertThat(probe.said(StageAnswer.class)).hasSize(1);
    }

    @Test
    void whoHasEnteredAndHearsNothingPoisonsTheEpochToo() {
        RankProbe probe = new RankProbe().entered().fire(RankTimer.PATIENCE);
        assertThat(probe.did(RankCommand.PoisonPad.class)).hasSize(1);
        assertThat(probe.phase()).isInstanceOf(Draining.class);
    }

    @Test
    void aRankInAStageThatHearsNothingDrains() {
        RankProbe probe = new RankProbe().at(Stage.FILL).fire(RankTimer.PATIENCE);
        assertThat(probe.did(RankCommand.DrainDevice.class)).hasSize(1);
        assertThat(probe.did(RankCommand.PoisonPad.class)).isEmpty();
    }

    @Test
    void aRunningRankNeedsNoCoordinator() {
        RankProbe probe = new RankProbe().running();
        probe.ignores(new RankEvent.TimerFired(RankTimer.PATIENCE));
    }

    @Test
    void withoutTheCoordinatorsWordUsersHearOfTheEndAllTheSameAndTheMemoryIsAbandoned() {
        RankProbe probe =
                new RankProbe().running().on(CALL_FAILED).drained(0, null).fire(RankTimer.PATIENCE);
        assertThat(probe.did(RankCommand.EndEpoch.class)).singleElement().satisfies(end -> {
            assertThat(end.cause().code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(end.resubmittable()).isFalse();
        });
        assertThat(probe.commands()).contains(new RankCommand.AbandonEpoch(EPOCH, Set.of(0)));
        assertThat(probe.phase()).isInstanceOf(Idle.class);
    }

    @Test
    void whenTheCommunicatorFailsTheRankDrainsFirstAndThenFinishes() {
        RankProbe probe = new RankProbe().running().hear(new Failed(TERM, SELF, CAUSE));
        assertThat(probe.did(RankCommand.EndEpoch.class)).hasSize(1);
        assertThat(probe.did(RankCommand.Finish.class)).isEmpty();
        probe.drained(0, null);
        assertThat(probe.commands()).contains(new RankCommand.AbandonEpoch(EPOCH, Set.of(0)));
        assertThat(probe.commands()).endsWith(new RankCommand.Finish(CAUSE));
        assertThat(probe.phase()).isInstanceOf(Finished.class);
    }

    @Test
    void aFailureUnderALowerTermIsRefused() {
        RankProbe probe = new RankProbe().claimed().hear(new Failed(Term.NONE, SELF, CAUSE));
        assertThat(probe.phase()).isInstanceOf(Idle.class);
        assertThat(probe.said(ClaimRefused.class)).hasSize(1);
    }

    @Test
    void aRankThatHoldsNothingFinishesAtOnceAndLeavesNoTimer() {
        RankProbe probe = new RankProbe().claimed().hear(new Failed(TERM, SELF, CAUSE));
        assertThat(probe.did(RankCommand.Finish.class)).hasSize(1);
        assertThat(probe.did(RankCommand.CancelTimer.class)).hasSize(RankTimer.values().length);
        probe.ignores(new RankEvent.TimerFired(RankTimer.HELLO));
    }

    @Test
    void aRankThatLeavesSaysSoUntilItIsAnswered() {
        RankProbe probe = new RankProbe().running().on(new RankEvent.LeaveRequested());
        assertThat(probe.said(Leaving.class)).hasSize(1);
        assertThat(probe.fire(RankTimer.RESEND).said(Leaving.class)).hasSize(1);
        probe.ignores(new RankEvent.LeaveRequested());
        probe.aborted().drained(0, null).ended();
        assertThat(probe.commands()).contains(RELEASE);
        assertThat(probe.hear(new Failed(TERM, SELF, CAUSE)).phase()).isInstanceOf(Finished.class);
    }

    @Test
    void aRankThatNobodyAnsweredLeavesAtOnce() {
        RankProbe probe = new RankProbe().on(new RankEvent.LeaveRequested());
        assertThat(probe.said(Leaving.class)).hasSize(1);
        assertThat(probe.phase()).isInstanceOf(Finished.class);
    }

    @Test
    void aRankThatLeavesAndIsNotAnsweredGoesByItself() {
        RankProbe probe = new RankProbe().running().on(new RankEvent.LeaveRequested());
        probe.fire(RankTimer.LEAVE).drained(0, null);
        assertThat(probe.commands()).contains(new RankCommand.AbandonEpoch(EPOCH, Set.of(0)));
        assertThat(probe.phase()).isInstanceOf(Finished.class);
    }

    @Test
    void aDeviceThatNeverDrainsDoesNotKeepTheRankFromFinishing() {
        RankProbe probe = new RankProbe().running().on(new RankEvent.LeaveRequested());
        probe.fire(RankTimer.LEAVE).fire(RankTimer.LEAVE);
        assertThat(probe.commands()).contains(new RankCommand.AbandonEpoch(EPOCH, Set.of(0, 1)));
        assertThat(probe.phase()).isInstanceOf(Finished.class);
    }
}
