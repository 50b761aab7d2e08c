package io.tutti.config;

import java.util.List;

/**
 * One communicator as this process sees it.
 *
 * @param name its name, equal on all members
 * @param worldSize ranks in the whole communicator, 1 to 72
 * @param ranks the ranks that this process hosts, ascending; empty where it hosts none
 */
public record CommunicatorSettings(String name, int worldSize, List<Integer> ranks) {

    /** Ranks of the largest communicator: one NVLink domain. */
    public static final int MAX_WORLD_SIZE = 72;

    public CommunicatorSettings {
        ranks = List.copyOf(ranks);
    }
}
