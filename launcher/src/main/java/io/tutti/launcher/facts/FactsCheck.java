package io.tutti.launcher.facts;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.SharingFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether facts are of all ranks, of each once, and go together. */
final class FactsCheck {

    private FactsCheck() {}

    /** The facts by rank. */
    static List<RankFacts> inRankOrder(Place communicator, List<Place> places, List<RankFacts> facts) {
        int worldSize = communicator.get("worldSize").smallCount();
        List<@Nullable RankFacts> byRank = new ArrayList<>(Collections.nCopies(worldSize, null));
        for (int i = 0; i < facts.size(); i++) {
            Place rank = places.get(i).get("rank");
            int number = facts.get(i).rank();
            if (number >= worldSize) {
                throw rank.refused("is " + number + ", but worldSize is " + worldSize);
            }
            RankFacts before = byRank.set(number, facts.get(i));
            if (before != null) {
                throw rank.refused("is " + number + " again, as at "
                        + places.get(facts.indexOf(before)).path());
            }
            checkSharing(places.get(i).get("sharing"), facts.get(i).sharing());
        }
        int missing = byRank.indexOf(null);
        if (missing >= 0) {
            throw communicator.get("ranks").refused("has no rank " + missing + " of " + worldSize);
        }
        List<RankFacts> all = byRank.stream().map(Objects::requireNonNull).toList();
        checkTogether(places, facts);
        return all;
    }

    /** A kind is promised only where the capability is, and for fabric the channel too. */
    private static void checkSharing(Place sharing, SharingFacts facts) {
        Place exportable = sharing.get("exportable");
        Set<DeviceCapability> can = facts.capabilities();
        for (HandleKind kind : facts.exportable()) {
            boolean founded = switch (kind) {
                case IN_PROCESS -> true;
                case POSIX_FD -> can.contains(DeviceCapability.POSIX_FD);
                case FABRIC -> can.contains(DeviceCapability.FABRIC) && facts.imexChannel();
                case LEGACY_IPC -> can.contains(DeviceCapability.LEGACY_IPC);
            };
            if (!founded) {
                throw exportable.refused("has " + kind.wireName() + ", which contradicts the capabilities"
                        + (kind == HandleKind.FABRIC ? " and imexChannel" : "") + " beside it");
            }
        }
    }

    /** One process is on one host, and one UUID is one device. */
    private static void checkTogether(List<Place> places, List<RankFacts> facts) {
        Map<String, Integer> processes = new HashMap<>();
        Map<String, Integer> devices = new HashMap<>();
        for (int i = 0; i < facts.size(); i++) {
            RankFacts here = facts.get(i);
            int process = processes.computeIfAbsent(here.processId(), any(i));
            if (!facts.get(process).hostId().equals(here.hostId())) {
                throw places.get(i)
                        .get("process.id")
                        .refused("is also at " + places.get(process).path() + ", which is on another host");
            }
            int device = devices.computeIfAbsent(here.hostId() + " " + here.deviceUuid(), any(i));
            DeviceIdentity other = facts.get(device).device().identity();
            if (!other.equals(here.device().identity())) {
                throw places.get(i)
                        .get("device.uuid")
                        .refused("is also at " + places.get(device).path() + ", with another name, address or size");
            }
        }
    }

    private static java.util.function.Function<String, Integer> any(int value) {
        return key -> value;
    }
}
