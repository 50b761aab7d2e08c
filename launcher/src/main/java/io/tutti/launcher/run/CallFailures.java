package io.tutti.launcher.run;

import io.tutti.gpu.TuttiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Finds, among the calls of several ranks, the failure to report. */
public final class CallFailures {

    private CallFailures() {}

    /**
     * The failure that explains the others, with its rank; what the wait itself says where no call has failed.
     *
     * @param waited what waiting for all of them threw
     * @param calls one for each of the first ranks, in their order
     * @param what names them in errors
     */
    public static TuttiException explain(
            TuttiException waited, List<? extends CompletableFuture<?>> calls, List<RankTensors> ranks, String what) {
        List<TuttiException> failures = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).isCompletedExceptionally()) {
                failures.add(failureOf(calls.get(i), ranks.get(i).rank(), what));
            }
        }
        return failures.isEmpty() ? waited : Failures.mostTelling(failures);
    }

    private static TuttiException failureOf(CompletableFuture<?> call, int rank, String what) {
        try {
            call.join();
            throw new IllegalStateException("the call did not fail: rank=" + rank);
        } catch (CompletionException e) {
            TuttiException failure = Failures.asTutti(e, "in " + what);
            return failure.info().rank() != null
                    ? failure
                    : new TuttiException(failure.info().onRank(rank), failure);
        }
    }
}
