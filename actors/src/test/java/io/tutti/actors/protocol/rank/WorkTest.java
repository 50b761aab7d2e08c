package io.tutti.actors.protocol.rank;

import static io.tutti.actors.protocol.rank.RankProbe.EPOCH;
import static io.tutti.actors.protocol.rank.RankProbe.SELF;
import static io.tutti.actors.protocol.rank.RankProbe.TERM;
import static io.tutti.actors.protocol.rank.RankProbe.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.CoordinatorMessage.ClaimRefused;
import io.tutti.actors.protocol.CoordinatorMessage.CommitAcknowledged;
import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.Claim;
import io.tutti.actors.protocol.RankMessage.Commit;
import io.tutti.actors.protocol.RankMessage.Committed;
import io.tutti.actors.protocol.RankMessage.StageOrder;
import io.tutti.actors.protocol.RankMessage.Welcome;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.rank.RankPhase.Armed;
import io.tutti.actors.protocol.rank.RankPhase.Entered;
import io.tutti.actors.protocol.rank.RankPhase.Greeting;
import io.tutti.actors.protocol.rank.RankPhase.Idle;
import io.tutti.actors.protocol.rank.RankPhase.Running;
import io.tutti.actors.protocol.rank.RankPhase.Working;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.plan.Policy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkTest {

    private static final Term LOWER = new Term(2, "z");
    private static final Term HIGHER = new Term(4, "a");
    private static final StageOutcome DONE = new StageOutcome.Done();

    @Test
    void itSaysHelloUntilItIsWelcomedAndThenSlowly() {
        RankProbe probe = new RankProbe();
        assertThat(probe.said(Hello.class)).containsExactly(new Hello(SELF, 2, 1, Term.NONE));
        assertThat(probe.fire(RankTimer.HELLO).commands())
                .contains(new RankCommand.StartTimer(RankTimer.HELLO, RankProbe.TIMING.helloFast()));
        probe.hear(new Welcome(Term.NONE, SELF));
        assertThat(probe.phase()).isInstanceOf(Idle.class);
        assertThat(probe.fire(RankTimer.HELLO).commands())
                .contains(new RankCommand.StartTimer(RankTimer.HELLO, RankProbe.TIMING.helloSlow()));
    }

    @Test
    void whatIsMeantForAnotherLifeIsIgnored() {
        Incarnation other = new Incarnation(1, "r1.9", "p1.9");
        RankProbe probe = new RankProbe();
        probe.ignores(new Welcome(Term.NONE, other));
        probe.ignores(new Claim(TERM, other));
        probe.at(Stage.COMMIT).ignores(new Commit(other, EPOCH));
        probe.ignores(new Abort(TERM, other, EPOCH, RankProbe.CAUSE));
    }

    @Test
    void aClaimIsPromisedAndTheSameClaimAgain() {
        RankProbe probe = new RankProbe().claimed();
        Promised promise = new Promised(SELF, TERM, 0, Optional.empty(), Optional.empty());
        assertThat(probe.said(Promised.class)).containsExactly(promise);
        assertThat(probe.claimed().said(Promised.class)).containsExactly(promise);
    }

    @Test
    void aLowerClaimIsRefusedWithTheTermThatWasPromised() {
        RankProbe probe = new RankProbe().claimed().hear(new Claim(LOWER, SELF));
        assertThat(probe.said(ClaimRefused.class)).containsExactly(new ClaimRefused(SELF, LOWER, TERM));
        assertThat(probe.state().promised()).isEqualTo(TERM);
    }

    @Test
    void aPromiseTellsWhatTheRankStillHoldsAndWhatItHasDrained() {
        RankProbe probe = new RankProbe().running().hear(new Claim(HIGHER, SELF));
        assertThat(probe.said(Promised.class))
                .containsExactly(new Promised(SELF, HIGHER, 5, Optional.of(EPOCH), Optional.empty()));
        RankProbe after = new RankProbe().running().aborted().drained(0, null).ended();
        assertThat(after.hear(new Claim(HIGHER, SELF)).said(Promised.class))
                .containsExactly(new Promised(SELF, HIGHER, 5, Optional.empty(), Optional.of(EPOCH)));
    }

    @Test
    void anOrderOfALowerTermIsRefusedAndOneOfATermThatWasNeverPromisedIgnored() {
        RankProbe probe = new RankProbe().claimed();
        probe.hear(order(new EpochId(LOWER, 9), Stage.IDENTITY));
        assertThat(probe.said(ClaimRefused.class)).containsExactly(new ClaimRefused(SELF, LOWER, TERM));
        assertThat(probe.phase()).isInstanceOf(Idle.class);
        probe.ignores(order(new EpochId(HIGHER, 9), Stage.IDENTITY));
        new RankProbe().ignores(order(EPOCH, Stage.IDENTITY));
    }

    @ParameterizedTest
    @EnumSource(
            value = Stage.class,
            names = {"PLAN", "COMMIT"},
            mode = EnumSource.Mode.EXCLUDE)
    void aStageIsCarriedOutOnceAndAnsweredOnceForEveryOrder(Stage stage) {
        RankProbe probe = new RankProbe().at(stage).ordered(stage);
        assertThat(probe.did(RankCommand.Perform.class)).singleElement().satisfies(perform -> {
            assertThat(perform.stage()).isEqualTo(stage);
            assertThat(perform.agreed().isPresent()).isEqualTo(stage != Stage.IDENTITY);
        });
        probe.ignores(order(EPOCH, stage));
        StageAnswer answer = new StageAnswer(SELF, EPOCH, stage, DONE);
        assertThat(probe.finished(stage, DONE).said(StageAnswer.class)).containsExactly(answer);
        assertThat(probe.ordered(stage).commands()).containsExactly(new RankCommand.Send(answer));
        probe.ignores(new RankEvent.StageFinished(EPOCH, stage, DONE));
    }

    @Test
    void aStageIsNeitherSkippedNorGoneBackTo() {
        RankProbe probe = new RankProbe().claimed();
        probe.ignores(order(EPOCH, Stage.FILL));
        probe.at(Stage.FILL).ordered(Stage.FILL).finished(Stage.FILL, DONE);
        probe.ignores(order(EPOCH, Stage.ALLOCATE));
        probe.ignores(order(EPOCH, Stage.IMPORT));
    }

    @Test
    void anEpochThatIsNotNewIsIgnoredAndSoIsAnotherOneWhileOneIsHeld() {
        RankProbe probe = new RankProbe().at(Stage.FILL);
        probe.ignores(order(new EpochId(TERM, 6), Stage.IDENTITY));
        probe.aborted().drained(0, null).ended();
        probe.ignores(order(EPOCH, Stage.IDENTITY));
        probe.ignores(order(new EpochId(TERM, 4), Stage.IDENTITY));
        probe.hear(order(new EpochId(TERM, 6), Stage.IDENTITY));
        assertThat(probe.phase()).isInstanceOf(Working.class);
    }

    @Test
    void aFinishedStageOfAnEpochThatHasEndedIsIgnored() {
        RankProbe probe = new RankProbe().at(Stage.FILL).ordered(Stage.FILL).aborted();
        probe.ignores(new RankEvent.StageFinished(EPOCH, Stage.FILL, DONE));
    }

    @Test
    void itPlansForItselfAndAnswersWithItsOwnHash() {
        RankProbe probe = new RankProbe().at(Stage.PLAN).ordered(Stage.PLAN);
        StageInput.Planning input = (StageInput.Planning) RankProbe.input(Stage.PLAN);
        assertThat(probe.said(StageAnswer.class).get(0).outcome())
                .isEqualTo(new StageOutcome.Planned(input.planHash()));
        assertThat(probe.did(RankCommand.Perform.class)).isEmpty();
    }

    @Test
    void itGoesOnOnlyWithAPlanThatHasTheCoordinatorsHash() {
        StageInput input = new StageInput.Planning(RankProbe.facts(), Policy.standard(), List.of(), 0, "other");
        RankProbe probe = new RankProbe().at(Stage.PLAN).hear(new StageOrder(SELF, EPOCH, Stage.PLAN, input, 1000));
        assertThat(probe.said(StageAnswer.class).get(0).outcome()).isInstanceOf(StageOutcome.Planned.class);
        probe.ordered(Stage.ALLOCATE);
        assertThat(probe.did(RankCommand.Perform.class)).isEmpty();
        assertThat(probe.said(StageAnswer.class).get(0).outcome()).isInstanceOf(StageOutcome.Refused.class);
    }

    @Test
    void itRefusesAPolicyThatIsNotItsOwnAndSaysWhatDiffers() {
        Policy theirs =
                new Policy(Policy.standard().paths(), Policy.standard().handleKinds(), Optional.empty(), 4096, false);
        StageInput input = new StageInput.Planning(RankProbe.facts(), theirs, List.of(), 0, "any");
        RankProbe probe = new RankProbe().at(Stage.PLAN).hear(new StageOrder(SELF, EPOCH, Stage.PLAN, input, 1000));
        ErrorInfo error =
                ((StageOutcome.Refused) probe.said(StageAnswer.class).get(0).outcome()).error();
        assertThat(error.code()).isEqualTo(ErrorCode.CONFIGURATION);
        assertThat(error.message())
                .contains("workspaceBytes=0 here and 4096 there")
                .doesNotContain("paths=");
    }

    @Test
    void onlyAnArmedRankEntersAndItSaysSoForEveryCommit() {
        RankProbe early = new RankProbe().at(Stage.ARM).ordered(Stage.ARM);
        early.ignores(new Commit(SELF, EPOCH));
        RankProbe probe = new RankProbe().at(Stage.COMMIT);
        assertThat(probe.phase()).isInstanceOf(Armed.class);
        probe.ignores(new Commit(SELF, new EpochId(TERM, 6)));
        probe.hear(new Commit(SELF, EPOCH));
        assertThat(probe.did(RankCommand.EnterEpoch.class)).hasSize(1);
        assertThat(probe.said(CommitAcknowledged.class)).hasSize(1);
        probe.hear(new Commit(SELF, EPOCH));
        assertThat(probe.commands()).containsExactly(new RankCommand.Send(new CommitAcknowledged(SELF, EPOCH)));
    }

    @Test
    void usersSeeTheEpochOnceAllHaveEntered() {
        RankProbe probe = new RankProbe().entered();
        assertThat(probe.phase()).isInstanceOf(Entered.class);
        assertThat(probe.did(RankCommand.AnnounceCommitted.class)).isEmpty();
        probe.ignores(new Committed(SELF, new EpochId(TERM, 6)));
        probe.hear(new Committed(SELF, EPOCH));
        assertThat(probe.did(RankCommand.AnnounceCommitted.class)).hasSize(1);
        assertThat(probe.phase()).isInstanceOf(Running.class);
        probe.ignores(new Committed(SELF, EPOCH));
    }

    @Test
    void anAcknowledgementIsSaidAgainUntilItIsHeard() {
        RankProbe probe = new RankProbe().entered().fire(RankTimer.RESEND);
        assertThat(probe.said(CommitAcknowledged.class)).hasSize(1);
        assertThat(probe.started(RankTimer.RESEND)).isTrue();
        probe.hear(new Committed(SELF, EPOCH)).fire(RankTimer.RESEND);
        assertThat(probe.commands()).isEmpty();
    }

    @Test
    void aRankThatWasNeverWelcomedStaysGreeting() {
        assertThat(new RankProbe().phase()).isInstanceOf(Greeting.class);
    }

    @Test
    void aRequestToForgetRefusalsIsSaidAgainUntilItIsAnsweredOnce() {
        RankProbe probe = new RankProbe().running().on(new RankEvent.ForgetRequested());
        assertThat(probe.said(CoordinatorMessage.ForgetRefusals.class)).hasSize(1);
        assertThat(probe.fire(RankTimer.RESEND).said(CoordinatorMessage.ForgetRefusals.class))
                .hasSize(1);
        RankMessage answer = new RankMessage.RefusalsForgotten(RankProbe.TERM, RankProbe.SELF);
        assertThat(probe.hear(answer).did(RankCommand.AnnounceForgotten.class)).hasSize(1);
        probe.ignores(answer);
        assertThat(probe.fire(RankTimer.RESEND).said(CoordinatorMessage.ForgetRefusals.class))
                .isEmpty();
    }
}
