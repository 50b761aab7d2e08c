package io.tutti.gpu.plan;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one path needs; one implementation a path. */
interface PathRule {

    PathKind path();

    /** Judges by facts, policy and excluded handle kinds; policy and exclusion of the whole path were already looked at. */
    Verdict judge(List<RankFacts> facts, Policy policy, List<Exclusion> exclusions);

    /** A rule's answer. */
    sealed interface Verdict {

        /** The path works on paper, with these handle kinds. */
        record Accepted(Map<PairClass, HandleKind> handleKinds) implements Verdict {}

        /** The path is out: the row to report and the same as an error, should no path be left. */
        record Rejected(RejectedPath row, ErrorInfo error) implements Verdict {}

        /** Ruled out by policy or by where the ranks are: no driver call refused anything. */
        static Rejected byPolicy(PathKind path, String advice) {
            return rejected(path, null, "plan", null, null, path.wireName() + " is not allowed by policy", advice);
        }

        static Rejected byPlacement(PathKind path, @Nullable Integer rank, String message, String advice) {
            return rejected(path, rank, "plan", null, null, message, advice);
        }

        static Rejected byCall(PathKind path, int rank, String call, String result, String advice) {
            return rejected(path, rank, "plan", call, result, call + " answered " + result, advice);
        }

        /** Ruled out because it was tried and failed. */
        static Rejected tried(Exclusion exclusion) {
            ErrorInfo error = exclusion.error();
            HandleKind kind = exclusion.kind();
            String advice = kind == null
                    ? error.advice()
                    : kind.wireName() + " handles were refused when tried, and are not used. " + error.advice();
            if (exclusion.epoch() > 0) {
                advice += " Tried in epoch " + exclusion.epoch()
                        + ", and not again until the ranks' processes, devices or"
                        + " drivers change or refusals are forgotten.";
            }
            return new Rejected(
                    new RejectedPath(
                            exclusion.path(), error.rank(), exclusion.stage(), error.call(), error.result(), advice),
                    error);
        }

        private static Rejected rejected(
                PathKind path,
                @Nullable Integer rank,
                String stage,
                @Nullable String call,
                @Nullable String result,
                String message,
                String advice) {
            return new Rejected(
                    new RejectedPath(path, rank, stage, call, result, advice),
                    new ErrorInfo(ErrorCode.PREFLIGHT, rank, call, result, message, advice));
        }
    }
}
