package io.tutti.launcher.processes;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Deals the ranks of a communicator to processes: contiguous blocks, whose sizes differ by one at most. */
public final class RankDealing {

    private RankDealing() {}

    /**
     * One block for each process, ascending; the first blocks are the larger ones.
     *
     * @param worldSize ranks to deal
     * @param processes from 1 to {@code worldSize}
     */
    public static List<List<Integer>> deal(int worldSize, int processes) {
        if (processes < 1 || processes > worldSize) {
            throw new IllegalArgumentException(
                    "no rank for a process: worldSize=" + worldSize + " processes=" + processes);
        }
        List<List<Integer>> blocks = new ArrayList<>();
        int next = 0;
        for (int process = 0; process < processes; process++) {
            int size = worldSize / processes + (process < worldSize % processes ? 1 : 0);
            blocks.add(IntStream.range(next, next + size).boxed().toList());
            next += size;
        }
        return List.copyOf(blocks);
    }
}
