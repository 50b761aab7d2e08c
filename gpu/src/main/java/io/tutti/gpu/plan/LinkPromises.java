package io.tutti.gpu.plan;

import java.util.List;

/** What the links of a communicator's ranks promise, from their facts: the bound that a timed probe holds a path to. */
public final class LinkPromises {

    private LinkPromises() {}

    /**
     * What a rank may expect to move to each rank, in bytes a second: what the slower of both ends promises. 0 where nothing
     * is promised: to itself, to a rank on the same device, and where a driver does not tell.
     *
     * @param facts all ranks' facts, in rank order
     */
    public static List<Long> of(List<RankFacts> facts, int rank) {
        return facts.stream().map(peer -> between(facts.get(rank), peer)).toList();
    }

    private static long between(RankFacts one, RankFacts other) {
        boolean oneDevice =
                one.hostId().equals(other.hostId()) && one.deviceUuid().equals(other.deviceUuid());
        return oneDevice
                ? 0
                : Math.min(one.links().peerBytesPerSecond(), other.links().peerBytesPerSecond());
    }
}
