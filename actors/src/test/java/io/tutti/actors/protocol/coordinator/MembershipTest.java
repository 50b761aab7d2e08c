package io.tutti.actors.protocol.coordinator;

import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.hello;
import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.life;
import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.rank;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.CoordinatorMessage.ClaimRefused;
import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.Claim;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.RankMessage.Failed;
import io.tutti.actors.protocol.RankMessage.StageOrder;
import io.tutti.actors.protocol.RankMessage.Welcome;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Claiming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Gathering;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Standby;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Superseded;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MembershipTest {

    private static final Term OTHER = new Term(7, "c0");

    @Test
    void itWelcomesEveryHelloAndClaimsATermOnceAllRanksAreThere() {
        CoordinatorProbe probe = new CoordinatorProbe(2);
        assertThat(probe.hear(hello(0, 2)).sentTo(Welcome.class)).containsExactly(0);
        assertThat(probe.sent(Claim.class)).isEmpty();
        probe.hear(hello(1, 2));
        assertThat(probe.sentTo(Welcome.class)).containsExactly(1);
        assertThat(probe.sentTo(Claim.class)).containsExactly(0, 1);
        assertThat(probe.state().term()).isEqualTo(new Term(1, "c1"));
    }

    @Test
    void theSameHelloAgainIsOnlyWelcomedAgain() {
        CoordinatorProbe probe = new CoordinatorProbe(2).hear(hello(0, 2));
        CoordinatorState before = probe.state();
        assertThat(probe.hear(hello(0, 2)).sentTo(Welcome.class)).containsExactly(0);
        assertThat(probe.state()).isEqualTo(before);
    }

    @Test
    void aRankOfAnotherWorldSizeFailsTheCommunicatorAndTheErrorNamesBothRanks() {
        CoordinatorProbe probe = new CoordinatorProbe(2).hear(hello(0, 2)).hear(hello(1, 4));
        ErrorInfo cause = probe.phase(CoordinatorPhase.Failed.class).cause();
        assertThat(cause.code()).isEqualTo(ErrorCode.CONFIGURATION);
        assertThat(cause.message()).contains("rank 1 has worldSize=4", "rank 0", "worldSize=2");
        assertThat(probe.sentTo(Failed.class)).containsExactly(0, 1);
    }

    @Test
    void aRankOfAnotherProtocolVersionFailsTheCommunicatorAndTheErrorNamesBothRanks() {
        CoordinatorProbe probe = new CoordinatorProbe(2).hear(hello(0, 2)).hear(new Hello(rank(1), 2, 9, Term.NONE));
        assertThat(probe.phase(CoordinatorPhase.Failed.class).cause().message())
                .contains("rank 1 has protocolVersion=9", "rank 0", "protocolVersion=1");
    }

    @Test
    void aRankThatDisagreesWithARunningCommunicatorIsRefusedAlone() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running();
        probe.hear(new Hello(life(1, 1), 3, 1, Term.NONE));
        assertThat(probe.sent(Failed.class))
                .singleElement()
                .satisfies(failed -> assertThat(failed.to()).isEqualTo(life(1, 1)));
        assertThat(probe.phase()).isInstanceOf(CoordinatorPhase.Running.class);
    }

    @Test
    void aRankNumberOutsideTheWorldIsAnError() {
        CoordinatorProbe probe = new CoordinatorProbe(2).hear(hello(5, 2));
        assertThat(probe.phase(CoordinatorPhase.Failed.class).cause().message()).contains("rank=5", "worldSize=2");
    }

    @Test
    void ranksThatDoNotComeInTimeFailTheCommunicatorByName() {
        CoordinatorProbe probe = new CoordinatorProbe(3).hear(hello(1, 3)).fire(CoordinatorTimer.DEADLINE);
        assertThat(probe.phase(CoordinatorPhase.Failed.class).cause().message()).contains("missing=[0, 2]");
        assertThat(probe.sentTo(Failed.class)).containsExactly(1);
    }

    @Test
    void anEpochNeedsThePromisesOfAllRanksAndADoubledOneCountsOnce() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered().promise(0).promise(0);
        assertThat(probe.phase()).isInstanceOf(Claiming.class);
        probe.promise(1);
        assertThat(probe.phase()).isInstanceOf(Forming.class);
        assertThat(probe.sentTo(StageOrder.class)).containsExactly(0, 1);
    }

    @Test
    void aPromiseOfAnotherTermOrOfAnotherLifeIsIgnored() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered();
        probe.ignores(new Promised(rank(0), OTHER, 0, Optional.empty(), Optional.empty()));
        probe.ignores(new Promised(life(0, 1), probe.state().term(), 0, Optional.empty(), Optional.empty()));
    }

    @Test
    void epochsAreNumberedAboveEveryNumberThatAnyRankEverHeardOf() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered();
        Term term = probe.state().term();
        probe.hear(new Promised(rank(0), term, 41, Optional.empty(), Optional.empty()));
        probe.hear(new Promised(rank(1), term, 5, Optional.empty(), Optional.empty()));
        assertThat(probe.epoch()).isEqualTo(new EpochId(term, 42));
    }

    @Test
    void aTermIsClaimedAboveEveryTermThatAHelloTellsOf() {
        CoordinatorProbe probe = new CoordinatorProbe(1).hear(new Hello(rank(0), 1, 1, OTHER));
        assertThat(probe.state().term()).isEqualTo(new Term(8, "c1"));
    }

    @Test
    void aRefusedClaimIsMadeAgainAboveTheTermThatWasPromised() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered();
        probe.hear(new ClaimRefused(rank(0), probe.state().term(), OTHER));
        assertThat(probe.sentTo(Claim.class)).containsExactly(0, 1);
        assertThat(probe.state().term()).isEqualTo(new Term(8, "c1"));
    }

    @Test
    void claimsInVainAreBounded() {
        CoordinatorProbe probe = new CoordinatorProbe(1).gathered();
        for (int i = 0; i < CoordinatorProbe.LIMITS.claims(); i++) {
            Term mine = probe.state().term();
            probe.hear(new ClaimRefused(rank(0), mine, new Term(mine.counter(), "z")));
        }
        assertThat(probe.phase()).isInstanceOf(CoordinatorPhase.Failed.class);
    }

    @Test
    void aClaimIsSentAgainToThoseWhoHaveNotPromised() {
        CoordinatorProbe probe = new CoordinatorProbe(3).gathered().promise(1).fire(CoordinatorTimer.RESEND);
        assertThat(probe.sentTo(Claim.class)).containsExactly(0, 2);
    }

    @Test
    void aRankThatDoesNotPromiseInTimeIsWaitedForAnew() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered().promise(0).fire(CoordinatorTimer.DEADLINE);
        assertThat(probe.phase()).isInstanceOf(Gathering.class);
        assertThat(probe.state().present()).containsOnlyKeys(0);
        assertThat(probe.hear(hello(1, 2)).sentTo(Claim.class)).containsExactly(0, 1);
    }

    @Test
    void aNewLifeNeedsANewTerm() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered();
        probe.hear(new Hello(life(1, 1), 2, 1, Term.NONE));
        assertThat(probe.state().term()).isEqualTo(new Term(2, "c1"));
        assertThat(probe.sent(Claim.class)).extracting(Claim::to).containsExactly(rank(0), life(1, 1));
    }

    @Test
    void aLifeThatWasReplacedNeverComesBack() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered();
        probe.hear(new Hello(life(1, 1), 2, 1, Term.NONE)).hear(hello(1, 2));
        assertThat(probe.sent(Failed.class)).extracting(Failed::to).containsExactly(rank(1));
        assertThat(probe.state().present().get(1)).isEqualTo(life(1, 1));
    }

    @Test
    void aLifeWhoseProcessEndedNeverComesBackButOneThatLostContactMay() {
        CoordinatorProbe probe = new CoordinatorProbe(2).hear(hello(0, 2)).lost(rank(0), false);
        assertThat(probe.hear(hello(0, 2)).sentTo(Welcome.class)).containsExactly(0);
        probe.lost(rank(0), true).hear(hello(0, 2));
        assertThat(probe.sentTo(Failed.class)).containsExactly(0);
    }

    @Test
    void whatAPredecessorLeftIsEndedBeforeAnEpochIsFormed() {
        EpochId old = new EpochId(OTHER, 9);
        CoordinatorProbe probe = new CoordinatorProbe(2);
        probe.hear(new Hello(rank(0), 2, 1, OTHER)).hear(new Hello(rank(1), 2, 1, OTHER));
        Term term = probe.state().term();
        probe.hear(new Promised(rank(0), term, 9, Optional.of(old), Optional.empty()));
        probe.hear(new Promised(rank(1), term, 9, Optional.of(old), Optional.empty()));
        assertThat(probe.phase()).isInstanceOf(Ending.class);
        assertThat(probe.sent(Abort.class)).allSatisfy(abort -> {
            assertThat(abort.epoch()).isEqualTo(old);
            assertThat(abort.term()).isEqualTo(term);
        });
        probe.allDrained();
        assertThat(probe.sent(EpochEnded.class))
                .allSatisfy(ended -> assertThat(ended.undrained()).isEmpty());
        assertThat(probe.epoch()).isEqualTo(new EpochId(term, 10));
    }

    @Test
    void anInheritedEpochsMemoryIsAbandonedWhenSomeRankIsNotKnownToHaveDrainedIt() {
        EpochId old = new EpochId(OTHER, 9);
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered();
        probe.hear(new Promised(rank(0), probe.state().term(), 9, Optional.of(old), Optional.empty()));
        probe.promise(1);
        assertThat(probe.sentTo(Abort.class)).containsExactly(0);
        probe.drained(0, 0, null);
        assertThat(probe.sent(EpochEnded.class))
                .singleElement()
                .satisfies(ended -> assertThat(ended.undrained()).containsExactly(1));
    }

    @Test
    void aCoordinatorThatHasLedStepsBackForOneWithAHigherTerm() {
        CoordinatorProbe probe = new CoordinatorProbe(2).running();
        probe.hear(new ClaimRefused(rank(0), probe.state().term(), OTHER));
        assertThat(probe.phase()).isEqualTo(new Standby(OTHER));
        assertThat(probe.fire(CoordinatorTimer.DEADLINE).phase()).isInstanceOf(Superseded.class);
        probe.ignores(hello(0, 2));
    }

    @Test
    void ranksThatTurnToACoordinatorThatStoodByAreLedAgain() {
        CoordinatorProbe probe = new CoordinatorProbe(1).running();
        probe.hear(new ClaimRefused(rank(0), probe.state().term(), OTHER));
        assertThat(probe.hear(new Hello(rank(0), 1, 1, OTHER)).sent(Welcome.class))
                .isEmpty();
        assertThat(probe.fire(CoordinatorTimer.DEADLINE).sentTo(Claim.class)).containsExactly(0);
        assertThat(probe.state().term()).isEqualTo(new Term(8, "c1"));
    }

    @Test
    void aRankLostWhileNothingIsFormedIsWaitedForUntilTheDeadline() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered().lost(rank(1), true);
        assertThat(probe.phase()).isInstanceOf(Gathering.class);
        probe.fire(CoordinatorTimer.DEADLINE);
        ErrorInfo cause = probe.phase(CoordinatorPhase.Failed.class).cause();
        assertThat(cause.code()).isEqualTo(ErrorCode.REMOTE);
        assertThat(cause.rank()).isEqualTo(1);
    }

    @Test
    void aStrangersWordsAboutAnEpochAreIgnored() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.ARM);
        probe.ignores(new CoordinatorMessage.StageAnswer(
                life(0, 1), probe.epoch(), Stage.ARM, new io.tutti.actors.protocol.StageOutcome.Done()));
        probe.ignores(new CoordinatorMessage.Leaving(life(0, 1)));
    }
}
