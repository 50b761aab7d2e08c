package io.tutti.actors.wire;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.gpu.plan.DeviceFacts;
import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.HostFacts;
import io.tutti.gpu.plan.LinkFacts;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.ProcessFacts;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.SharingFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.pekko.actor.typed.ActorRef;

/** One message of every kind, with every optional part once there and once not. Golden bytes are made from these. */
final class Samples {

    static final Term TERM = new Term(7, "coordinator-5f0c");
    static final Term LATER = new Term(8, "coordinator-91ab");
    static final EpochId EPOCH = new EpochId(TERM, 12);
    static final Incarnation RANK = new Incarnation(2, "life-4", "process-b");

    static final ErrorInfo OUT_OF_MEMORY = new ErrorInfo(
            ErrorCode.DRIVER,
            2,
            "cuMemCreate",
            "CUDA_ERROR_OUT_OF_MEMORY",
            "cannot allocate the workspace: bytes=8589934592 free=4294967296",
            "Free device memory or lower tutti.workspace.size.");
    static final ErrorInfo CLOSED = ErrorInfo.of(ErrorCode.CLOSED, "the communicator was closed", "Make a new one.");

    static final CallDescriptor CALL = new CallDescriptor(
            41, 64, 4096, DType.BF16, Epilogue.RESIDUAL_RMSNORM, Algorithm.ONE_SHOT, 0x358637bd, 0, false, 0);
    static final CallDescriptor OTHER_CALL = new CallDescriptor(
            41, 32, 8192, DType.FP32, Epilogue.RESIDUAL_RMSNORM_GEMMA, Algorithm.TWO_SHOT, 1, 0x3f800000, true, -2);

    /** Every path that the wire knows, whether this build has it or not. */
    private static final Policy EVERYTHING =
            new Policy(Set.of(PathKind.values()), Set.of(HandleKind.values()), Optional.empty(), 0, false);

    private Samples() {}

    /** The messages by the names of their golden files. */
    static Map<String, WireMessage> all(ActorRef<ToRank> replyTo) {
        Map<String, WireMessage> samples = new TreeMap<>();
        coordinatorMessages().forEach((name, message) -> samples.put(name, toCoordinator(replyTo, message)));
        rankMessages().forEach((name, message) -> samples.put(name, toRank(message)));
        samples.put(
                "process-exited",
                new ProcessExited(
                        "tp0", "0d7b5a52-9a0e-4c7e-8a54-3d1f0c6f2b11", "4711-7f3c9a10", "killed by signal 9"));
        return samples;
    }

    static ToCoordinator toCoordinator(ActorRef<ToRank> replyTo, CoordinatorMessage message) {
        return new ToCoordinator("tp0", "0d7b5a52-9a0e-4c7e-8a54-3d1f0c6f2b11", replyTo, message);
    }

    static ToRank toRank(RankMessage message) {
        return new ToRank("tp0", "0d7b5a52-9a0e-4c7e-8a54-3d1f0c6f2b11", message);
    }

    private static Map<String, CoordinatorMessage> coordinatorMessages() {
        return Map.ofEntries(
                Map.entry("hello", new CoordinatorMessage.Hello(RANK, 4, 1, Term.NONE)),
                Map.entry("hello-again", new CoordinatorMessage.Hello(RANK, 72, 1, TERM)),
                Map.entry(
                        "promised", new CoordinatorMessage.Promised(RANK, TERM, 0, Optional.empty(), Optional.empty())),
                Map.entry(
                        "promised-holding",
                        new CoordinatorMessage.Promised(
                                RANK, LATER, 12, Optional.of(EPOCH), Optional.of(new EpochId(TERM, 11)))),
                Map.entry("claim-refused", new CoordinatorMessage.ClaimRefused(RANK, TERM, LATER)),
                Map.entry("stage-answer-done", answer(Stage.ALLOCATE, new StageOutcome.Done())),
                Map.entry("stage-answer-facts", answer(Stage.IDENTITY, new StageOutcome.Facts(facts(2)))),
                Map.entry("stage-answer-every-fact", answer(Stage.IDENTITY, new StageOutcome.Facts(everyFact()))),
                Map.entry("stage-answer-planned", answer(Stage.PLAN, new StageOutcome.Planned("3f9a01"))),
                Map.entry(
                        "stage-answer-exported",
                        answer(
                                Stage.EXPORT,
                                new StageOutcome.Exported(
                                        List.of(offer(2, HandleKind.IN_PROCESS), offer(2, HandleKind.POSIX_FD))))),
                Map.entry(
                        "stage-answer-refused", answer(Stage.ALLOCATE, new StageOutcome.Refused(OUT_OF_MEMORY, null))),
                Map.entry(
                        "stage-answer-refused-kind",
                        answer(Stage.IMPORT, new StageOutcome.Refused(CLOSED, HandleKind.FABRIC))),
                Map.entry("commit-acknowledged", new CoordinatorMessage.CommitAcknowledged(RANK, EPOCH)),
                Map.entry(
                        "operation-failed",
                        new CoordinatorMessage.OperationFailed(RANK, EPOCH, 41, null, OUT_OF_MEMORY)),
                Map.entry(
                        "operation-failed-missing", new CoordinatorMessage.OperationFailed(RANK, EPOCH, 41, 0, CLOSED)),
                Map.entry("drained", new CoordinatorMessage.Drained(RANK, EPOCH, 0, Optional.empty())),
                Map.entry("drained-pending", new CoordinatorMessage.Drained(RANK, EPOCH, 40, Optional.of(CALL))),
                Map.entry("forget-refusals", new CoordinatorMessage.ForgetRefusals(RANK)),
                Map.entry("leaving", new CoordinatorMessage.Leaving(RANK)));
    }

