package io.tutti.actors.internal;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.plan.EpochPlan;

/** An epoch that all ranks have entered, with the plan they agreed on. */
record CommittedEpoch(EpochId id, EpochPlan plan) {}
