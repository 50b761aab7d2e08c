package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import java.util.ArrayList;
import java.util.List;

/** Two different ranks of a communicator, the smaller one first. */
record Pair(RankFacts one, RankFacts other) {

    static List<Pair> ofClass(List<RankFacts> facts, PairClass pairClass) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < facts.size(); i++) {
            for (int j = i + 1; j < facts.size(); j++) {
                if (PairClass.of(facts.get(i), facts.get(j)) == pairClass) {
                    pairs.add(new Pair(facts.get(i), facts.get(j)));
                }
            }
        }
        return pairs;
    }

    /** On one host the driver's peer matrix decides, across hosts the NVLink domain. */
    boolean hasPeerPath() {
        if (one.hostId().equals(other.hostId())) {
            return one.deviceUuid().equals(other.deviceUuid())
                    || (one.links().peerDeviceUuids().contains(other.deviceUuid())
                            && other.links().peerDeviceUuids().contains(one.deviceUuid()));
        }
        return one.fabric().joins(other.fabric());
    }

    /** What keeps two hosts' devices apart, to be added to a sentence; nothing on one host, where the driver just says no. */
    String apart() {
        return one.hostId().equals(other.hostId())
                ? ""
                : ": no NVLink domain joins " + one.host().name() + " ("
                        + one.fabric().describe() + ") and " + other.host().name() + " ("
                        + other.fabric().describe() + ")";
    }

    boolean promises(HandleKind kind) {
        return one.exportable().contains(kind) && other.exportable().contains(kind);
    }
}
