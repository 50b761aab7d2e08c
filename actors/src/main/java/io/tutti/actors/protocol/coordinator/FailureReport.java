package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.EndReason;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.op.CallDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes one error out of what all ranks told about an epoch that ended. */
final class FailureReport {

    private FailureReport() {}

    /** The error that users of all ranks get. */
    static ErrorInfo compose(Ending ending) {
        ErrorInfo cause = ending.reason().cause();
        if (!(ending.reason() instanceof EndReason.OperationEnded)) {
            return cause;
        }
        Optional<OperationFailed> report = ending.reports().stream()
                .min(Comparator.comparingInt(r -> weight(r.error().code())));
        if (report.isEmpty()) {
            return cause;
        }
        OperationFailed first = report.get();
        return switch (first.error().code()) {
            case MISMATCH -> mismatch(ending, first);
            case TIMEOUT -> timeout(ending, first);
            default -> first.error().onRank(first.from().rank());
        };
    }

    /** A rank that was aborted only repeats what another began; a rank that found a mismatch knows most. */
    private static int weight(ErrorCode code) {
        return switch (code) {
            case MISMATCH -> 0;
            case DRIVER, SYSTEM, INTERNAL -> 1;
            case REMOTE -> 2;
            case TIMEOUT -> 3;
            case ABORTED, STALE -> 5;
            default -> 4;
        };
    }

    private static ErrorInfo mismatch(Ending ending, OperationFailed report) {
        int one = report.from().rank();
        Integer other = report.missingRank();
        if (other == null) {
            return report.error().onRank(one);
        }
        @Nullable CallDescriptor mine = pending(ending, one);
        @Nullable CallDescriptor theirs = pending(ending, other);
        String message = "ranks called different operations: rank " + one + " made " + describe(mine) + "; rank "
                + other + " made " + describe(theirs);
        if (mine != null && theirs != null) {
            message += "; they differ in " + String.join(", ", differences(mine, theirs));
        }
        return new ErrorInfo(
                ErrorCode.MISMATCH,
                one,
                "all-reduce",
                report.error().result(),
                message,
                "Make the same calls in the same order on every rank.");
    }

    private static ErrorInfo timeout(Ending ending, OperationFailed report) {
        Integer missing = report.missingRank();
        if (missing == null) {
            return report.error().onRank(report.from().rank());
        }
        @Nullable CallDescriptor waiting = pending(ending, report.from().rank());
        String message = "rank " + missing + " did not arrive at " + describe(waiting) + " of rank "
                + report.from().rank() + " in time; " + lastSeen(ending, missing);
        return new ErrorInfo(
                ErrorCode.TIMEOUT,
                missing,
                "all-reduce",
                report.error().result(),
                message,
                "Look at what rank " + missing + " was doing, or raise the operation's deadline.");
    }

    private static String lastSeen(Ending ending, int rank) {
        @Nullable Drained drained = ending.drained().get(rank);
        if (drained == null) {
            return ending.reaped().contains(rank)
                    ? "its process has ended"
                    : "it has not answered since, and may be stopped or cut off";
        }
        String completed =
                drained.retired() == 0 ? "it completed no call" : "it last completed call " + drained.retired();
        return completed
                + drained.pending()
                        .map(call -> " and then made " + call.describe())
                        .orElse(" and made no call after that");
    }

    private static @Nullable CallDescriptor pending(Ending ending, int rank) {
        @Nullable Drained drained = ending.drained().get(rank);
        return drained == null ? null : drained.pending().orElse(null);
    }

    private static String describe(@Nullable CallDescriptor call) {
        return call == null ? "no call that it told of" : call.describe();
    }

    private static List<String> differences(CallDescriptor one, CallDescriptor other) {
        List<String> all = new ArrayList<>();
        differ(all, "sequence", one.sequence(), other.sequence());
        differ(all, "tokens", one.tokens(), other.tokens());
        differ(all, "hidden", one.hidden(), other.hidden());
        differ(all, "dtype", one.dtype().wireName(), other.dtype().wireName());
        differ(all, "epilogue", one.epilogue().wireName(), other.epilogue().wireName());
        differ(all, "algorithm", one.algorithm().wireName(), other.algorithm().wireName());
        differ(all, "eps", Float.intBitsToFloat(one.epsBits()), Float.intBitsToFloat(other.epsBits()));
        differ(all, "bias", Float.intBitsToFloat(one.biasBits()), Float.intBitsToFloat(other.biasBits()));
        differ(all, "plainSum", one.plainSum(), other.plainSum());
        differ(all, "tag", one.tag(), other.tag());
        return all.isEmpty() ? List.of("nothing that they tell of: call order or memory may be corrupt") : all;
    }

    private static void differ(List<String> all, String name, Object one, Object other) {
        if (!Objects.equals(one, other)) {
            all.add(name + " (" + one + " and " + other + ")");
        }
    }

    /** Whether the call that failed may be made again: everybody has drained and nobody is one call ahead. */
    static boolean resubmittable(int worldSize, Ending ending) {
        return ending.drained().size() == worldSize
                && ending.drained().values().stream()
                                .mapToLong(Drained::retired)
                                .distinct()
                                .count()
                        == 1;
    }
}
