package io.tutti.actors.protocol.coordinator;

import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.error;
import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.life;
import static io.tutti.actors.protocol.coordinator.CoordinatorProbe.rank;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.Failed;
import io.tutti.actors.protocol.RankMessage.StageOrder;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Committing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Gathering;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Pausing;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.EpochPlan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormingTest {

    private static final String OUT_OF_MEMORY = "CUDA_ERROR_OUT_OF_MEMORY";
    private static final ErrorInfo REFUSAL = error(ErrorCode.DRIVER, "CUDA_ERROR_INVALID_HANDLE");

    @ParameterizedTest
    @EnumSource(value = Stage.class, names = "COMMIT", mode = EnumSource.Mode.EXCLUDE)
    void aStageFollowsOnlyWhenAllRanksHaveAnsweredTheOneBefore(Stage stage) {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(stage);
        probe.answer(0, stage, probe.good(0, stage));
        assertThat(probe.phase(Forming.class).stage()).isEqualTo(stage);
        probe.answer(1, stage, probe.good(1, stage));
        if (stage == Stage.ARM) {
            assertThat(probe.phase()).isInstanceOf(Committing.class);
        } else {
            assertThat(probe.ordered()).isEqualTo(Stage.values()[stage.ordinal() + 1]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 72})
    void eachRankIsToldTheSameNumberOfThingsHoweverManyThereAre(int world) {
        int stages = Stage.values().length - 1;
        int welcomeClaimCommitAndCommitted = 4;
        assertThat(new CoordinatorProbe(world).running().sentSoFar())
                .isEqualTo((long) world * (stages + welcomeClaimCommitAndCommitted));
    }

    @Test
    void everyStageHasItsOwnDeadlineAndIsOrderedWithTheRanksTime() {
        CoordinatorProbe probe = new CoordinatorProbe(1).at(Stage.FILL);
        CoordinatorTiming timing = CoordinatorProbe.TIMING;
        assertThat(probe.started(CoordinatorTimer.DEADLINE))
                .isEqualTo(timing.of(Stage.FILL).plus(timing.margin()));
        assertThat(probe.sent(StageOrder.class).get(0).timeoutMillis())
                .isEqualTo(timing.of(Stage.FILL).toMillis());
    }

    @Test
    void anAnswerThatIsDoubledOrOfAnotherStageOrEpochIsIgnored() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.ARM);
        StageOutcome done = new StageOutcome.Done();
        EpochId epoch = probe.epoch();
        probe.answer(0, Stage.ARM, done);
        probe.ignores(new StageAnswer(rank(0), epoch, Stage.ARM, done));
        probe.ignores(new StageAnswer(rank(1), epoch, Stage.QUIESCE, done));
        probe.ignores(new StageAnswer(rank(1), new EpochId(epoch.term(), 77), Stage.ARM, done));
        probe.ignores(new StageAnswer(rank(1), new EpochId(new Term(9, "x"), epoch.epoch()), Stage.ARM, done));
    }

    @Test
    void anOrderIsSentAgainToThoseWhoHaveNotAnswered() {
        CoordinatorProbe probe = new CoordinatorProbe(3).at(Stage.FILL);
        probe.answer(1, Stage.FILL, new StageOutcome.Done()).fire(CoordinatorTimer.RESEND);
        assertThat(probe.sentTo(StageOrder.class)).containsExactly(0, 2);
    }

    @Test
    void allAnswersAreCollectedAndThenTheFirstRefusalInItsOwnWordsDecides() {
        CoordinatorProbe probe = new CoordinatorProbe(3).at(Stage.IMPORT);
        probe.refuse(2, Stage.IMPORT, REFUSAL).refuse(0, Stage.IMPORT, error(ErrorCode.DRIVER, "later"));
        assertThat(probe.phase()).isInstanceOf(Forming.class);
        probe.answer(1, Stage.IMPORT, new StageOutcome.Done());
        assertThat(probe.sentTo(Abort.class)).containsExactly(0, 1, 2);
        assertThat(probe.sent(Abort.class).get(0).cause()).isEqualTo(REFUSAL.onRank(2));
    }

    @Test
    void whoDoesNotAnswerByTheDeadlineIsNamed() {
        CoordinatorProbe probe = new CoordinatorProbe(3).at(Stage.IMPORT);
        probe.answer(0, Stage.IMPORT, new StageOutcome.Done()).fire(CoordinatorTimer.DEADLINE);
        ErrorInfo cause = probe.sent(Abort.class).get(0).cause();
        assertThat(cause.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(cause.rank()).isEqualTo(1);
        assertThat(cause.call()).isEqualTo("import");
    }

    @Test
    void aRefusalSaysMoreThanSilenceAtTheDeadline() {
        CoordinatorProbe probe = new CoordinatorProbe(3).at(Stage.IMPORT);
        probe.refuse(2, Stage.IMPORT, REFUSAL).fire(CoordinatorTimer.DEADLINE);
        assertThat(probe.sent(Abort.class).get(0).cause()).isEqualTo(REFUSAL.onRank(2));
    }

    @Test
    void anAnswerOfTheWrongKindIsARefusal() {
        CoordinatorProbe probe = new CoordinatorProbe(1).at(Stage.EXPORT);
        probe.answer(0, Stage.EXPORT, new StageOutcome.Done());
        assertThat(probe.sent(Abort.class).get(0).cause().code()).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void everyRanksOffersReachEveryRank() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.EXPORT);
        probe.answer(1, Stage.EXPORT, new StageOutcome.Exported(List.of(offer(1))));
        probe.answer(0, Stage.EXPORT, new StageOutcome.Exported(List.of(offer(0))));
        assertThat(probe.sent(StageOrder.class))
                .hasSize(2)
                .allSatisfy(order ->
                        assertThat(order.input()).isEqualTo(new StageInput.Importing(List.of(offer(0), offer(1)))));
    }

    private static MemoryOffer offer(int rank) {
        return new MemoryOffer(rank, HandleKind.IN_PROCESS, "host", "p" + rank, 4096, 128, 1, new byte[] {1});
    }

    @Test
    void plansThatDifferFailTheCommunicatorAndTheErrorNamesBothRanks() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.PLAN);
        StageOutcome good = probe.good(0, Stage.PLAN);
        probe.answer(0, Stage.PLAN, good).answer(1, Stage.PLAN, new StageOutcome.Planned("other"));
        probe.allDrained();
        ErrorInfo cause = probe.phase(CoordinatorPhase.Failed.class).cause();
        assertThat(cause.code()).isEqualTo(ErrorCode.MISMATCH);
        assertThat(cause.message()).contains("rank 1", "rank 0", "planHash=other");
        assertThat(probe.sentTo(Failed.class)).containsExactly(0, 1);
    }

    @Test
    void aPolicyThatDiffersFailsTheCommunicatorAndTheErrorNamesBothRanks() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.PLAN);
        probe.onlyRefuses(1, Stage.PLAN, error(ErrorCode.CONFIGURATION, null)).allDrained();
        assertThat(probe.phase(CoordinatorPhase.Failed.class).cause().message())
                .contains("rank 1 and rank 0 disagree", "it broke");
    }

    @Test
    void aRankThatCannotTellItsFactsFailsTheCommunicatorInItsOwnWords() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.IDENTITY);
        probe.onlyRefuses(1, Stage.IDENTITY, REFUSAL).allDrained();
        assertThat(probe.phase(CoordinatorPhase.Failed.class).cause()).isEqualTo(REFUSAL.onRank(1));
    }

    @Test
    void aPathThatFailedIsPlannedAround() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.VERIFY);
        assertThat(plan(probe).path()).isEqualTo(PathKind.NVLS);
        probe.onlyRefuses(1, Stage.VERIFY, REFUSAL).allDrained();
        assertThat(probe.ordered()).isEqualTo(Stage.IDENTITY);
        probe.upTo(Stage.ALLOCATE);
        assertThat(plan(probe).path()).isEqualTo(PathKind.P2P);
        assertThat(probe.state().history().exclusions()).singleElement().satisfies(exclusion -> {
            assertThat(exclusion.path()).isEqualTo(PathKind.NVLS);
            assertThat(exclusion.stage()).isEqualTo("verify");
            assertThat(exclusion.error()).isEqualTo(REFUSAL.onRank(1));
        });
    }

    @Test
    void aHandleKindThatFailedIsPlannedAroundAndThePathStays() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.VERIFY);
        probe.onlyRefuses(1, Stage.VERIFY, REFUSAL).allDrained().upTo(Stage.IMPORT);
        probe.answer(0, Stage.IMPORT, new StageOutcome.Done());
        probe.answer(1, Stage.IMPORT, new StageOutcome.Refused(REFUSAL, HandleKind.IN_PROCESS));
        probe.allDrained().upTo(Stage.ALLOCATE);
        assertThat(plan(probe).path()).isEqualTo(PathKind.P2P);
        assertThat(plan(probe).handleKinds()).containsValue(HandleKind.POSIX_FD);
    }

    @Test
    void aRankOutOfMemoryHalvesTheWorkspaceBeforeThePathIsGivenUp() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.ALLOCATE);
        long whole = plan(probe).workspace().oneShotBytes();
        for (int i = 1; i <= CoordinatorProbe.LIMITS.shrinks(); i++) {
            probe.onlyRefuses(1, Stage.ALLOCATE, error(ErrorCode.DRIVER, OUT_OF_MEMORY))
                    .allDrained();
            probe.upTo(Stage.ALLOCATE);
            assertThat(plan(probe).path()).isEqualTo(PathKind.NVLS);
            assertThat(plan(probe).workspace().oneShotBytes()).isEqualTo(whole >> i);
        }
        probe.onlyRefuses(1, Stage.ALLOCATE, error(ErrorCode.DRIVER, OUT_OF_MEMORY))
                .allDrained();
        probe.upTo(Stage.ALLOCATE);
        assertThat(plan(probe).path()).isEqualTo(PathKind.P2P);
        assertThat(plan(probe).workspace().oneShotBytes()).isEqualTo(whole);
    }

    @Test
    void aSystemThatIsNotReadyIsTriedAgainInLockStepAndThenGivenUp() {
        ErrorInfo notReady = error(ErrorCode.DRIVER, "CUDA_ERROR_SYSTEM_NOT_READY");
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.ALLOCATE);
        for (int i = 0; i < CoordinatorProbe.LIMITS.notReady(); i++) {
            probe.onlyRefuses(0, Stage.ALLOCATE, notReady).allDrained();
            assertThat(probe.phase()).isInstanceOf(Pausing.class);
            assertThat(probe.started(CoordinatorTimer.DEADLINE)).isEqualTo(CoordinatorProbe.TIMING.notReady());
            probe.fire(CoordinatorTimer.DEADLINE).upTo(Stage.ALLOCATE);
            assertThat(plan(probe).path()).isEqualTo(PathKind.NVLS);
        }
        probe.onlyRefuses(0, Stage.ALLOCATE, notReady).allDrained().upTo(Stage.ALLOCATE);
        assertThat(plan(probe).path()).isEqualTo(PathKind.P2P);
    }

    @Test
    void whenNoPathIsLeftTheMostPreferredPathsOwnErrorFailsTheCommunicatorAfterAllHaveDrained() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.VERIFY);
        probe.onlyRefuses(1, Stage.VERIFY, REFUSAL).allDrained().upTo(Stage.VERIFY);
        ErrorInfo later = error(ErrorCode.DRIVER, "later");
        probe.onlyRefuses(0, Stage.VERIFY, later).allDrained().upTo(Stage.VERIFY);
        probe.onlyRefuses(0, Stage.VERIFY, later).allDrained().upTo(Stage.PLAN);
        assertThat(probe.phase()).isInstanceOf(Ending.class);
        probe.allDrained();
        ErrorInfo cause = probe.phase(CoordinatorPhase.Failed.class).cause();
        assertThat(cause.message()).isEqualTo(REFUSAL.message());
        assertThat(cause.rank()).isEqualTo(1);
        assertThat(cause.advice()).as("what the planner advises").isEqualTo("Look at the reasons.");
    }

    @Test
    void epochsFormedInVainAreBounded() {
        CoordinatorProbe probe = new CoordinatorProbe(2).gathered().promised();
        for (int i = 0; i < CoordinatorProbe.LIMITS.attempts(); i++) {
            assertThat(probe.phase()).isInstanceOf(Forming.class);
            probe.fire(CoordinatorTimer.DEADLINE).allDrained();
            if (probe.phase() instanceof Pausing) {
                probe.fire(CoordinatorTimer.DEADLINE);
            }
        }
        assertThat(probe.phase(CoordinatorPhase.Failed.class).cause().call()).isEqualTo("identity");
    }

    @Test
    void aRankThatIsLostOrStartsAnewEndsTheEpochAtOnce() {
        CoordinatorProbe lost = new CoordinatorProbe(2).at(Stage.FILL).lost(rank(1), true);
        assertThat(lost.sentTo(Abort.class)).containsExactly(0, 1);
        assertThat(lost.drained(0, 0, null).phase()).isInstanceOf(Gathering.class);

        CoordinatorProbe anew = new CoordinatorProbe(2).at(Stage.FILL);
        anew.hear(new Hello(life(1, 1), 2, 1, Term.NONE));
        assertThat(anew.phase()).isInstanceOf(Ending.class);
        assertThat(anew.state().present().get(1)).isEqualTo(life(1, 1));
    }

    @Test
    void aRankThatHasStoppedWaitingEndsTheEpoch() {
        CoordinatorProbe probe = new CoordinatorProbe(2).at(Stage.FILL).drained(1, 0, null);
        assertThat(probe.sentTo(Abort.class)).contains(0);
        assertThat(probe.drained(0, 0, null).phase()).isInstanceOf(Pausing.class);
    }

    private static EpochPlan plan(CoordinatorProbe probe) {
        return probe.phase(Forming.class).plan().orElseThrow();
    }
}
