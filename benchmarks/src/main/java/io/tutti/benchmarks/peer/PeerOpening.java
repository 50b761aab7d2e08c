package io.tutti.benchmarks.peer;

/** What came of looking for a peer. */
public sealed interface PeerOpening {

    /** It is there; whoever receives it closes it. */
    record Opened(Peer peer) implements PeerOpening {}

    /**
     * It cannot be measured on this machine.
     *
     * @param name the peer's name
     * @param reason for people
     */
    record Absent(String name, String reason) implements PeerOpening {}
}
