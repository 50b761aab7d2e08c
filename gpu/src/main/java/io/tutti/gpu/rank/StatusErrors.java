package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.abi.StatusCode;
import org.jspecify.annotations.Nullable;

/** A kernel's status as an error of this rank, before anything is known of what the other ranks say. */
public final class StatusErrors {

    private StatusErrors() {}

    /**
     * @param what what was running, for example {@code verify} or a call's description
     * @param status anything but OK
     * @param namedRank the rank that the status names, or −1
     */
    public static ErrorInfo of(EpochId epoch, String what, StatusCode status, int namedRank) {
        String subject = what + " of " + epoch;
        @Nullable Integer rank = namedRank < 0 ? null : namedRank;
        return switch (status) {
            case OK, BAD_ABI, DEVICE_ERROR ->
                error(ErrorCode.INTERNAL, rank, subject + " left with status " + status, "Report this.");
            case STALE ->
                error(
                        ErrorCode.STALE,
                        rank,
                        subject + " is no longer current",
                        "Submit it again in the present epoch; capture graphs again.");
            case ABORTED ->
                error(ErrorCode.ABORTED, rank, subject + " was aborted", "The cause is reported by the rank named.");
            case TIMEOUT ->
                error(
                        ErrorCode.TIMEOUT,
                        rank,
                        subject + ": rank " + namedRank + " did not arrive by the deadline",
                        "Look at that rank; raise tutti.operation.timeout if it is only slow.");
            case MISMATCH ->
                error(
                        ErrorCode.MISMATCH,
                        rank,
                        subject + ": rank " + namedRank + " made another call",
                        "All ranks must make the same calls in the same order.");
            case CORRUPT ->
                error(
                        ErrorCode.PREFLIGHT,
                        rank,
                        subject + ": stores of rank " + namedRank + " arrived altered",
                        "The path is not usable between these devices.");
        };
    }

    /** The same for a kernel of a stage, whose deadline is the stage's own. */
    static ErrorInfo ofStage(EpochId epoch, String stage, StatusCode status, int namedRank) {
        ErrorInfo error = of(epoch, stage, status, namedRank);
        return status == StatusCode.TIMEOUT
                ? error(
                        error.code(),
                        error.rank(),
                        error.message(),
                        "Look at that rank; raise tutti.epoch.stage-timeout." + stage + " if it is only slow.")
                : error;
    }

    private static ErrorInfo error(ErrorCode code, @Nullable Integer rank, String message, String advice) {
        return new ErrorInfo(code, rank, null, null, message, advice);
    }
}
