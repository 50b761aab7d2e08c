package io.tutti.actors.protocol;

import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.Policy;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;

/** What a stage's order carries beside the epoch. */
public sealed interface StageInput {

    /** The stage needs nothing more. */
    record Nothing() implements StageInput {}

    /**
     * Input of {@link Stage#PLAN}: everything the plan is a function of.
     *
     * @param facts all ranks' facts, in rank order
     * @param policy the coordinator's policy; a rank refuses one that differs from its own
     * @param exclusions paths and kinds that already failed, with their reasons
     * @param workspaceLimit what the policy's workspace budget is lowered to after a rank ran out of memory, or 0
     * @param planHash the coordinator's hash
     */
    record Planning(
            List<RankFacts> facts, Policy policy, List<Exclusion> exclusions, long workspaceLimit, String planHash)
            implements StageInput {
        public Planning {
            facts = List.copyOf(facts);
            exclusions = List.copyOf(exclusions);
        }
    }

    /** Input of {@link Stage#IMPORT}: every rank's offers. */
    record Importing(List<MemoryOffer> offers) implements StageInput {
        public Importing {
            offers = List.copyOf(offers);
        }
    }
}
