package io.tutti.launcher.run;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.input.SeededTensors;
import java.util.List;
import java.util.Optional;

/** Requests for tests. */
final class Requests {

    private Requests() {}

    static RunRequest small(RunRequest.Limits limits) {
        OperationShape shape = new OperationShape(2, 16, DType.BF16);
        return new RunRequest(
                List.of("tp0"),
                new Operation(Epilogue.RESIDUAL_RMSNORM, 1e-6f, 3),
                world -> new SeededTensors(world, shape, 1),
                Optional.empty(),
                limits);
    }
}
