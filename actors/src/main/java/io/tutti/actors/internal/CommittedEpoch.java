package io.tutti.actors.internal;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.plan.EpochPlan;
import java.util.List;

/**
 * An epoch that all ranks have entered.
 *
 * @param plan what they agreed on
 * @param processes each rank's process, in rank order
 */
record CommittedEpoch(EpochId id, EpochPlan plan, List<String> processes) {

    CommittedEpoch {
        processes = List.copyOf(processes);
    }
}