    private static Map<String, RankMessage> rankMessages() {
        return Map.ofEntries(
                Map.entry("welcome", new RankMessage.Welcome(Term.NONE, RANK)),
                Map.entry("claim", new RankMessage.Claim(LATER, RANK)),
                Map.entry("stage-order-nothing", order(Stage.ALLOCATE, new StageInput.Nothing())),
                Map.entry(
                        "stage-order-planning",
                        order(
                                Stage.PLAN,
                                new StageInput.Planning(
                                        List.of(facts(0), facts(1)), EVERYTHING, List.of(), 0, "3f9a01"))),
                Map.entry("stage-order-planning-again", order(Stage.PLAN, planningAgain())),
                Map.entry(
                        "stage-order-importing",
                        order(
                                Stage.IMPORT,
                                new StageInput.Importing(
                                        List.of(offer(0, HandleKind.FABRIC), offer(1, HandleKind.LEGACY_IPC))))),
                Map.entry("commit", new RankMessage.Commit(RANK, EPOCH)),
                Map.entry("committed", new RankMessage.Committed(RANK, EPOCH)),
                Map.entry("abort", new RankMessage.Abort(LATER, RANK, EPOCH, OUT_OF_MEMORY)),
                Map.entry(
                        "epoch-ended",
                        new RankMessage.EpochEnded(
                                TERM, RANK, EPOCH, CLOSED, Set.of(3, 1), Map.of(2, CALL, 0, OTHER_CALL), true)),
                Map.entry("refusals-forgotten", new RankMessage.RefusalsForgotten(TERM, RANK)),
                Map.entry(
                        "stage-order-planning-told",
                        order(
                                Stage.PLAN,
                                new StageInput.Planning(
                                        List.of(facts(0), everyFact()),
                                        EVERYTHING,
                                        List.of(new Exclusion(PathKind.NVLS, null, "probe", CLOSED, 11)),
                                        0,
                                        "77e2c4"))),
                Map.entry("failed", new RankMessage.Failed(TERM, RANK, CLOSED)));
    }

    private static CoordinatorMessage answer(Stage stage, StageOutcome outcome) {
        return new CoordinatorMessage.StageAnswer(RANK, EPOCH, stage, outcome);
    }

    private static RankMessage order(Stage stage, StageInput input) {
        return new RankMessage.StageOrder(RANK, EPOCH, stage, input, 30_000);
    }

    private static StageInput.Planning planningAgain() {
        Policy narrow = new Policy(
                Set.of(PathKind.STAGED, PathKind.P2P),
                Set.of(HandleKind.POSIX_FD, HandleKind.IN_PROCESS),
                Optional.of(Algorithm.TWO_SHOT),
                1L << 33,
                true);
        return new StageInput.Planning(
                List.of(facts(0), facts(1)),
                narrow,
                List.of(
                        new Exclusion(PathKind.NVLS, null, "verify", CLOSED),
                        new Exclusion(PathKind.P2P, HandleKind.FABRIC, "import", OUT_OF_MEMORY)),
                1L << 32,
                "77e2c4");
    }

    private static RankFacts facts(int rank) {
        return new RankFacts(
                rank,
                new HostFacts("boot-3d1f", "node-a", 0),
                new ProcessFacts("process-b", "", "", Optional.empty()),
                new DriverFacts("host", 12080, 1),
                new DeviceFacts(
                        rank,
                        new DeviceIdentity("NVIDIA H200", "GPU-" + rank, "0000:1" + rank + ":00.0", 150_754_820_096L),
                        90,
                        132,
                        150_000_000_000L,
                        ConfidentialComputing.UNKNOWN),
                new SharingFacts(
                        Set.of(HandleKind.LEGACY_IPC, HandleKind.IN_PROCESS, HandleKind.POSIX_FD),
                        Set.of(),
                        false,
                        2 << 20),
                new LinkFacts(
                        Set.of("GPU-" + (rank + 2), "GPU-" + (rank + 1)),
                        new FabricInfo("00000000-0000-0000-0000-000000000000", -1, "not-supported"),
                        0),
                rank == 0
                        ? new MulticastAnswer.Granularity(2 << 20)
                        : new MulticastAnswer.Refused(
                                "cuMulticastGetGranularity", "CUDA_ERROR_NOT_SUPPORTED", "Another path is taken."));
    }

    /** With everything that a build of version 1 may leave out. */
    private static RankFacts everyFact() {
        RankFacts some = facts(1);
        return new RankFacts(
                1,
                new HostFacts("boot-3d1f", "node-a", 64L << 20),
                new ProcessFacts("process-b", "tutti (1000)", "pid:[4026531836]", Optional.of("GPU-7f3c,1")),
                some.driver(),
                new DeviceFacts(1, some.device().identity(), 90, 132, 150_000_000_000L, ConfidentialComputing.OFF),
                new SharingFacts(Set.of(HandleKind.values()), Set.of(DeviceCapability.values()), true, 2 << 20),
                new LinkFacts(
                        Set.of("GPU-0"),
                        new FabricInfo("5ca1ab1e-0b5e-4c0d-9b1d-6b2002004701", 3, "completed", "degraded-bandwidth"),
                        450_000_000_000L),
                new MulticastAnswer.Granularity(2 << 20));
    }

    private static MemoryOffer offer(int rank, HandleKind kind) {
        return new MemoryOffer(
                rank, kind, "boot-3d1f", "process-b", 1L << 33, 1L << 20, 12, new byte[] {0, 1, (byte) 0x80, (byte) -1
                });
    }
}
