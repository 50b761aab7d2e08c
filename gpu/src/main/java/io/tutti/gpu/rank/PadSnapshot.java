package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import java.util.List;

/**
 * A rank's signal pad as its host sees it.
 *
 * @param rank the owner
 * @param epoch the epoch the pad was made for
 * @param startedSequences the last sequence that each rank has started, by rank; the smallest names who has not arrived
 * @param abortedEpochs the abort words: those of each rank's kernels, then those of each rank's control threads
 */
public record PadSnapshot(int rank, EpochId epoch, List<Long> startedSequences, List<Integer> abortedEpochs) {

    public PadSnapshot {
        startedSequences = List.copyOf(startedSequences);
        abortedEpochs = List.copyOf(abortedEpochs);
    }
}
