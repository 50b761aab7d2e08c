package io.tutti.gpu.plan;

import static io.tutti.gpu.plan.FactsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.workspace.WorkspaceSpecs;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathPlannerTest {

    private static final Policy ANY = Policy.standard();

    @Test
    void ranksOfOneProcessTakeP2pInProcessAndSayWhyNotNvls() {
        EpochPlan plan = planned(FactsFixture.world(1, 4), ANY);

        assertThat(plan.path()).isEqualTo(PathKind.P2P);
        assertThat(plan.handleKinds()).isEqualTo(Map.of(PairClass.SAME_PROCESS, HandleKind.IN_PROCESS));
        assertThat(plan.rejected()).singleElement().satisfies(row -> {
            assertThat(row.path()).isEqualTo(PathKind.NVLS);
            assertThat(row.rank()).isZero();
            assertThat(row.call()).isEqualTo("cuMulticastGetGranularity");
            assertThat(row.result()).isEqualTo("CUDA_ERROR_NOT_SUPPORTED");
            assertThat(row.advice()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 71, 72})
    void everyPathAboveTheOneTakenHasARowWithAdviceInWorldsOfAnySize(int worldSize) {
        EpochPlan plan = planned(FactsFixture.world(1, worldSize), ANY);

        assertThat(plan.rejected()).hasSize(plan.path().ordinal());
        assertThat(plan.rejected()).allSatisfy(row -> assertThat(row.advice()).isNotEmpty());
        assertThat(plan.workspace().worldSize()).isEqualTo(worldSize);
    }

    @Test
    void oneRankWithoutMulticastRulesNvlsOutForAllAndIsNamed() {
        List<RankFacts> facts = FactsFixture.world(1, 4).stream()
                .map(f -> FactsFixture.multicast(f, new MulticastAnswer.Granularity(2 << 20)))
                .toList();
        facts = with(facts, 2, f -> FactsFixture.multicast(f, FactsFixture.NO_MULTICAST));

        assertThat(planned(facts, ANY).rejected().get(0).rank()).isEqualTo(2);
    }

    @Test
    void aPathForbiddenByPolicyHasARowWithoutCallAndResult() {
        Policy noNvls = new Policy(EnumSet.of(PathKind.P2P), ANY.handleKinds(), Optional.empty(), 0, false);

        assertThat(planned(FactsFixture.world(1, 2), noNvls).rejected())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.call()).isNull();
                    assertThat(row.result()).isNull();
                    assertThat(row.advice()).contains("tutti.paths");
                });
    }

    @Test
    void forcingNvlsWhereItCannotWorkFailsWithThatReason() {
        Policy onlyNvls = new Policy(EnumSet.of(PathKind.NVLS), ANY.handleKinds(), Optional.empty(), 0, false);

        ErrorInfo error = refused(FactsFixture.world(1, 4), onlyNvls);

        assertThat(error.code()).isEqualTo(ErrorCode.PREFLIGHT);
        assertThat(error.call()).isEqualTo("cuMulticastGetGranularity");
        assertThat(error.result()).isEqualTo("CUDA_ERROR_NOT_SUPPORTED");
        assertThat(error.rank()).isZero();
    }

    @Test
    void processesOfOneHostTakePosixFdAndLegacyIpcOnlyWhenDescriptorsAreMissingSomewhere() {
        List<RankFacts> facts = FactsFixture.processPerRank(1, 3);
        assertThat(planned(facts, ANY).handleKinds()).isEqualTo(Map.of(PairClass.SAME_HOST, HandleKind.POSIX_FD));

        List<RankFacts> oneWithout = with(
                facts, 1, f -> FactsFixture.exportable(f, EnumSet.of(HandleKind.IN_PROCESS, HandleKind.LEGACY_IPC)));
        assertThat(planned(oneWithout, ANY).handleKinds())
                .isEqualTo(Map.of(PairClass.SAME_HOST, HandleKind.LEGACY_IPC));
    }

    @Test
    void descriptorsAndFabricGoTogether() {
        List<RankFacts> facts = FactsFixture.processPerRank(2, 2).stream()
                .map(f -> FactsFixture.exportable(f, EnumSet.allOf(HandleKind.class)))
                .map(f -> FactsFixture.device(
                        f,
                        f.device().identity(),
                        new FabricInfo("5b1c0f4e-0000-0000-0000-000000000001", 1, "completed")))
                .toList();

        assertThat(planned(facts, ANY).handleKinds())
                .isEqualTo(Map.of(PairClass.SAME_HOST, HandleKind.POSIX_FD, PairClass.OTHER_HOST, HandleKind.FABRIC));
    }

    @Test
    void kindsThatNeedDifferentMemoryAreNeverPlannedTogether() {
        List<RankFacts> oneProcess = FactsFixture.world(1, 3);
        List<RankFacts> facts = List.of(
                oneProcess.get(0),
                oneProcess.get(1),
                FactsFixture.exportable(
                        FactsFixture.processPerRank(1, 3).get(2),
                        EnumSet.of(HandleKind.IN_PROCESS, HandleKind.LEGACY_IPC)));
        Policy shared = new Policy(
                ANY.paths(), EnumSet.of(HandleKind.POSIX_FD, HandleKind.LEGACY_IPC), Optional.empty(), 0, false);

        assertThat(refused(facts, shared).message())
                .contains("no one workspace serves")
                .contains("posix-fd")
                .contains("legacy-ipc");
        assertThat(refused(facts, shared).advice()).contains("in-process");
        assertThat(planned(facts, ANY).handleKinds())
                .isEqualTo(Map.of(
                        PairClass.SAME_PROCESS, HandleKind.IN_PROCESS, PairClass.SAME_HOST, HandleKind.LEGACY_IPC));
    }

    @Test
    void aKindThatFailedWhenTriedIsNotPlannedAgain() {
        Exclusion descriptor = new Exclusion(
                PathKind.P2P,
                HandleKind.POSIX_FD,
                "import",
                new ErrorInfo(ErrorCode.DRIVER, 1, "cuMemImportFromShareableHandle", "CUDA_ERROR_UNKNOWN", "m", "a"));

        PlanningResult result = PathPlanner.plan(FactsFixture.processPerRank(1, 2), ANY, List.of(descriptor));

        assertThat(PathPlanner.require(result).handleKinds().get(PairClass.SAME_HOST))
                .isEqualTo(HandleKind.LEGACY_IPC);
    }

    @Test
    void hostsWithoutACommonFabricHaveNoPeerPathWhateverTheHandleKinds() {
        ErrorInfo error = refused(FactsFixture.world(2, 2), ANY);

        assertThat(error.message()).contains("no peer path");
        assertThat(error.call()).isNull();
    }

    @Test
    void hostsOfOneCliqueTakeFabricHandlesAndOfTwoCliquesNeverP2p() {
        assertThat(planned(fabricHosts(7, 7), ANY).handleKinds())
                .containsEntry(PairClass.OTHER_HOST, HandleKind.FABRIC)
                .containsEntry(PairClass.SAME_PROCESS, HandleKind.IN_PROCESS);
        assertThat(refused(fabricHosts(7, 8), ANY).message()).contains("no peer path");
    }

    @Test
    void legacyIpcIsNeverPlannedAcrossHosts() {
        Policy onlyLegacy = new Policy(
                ANY.paths(), EnumSet.of(HandleKind.LEGACY_IPC, HandleKind.IN_PROCESS), Optional.empty(), 0, false);

        assertThat(refused(fabricHosts(7, 7), onlyLegacy).message())
                .contains("rank 0 and rank 2, which are on two hosts", "fabric=not-allowed", "in-process=out-of-reach");
    }

    @Test
    void whereNothingThatIsAllowedWorksTheAdviceSaysWhatToAllow() {
        List<RankFacts> facts = FactsFixture.world(1, 2);
        Policy onlyNvls = new Policy(EnumSet.of(PathKind.NVLS), ANY.handleKinds(), Optional.empty(), 0, false);
        assertThat(refused(facts, onlyNvls).advice()).contains("p2p would work", "--path", "tutti.paths");

        Policy onlyFabric = new Policy(ANY.paths(), EnumSet.of(HandleKind.FABRIC), Optional.empty(), 0, false);
        assertThat(refused(facts, onlyFabric).advice())
                .contains("[in-process] would work", "--handles", "tutti.handle-kinds");

        Policy onlyLegacy = new Policy(ANY.paths(), EnumSet.of(HandleKind.LEGACY_IPC), Optional.empty(), 0, false);
        assertThat(((PlanningResult.Refused) PathPlanner.plan(facts, onlyLegacy, List.of())).rejected())
                .allSatisfy(row -> assertThat(row.advice()).isNotEmpty());

        Policy both = new Policy(EnumSet.of(PathKind.NVLS), EnumSet.of(HandleKind.FABRIC), Optional.empty(), 0, false);
        assertThat(refused(facts, both).advice()).contains("--path", "--handles");
    }

    @Test
    void aHandleKindThatARankLacksIsNamedWithThatRanksFacts() {
        List<RankFacts> facts = FactsFixture.world(1, 2).stream()
                .map(f -> FactsFixture.exportable(f, EnumSet.of(HandleKind.IN_PROCESS, HandleKind.POSIX_FD)))
                .toList();
        Policy onlyFabric = new Policy(ANY.paths(), EnumSet.of(HandleKind.FABRIC), Optional.empty(), 0, false);

        ErrorInfo error = refused(facts, onlyFabric);

        assertThat(error.rank()).isZero();
        assertThat(error.message())
                .contains("fabric=lacking-on-rank-0", "in-process=not-allowed", "legacy-ipc=out-of-reach")
                .contains("can export [in-process, posix-fd]", "device=GPU-0-0");
        assertThat(error.advice()).contains("fabric needs", "IMEX channel");
    }

    @Test
    void aPromisedKindThatWasRefusedWhenTriedStaysVisibleOnThePathThatWorksWithoutIt() {
        Exclusion descriptor = new Exclusion(
                PathKind.P2P,
                HandleKind.POSIX_FD,
                "import",
                new ErrorInfo(ErrorCode.DRIVER, 1, "cuMemImportFromShareableHandle", "CUDA_ERROR_UNKNOWN", "m", "a"));

        EpochPlan plan =
                PathPlanner.require(PathPlanner.plan(FactsFixture.processPerRank(1, 2), ANY, List.of(descriptor)));

        assertThat(plan.rejected()).hasSize(2).last().satisfies(row -> {
            assertThat(row.path()).isEqualTo(PathKind.P2P);
            assertThat(row.stage()).isEqualTo("import");
            assertThat(row.call()).isEqualTo("cuMemImportFromShareableHandle");
            assertThat(row.advice()).startsWith("posix-fd handles were refused");
        });
    }

    @Test
    void devicesWithoutPeerAccessAreRefusedWithBothNamed() {
        List<RankFacts> facts = with(FactsFixture.world(1, 3), 2, f -> FactsFixture.peers(f, Set.of()));

        assertThat(refused(facts, ANY).message())
                .contains("rank 0")
                .contains("rank 2")
                .contains("no peer path");
    }

    @Test
    void twoRanksOnOneDeviceAreRefusedUnlessSharingIsAllowed() {
        List<RankFacts> facts = FactsFixture.world(1, 2);
        List<RankFacts> shared =
                with(facts, 1, f -> FactsFixture.device(f, facts.get(0).device().identity(), f.fabric()));

        assertThat(refused(shared, ANY).message()).contains("ranks 0 and 1 are on one device");
        Policy sharing = new Policy(ANY.paths(), ANY.handleKinds(), Optional.empty(), 0, true);
        assertThat(planned(shared, sharing).path()).isEqualTo(PathKind.P2P);
    }

    @Test
    void aWorldOfOneNeedsNoHandleAndNoPeer() {
        EpochPlan plan = planned(FactsFixture.world(1, 1), ANY);

        assertThat(plan.handleKinds()).isEmpty();
        assertThat(plan.workspace().worldSize()).isEqualTo(1);
    }

    @Test
    void oneUuidOnTwoHostsAreTwoDevices() {
        List<RankFacts> facts = fabricHosts(7, 7);
        List<RankFacts> alike =
                with(facts, 2, f -> FactsFixture.device(f, facts.get(0).device().identity(), f.fabric()));
        alike = with(alike, 3, f -> FactsFixture.peers(f, Set.of(facts.get(0).deviceUuid())));

        assertThat(planned(alike, ANY).path()).isEqualTo(PathKind.P2P);
    }

    @Test
    void slicesOfOneDeviceAreNoPeersAndOneSliceIsNeverSharedByAccident() {
        List<RankFacts> facts = FactsFixture.world(1, 2).stream()
                .map(f -> FactsFixture.peers(FactsFixture.device(f, slice(f.rank()), f.fabric()), Set.of()))
                .toList();
        Policy onlyP2p = new Policy(EnumSet.of(PathKind.P2P), ANY.handleKinds(), Optional.empty(), 0, false);

        assertThat(refused(facts, onlyP2p).message()).contains("no peer path").contains("MIG-0");
        assertThat(refused(facts, onlyP2p).advice()).contains("MIG slices have no peers");
        List<RankFacts> shared = with(facts, 1, f -> FactsFixture.device(f, slice(0), f.fabric()));
        assertThat(refused(shared, ANY).message()).contains("ranks 0 and 1 are on one device: uuid=MIG-0");
    }

    private static DeviceIdentity slice(int number) {
        return new DeviceIdentity("H100 MIG 3g.40gb", "MIG-" + number, "0000:1b:00.0", 1L << 35);
    }

    @Test
    void ranksOnDifferentDriversAreRefusedWithBothNamed() {
        List<RankFacts> facts =
                with(FactsFixture.world(1, 2), 1, f -> FactsFixture.driver(f, new DriverFacts("cuda", 13000, 1)));

        assertThat(refused(facts, ANY).message()).contains("rank 0 has host").contains("rank 1 has cuda");
    }

    /** Waits between ranks are for data and headers, never for another grid. */
    @Test
    void ranksWhoseDriverVersionsOrGpusDifferArePlannedAlike() {
        List<RankFacts> facts = FactsFixture.world(1, 2);
        List<RankFacts> mixed = with(
                facts,
                1,
                f -> FactsFixture.device(
                        FactsFixture.driver(f, new DriverFacts("host", 12080, 1)),
                        new DeviceFacts(
                                1,
                                f.device().identity(),
                                80,
                                108,
                                1L << 30,
                                f.device().confidential())));

        assertThat(PlanHash.of(planned(mixed, ANY), 1)).isEqualTo(PlanHash.of(planned(facts, ANY), 1));
    }

    @Test
    void ranksOfDifferentBuildsAreRefusedWithBothVersions() {
        List<RankFacts> facts = with(FactsFixture.world(1, 2), 1, f -> FactsFixture.abi(f, 2));

        assertThat(refused(facts, ANY).message()).contains("rank 0 has 1").contains("rank 1 has 2");
    }

    @Test
    void aPathThatFailedWhenTriedLeavesItsOwnWords() {
        Exclusion allocation = new Exclusion(
                PathKind.P2P,
                null,
                "allocate",
                new ErrorInfo(
                        ErrorCode.DRIVER, 1, "cuMemCreate", "CUDA_ERROR_OUT_OF_MEMORY", "no memory", "free some."));

        PlanningResult result = PathPlanner.plan(FactsFixture.world(1, 2), ANY, List.of(allocation));

        assertThat(result).isInstanceOfSatisfying(PlanningResult.Refused.class, refused -> {
            assertThat(refused.error().message()).isEqualTo("no memory");
            assertThat(refused.error().advice())
                    .isEqualTo(
                            "free some. No other path or handle kind that this build has would work between these ranks.");
            assertThat(refused.rejected()).hasSize(2);
            assertThat(refused.rejected().get(1).stage()).isEqualTo("allocate");
        });
    }

    @Test
    void aWorkspaceTooSmallForAnyOperationIsRefusedWithBothFigures() {
        long minimum = WorkspaceSpecs.leastBudget(4);
        Policy tight = new Policy(ANY.paths(), ANY.handleKinds(), Optional.empty(), minimum - 1, false);
        Policy enough = new Policy(ANY.paths(), ANY.handleKinds(), Optional.empty(), minimum, false);

        assertThat(refused(FactsFixture.world(1, 4), tight).message())
                .contains("budget=" + (minimum - 1))
                .contains("needed=" + minimum);
        assertThat(planned(FactsFixture.world(1, 4), enough).path()).isEqualTo(PathKind.P2P);
    }

    @Test
    void plansHashAlikeExactlyWhenWhatKernelsDependOnIsAlike() {
        List<RankFacts> facts = FactsFixture.world(1, 4);
        EpochPlan plan = planned(facts, ANY);
        Policy twoShot = new Policy(ANY.paths(), ANY.handleKinds(), Optional.of(Algorithm.TWO_SHOT), 0, false);

        assertThat(PlanHash.of(plan, 1))
                .isEqualTo(PlanHash.of(planned(facts, ANY), 1))
                .hasSize(64);
        assertThat(PlanHash.of(plan, 2)).isNotEqualTo(PlanHash.of(plan, 1));
        assertThat(PlanHash.of(planned(facts, twoShot), 1)).isNotEqualTo(PlanHash.of(plan, 1));
        Policy other =
                new Policy(ANY.paths(), ANY.handleKinds(), Optional.empty(), 2 * WorkspaceSpecs.leastBudget(4), false);
        assertThat(PlanHash.of(planned(facts, other), 1)).isNotEqualTo(PlanHash.of(plan, 1));
    }

    private static List<RankFacts> fabricHosts(int clique0, int clique1) {
        return FactsFixture.world(2, 2).stream()
                .map(f -> FactsFixture.exportable(f, EnumSet.allOf(HandleKind.class)))
                .map(f -> FactsFixture.device(
                        f,
                        new DeviceIdentity(
                                "GB200", f.deviceUuid(), f.device().identity().pciBusId(), 1L << 37),
                        new FabricInfo(
                                "5b1c0f4e-0000-0000-0000-000000000001", f.rank() < 2 ? clique0 : clique1, "completed")))
                .toList();
    }

    private static EpochPlan planned(List<RankFacts> facts, Policy policy) {
        return PathPlanner.require(PathPlanner.plan(facts, policy, List.of()));
    }

    private static ErrorInfo refused(List<RankFacts> facts, Policy policy) {
        PlanningResult result = PathPlanner.plan(facts, policy, List.of());
        assertThat(result).isInstanceOf(PlanningResult.Refused.class);
        return ((PlanningResult.Refused) result).error();
    }
}
