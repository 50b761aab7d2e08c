package io.tutti.actors.protocol.rank;

import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.RankFacts;
import java.util.List;

/**
 * What all ranks of an epoch know alike once they have planned it.
 *
 * @param plan the plan that this rank computed itself
 * @param facts all ranks' facts, in rank order
 */
public record Agreed(EpochPlan plan, List<RankFacts> facts) {

    public Agreed {
        facts = List.copyOf(facts);
    }
}
