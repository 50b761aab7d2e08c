package io.tutti.gpu.rank;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.ContextScope;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.Driver;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who a rank is and on what: every step of it runs with its context current, and every failure names it.
 *
 * @param driver the driver as this rank calls it
 * @param context the device's primary context
 * @param settings what the rank is
 */
record RankContext(Driver driver, CuContext context, RankDevice.Settings settings) {

    int rank() {
        return settings.rank();
    }

    /** Runs a step on the calling thread. */
    <T extends @Nullable Object> T call(Supplier<T> step) {
        try {
            driver.ctxSetCurrent(context);
            return step.get();
        } catch (TuttiException e) {
            throw new TuttiException(e.info().onRank(rank()), e);
        }
    }

    /** Runs a step on a thread of a user, whose own context is current again afterwards. */
    <T> T visit(Supplier<T> step) {
        try (ContextScope scope = ContextScope.enter(driver, context)) {
            return step.get();
        } catch (TuttiException e) {
            throw new TuttiException(e.info().onRank(rank()), e);
        }
    }

    /** {@link #call} of a step without a result. */
    void run(Runnable step) {
        call(() -> {
            step.run();
            return true;
        });
    }

    TuttiException error(ErrorCode code, String message, String advice) {
        return new TuttiException(new ErrorInfo(code, rank(), null, null, message, advice));
    }
}
