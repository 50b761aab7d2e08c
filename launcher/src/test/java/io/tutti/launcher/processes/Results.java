package io.tutti.launcher.processes;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.RunResult;
import java.util.List;

/** Results of processes, for tests. */
final class Results {

    private Results() {}

    static RunResult.CommunicatorResult of(String sha256, double error, double medianMicros) {
        return new RunResult.CommunicatorResult(
                "tp0",
                4,
                3,
                PathKind.P2P,
                List.of(HandleKind.IN_PROCESS, HandleKind.POSIX_FD),
                List.of(
                        new RejectedPath(
                                PathKind.NVLS,
                                0,
                                "plan",
                                "cuMulticastGetGranularity",
                                "CUDA_ERROR_NOT_SUPPORTED",
                                "No."),
                        new RejectedPath(PathKind.NVLS, null, "plan", null, null, "Allow it.")),
                1,
                2,
                new RunResult.OperationsResult(
                        new Operation(Epilogue.RESIDUAL_RMSNORM, 1e-6f, 7),
                        new OperationShape(3, 64, DType.FP16),
                        0,
                        error,
                        true,
                        sha256,
                        medianMicros));
    }
}
