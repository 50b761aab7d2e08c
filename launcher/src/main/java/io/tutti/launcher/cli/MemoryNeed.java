package io.tutti.launcher.cli;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.posix.MemoryLimits;
import io.tutti.launcher.input.OperationShape;
import java.math.BigInteger;

/**
 * The memory that a run on the host driver takes from this machine: each rank's workspace where its size is configured,
 * and each rank's tensors.
 *
 * @param workspaces bytes of all ranks' workspaces
 * @param tensors bytes of all ranks' tensors
 */
public record MemoryNeed(BigInteger workspaces, BigInteger tensors) {

    private static final int TENSORS_WITH_NORM = 4;
    private static final int TENSORS_OF_SUM = 2;

    public static MemoryNeed of(TuttiSettings settings, OperationShape shape, Epilogue epilogue) {
        long ranks = 0;
        long largestWorld = 0;
        for (CommunicatorSettings communicator : settings.communicators()) {
            ranks += communicator.worldSize();
            largestWorld = Math.max(largestWorld, communicator.worldSize());
        }
        BigInteger tensors = BigInteger.valueOf(shape.bytes())
                .multiply(BigInteger.valueOf(epilogue.hasNorm() ? TENSORS_WITH_NORM : TENSORS_OF_SUM))
                .multiply(BigInteger.valueOf(largestWorld));
        BigInteger workspaces =
                BigInteger.valueOf(settings.workspaceBytes().orElse(0)).multiply(BigInteger.valueOf(ranks));
        return new MemoryNeed(workspaces, tensors);
    }

    /** @throws TuttiException when that is more than there is */
    public void check(MemoryLimits.Available available) {
        BigInteger limit = BigInteger.valueOf(available.bytes());
        if (workspaces.compareTo(limit) > 0) {
            throw tooMuch(
                    ErrorCode.CONFIGURATION,
                    "the workspaces are larger than this machine's memory: tutti.workspace.size over all ranks="
                            + workspaces + " " + available.describe(),
                    "Set tutti.workspace.size to auto or to a smaller size.");
        }
        if (workspaces.add(tensors).compareTo(limit) > 0) {
            throw tooMuch(
                    ErrorCode.USAGE,
                    "the tensors of all ranks are larger than this machine's memory: tensorBytes=" + tensors
                            + " workspaceBytes=" + workspaces + " " + available.describe(),
                    "Give fewer tokens or ranks.");
        }
    }

    private static TuttiException tooMuch(ErrorCode code, String message, String advice) {
        return new TuttiException(ErrorInfo.of(code, message, advice));
    }
}
