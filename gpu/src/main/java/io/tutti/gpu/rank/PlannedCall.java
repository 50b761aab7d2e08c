package io.tutti.gpu.rank;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.gpu.op.Fits;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.op.LaunchPlan;
import io.tutti.gpu.op.RequestCheck;
import io.tutti.gpu.plan.EpochPlan;
import java.util.Optional;

/**
 * A valid request with its launches.
 *
 * @param request what was asked
 * @param descriptor the call, with sequence 0 since a replayed graph does not know it
 * @param launches how it is cut
 * @param plan the epoch's plan
 */
record PlannedCall(FusedAllReduce request, CallDescriptor descriptor, LaunchPlan launches, EpochPlan plan) {

    /**
     * Checks a request and cuts it for an epoch.
     *
     * @param forced the algorithm to use, or empty to choose by size
     * @throws io.tutti.gpu.TuttiException with code USAGE
     */
    static PlannedCall of(FusedAllReduce request, EpochPlan plan, Optional<Algorithm> forced) {
        RequestCheck.validate(request);
        LaunchPlan launches = Fits.plan(
                plan.workspace(),
                forced,
                request.partial().tokens(),
                request.partial().hidden(),
                request.partial().dtype());
        return new PlannedCall(request, RequestCheck.describe(request, 0, launches.algorithm()), launches, plan);
    }

    Algorithm algorithm() {
        return launches.algorithm();
    }

    /** The call as it ran under a sequence number. */
    CallDescriptor numbered(long sequence) {
        return new CallDescriptor(
                sequence,
                descriptor.tokens(),
                descriptor.hidden(),
                descriptor.dtype(),
                descriptor.epilogue(),
                descriptor.algorithm(),
                descriptor.epsBits(),
                descriptor.biasBits(),
                descriptor.plainSum(),
                descriptor.tag());
    }

    /** Whether running it again would read what the first run wrote. */
    boolean inPlace() {
        return request.residual() != null
                && request.residualOut() != null
                && request.residual().devicePointer() == request.residualOut().devicePointer();
    }
}
