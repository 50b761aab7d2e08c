package io.tutti.launcher.facts;

import io.tutti.gpu.plan.RankFacts;
import java.util.List;

/**
 * What a facts file holds.
 *
 * @param topology the machine that they are from, as reports call it
 * @param communicators each with the facts of all its ranks
 */
public record SavedFacts(String topology, List<Communicator> communicators) {

    public SavedFacts {
        communicators = List.copyOf(communicators);
    }

    /**
     * One communicator.
     *
     * @param facts in rank order, one for each rank
     */
    public record Communicator(String name, List<RankFacts> facts) {
        public Communicator {
            facts = List.copyOf(facts);
        }
    }
}
