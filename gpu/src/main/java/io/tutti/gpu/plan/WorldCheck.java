package io.tutti.gpu.plan;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Contradictions between ranks that no path could cure. */
final class WorldCheck {

    /** One NVLink domain. */
    static final int MAX_WORLD_SIZE = 72;

    private WorldCheck() {}

    static Optional<ErrorInfo> contradiction(List<RankFacts> facts, Policy policy) {
        if (facts.isEmpty() || facts.size() > MAX_WORLD_SIZE) {
            return Optional.of(ErrorInfo.of(
                    ErrorCode.CONFIGURATION,
                    "world size out of range: worldSize=" + facts.size() + " min=1 max=" + MAX_WORLD_SIZE,
                    "Set world-size to 1 … " + MAX_WORLD_SIZE + "."));
        }
        for (int i = 0; i < facts.size(); i++) {
            if (facts.get(i).rank() != i) {
                return Optional.of(ErrorInfo.of(
                        ErrorCode.INTERNAL,
                        "facts are not in rank order: position=" + i + " rank="
                                + facts.get(i).rank(),
                        "Report this with the log."));
            }
        }
        return differing(
                        facts,
                        "driver",
                        rank -> rank.driver().name(),
                        "Run every rank on the same driver (tutti.driver).")
                .or(() -> differing(
                        facts,
                        "kernel ABI version",
                        rank -> rank.driver().abiVersion(),
                        "Run the same build on every rank."))
                .or(() -> policy.shareDevices() ? Optional.empty() : sharedDevice(facts));
    }

    private static Optional<ErrorInfo> differing(
            List<RankFacts> facts, String what, Function<RankFacts, Object> fact, String advice) {
        RankFacts first = facts.get(0);
        for (RankFacts rank : facts) {
            if (!fact.apply(rank).equals(fact.apply(first))) {
                return Optional.of(new ErrorInfo(
                        ErrorCode.PREFLIGHT,
                        rank.rank(),
                        null,
                        null,
                        "ranks differ in " + what + ": rank 0 has " + fact.apply(first) + ", rank " + rank.rank()
                                + " has " + fact.apply(rank),
                        advice));
            }
        }
        return Optional.empty();
    }

    /** The most ranks that one device has. */
    static int ranksPerDevice(List<RankFacts> facts) {
        Map<String, Integer> ranks = new HashMap<>();
        facts.forEach(rank -> ranks.merge(deviceOf(rank), 1, Integer::sum));
        return Collections.max(ranks.values());
    }

    /** Device UUIDs are unique in the world; emulated ones only on their host. */
    private static String deviceOf(RankFacts rank) {
        return rank.hostId() + " " + rank.deviceUuid();
    }

    private static Optional<ErrorInfo> sharedDevice(List<RankFacts> facts) {
        Map<String, Integer> owners = new HashMap<>();
        for (RankFacts rank : facts) {
            Integer owner = owners.putIfAbsent(deviceOf(rank), rank.rank());
            if (owner != null) {
                return Optional.of(new ErrorInfo(
                        ErrorCode.PREFLIGHT,
                        rank.rank(),
                        null,
                        null,
                        "ranks " + owner + " and " + rank.rank() + " are on one device: uuid="
                                + rank.deviceUuid() + " pci="
                                + rank.device().identity().pciBusId() + " host="
                                + rank.host().name(),
                        "Give each rank its own device; sharing is for tests only (tutti.devices.allow-sharing)."));
            }
        }
        return Optional.empty();
    }
}
