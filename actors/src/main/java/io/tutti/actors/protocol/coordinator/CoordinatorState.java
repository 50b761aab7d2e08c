package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.gpu.Term;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Everything a coordinator knows; a value.
 *
 * @param phase what it is doing
 * @param present the incarnation that it counts on, by rank
 * @param retired incarnations that were replaced or whose process ended, the latest last; never counted on again
 * @param promisedBy the incarnations whose promises the term stands on
 * @param leaving ranks that have left
 * @param term the last claimed term
 * @param led whether all ranks have promised some term of this coordinator
 * @param highestTerm the highest term it has heard of
 * @param highestEpoch the highest epoch number it has heard of
 * @param history what it remembers from former epochs
 * @param ends how each rank's last epoch ended, to answer a rank that did not hear it
 */
public record CoordinatorState(
        CoordinatorPhase phase,
        SortedMap<Integer, Incarnation> present,
        List<Incarnation> retired,
        SortedMap<Integer, Incarnation> promisedBy,
        SortedSet<Integer> leaving,
        Term term,
        boolean led,
        Term highestTerm,
        long highestEpoch,
        History history,
        Map<Incarnation, EpochEnded> ends) {

    public CoordinatorState {
        retired = List.copyOf(retired);
        ends = Map.copyOf(ends);
    }
}
