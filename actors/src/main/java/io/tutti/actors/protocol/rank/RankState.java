package io.tutti.actors.protocol.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.Term;
import java.util.Optional;

/**
 * Everything a rank knows; a value.
 *
 * @param phase what it is doing
 * @param promised the highest term it has promised
 * @param highestEpoch the highest epoch number it ever heard of
 * @param drained the last epoch that it has drained
 * @param leaving whether it has been asked to leave
 * @param forgetting whether it asks the coordinator to forget refusals, and has no answer yet
 */
public record RankState(
        RankPhase phase,
        Term promised,
        long highestEpoch,
        Optional<EpochId> drained,
        boolean leaving,
        boolean forgetting) {}
