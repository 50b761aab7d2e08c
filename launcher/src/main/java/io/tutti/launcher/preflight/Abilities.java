package io.tutti.launcher.preflight;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.RejectedPath;
import java.util.ArrayList;
import java.util.List;

/** What one rank can and cannot use, each with its reason: a pure function of the facts of all ranks and of what was tried. */
public final class Abilities {

    /** What container runtimes give unless they are told otherwise. */
    private static final long SMALL_SHARED_MEMORY = 64L << 20;

    private static final String ELSEWHERE = "Nothing to do where another handle kind works.";

    private Abilities() {}

    /**
     * One rank's, handle kinds first.
     *
     * @param all the facts of all ranks that told theirs
     * @param rejected what the plan says of paths and kinds that were not taken
     */
    public static List<Ability> of(RankFacts rank, List<RankFacts> all, List<RejectedPath> rejected) {
        List<Ability> abilities = new ArrayList<>();
        abilities.add(Ability.yes(HandleKind.IN_PROCESS.wireName(), "needs nothing but one process"));
        abilities.add(posixFd(rank));
        abilities.add(fabric(rank));
        abilities.add(legacyIpc(rank));
        abilities.add(peerAccess(rank, all));
        abilities.add(multicast(rank));
        for (RejectedPath row : rejected) {
            Integer refuser = row.rank();
            if (!row.stage().equals("plan") && refuser != null && refuser == rank.rank()) {
                String answer = row.call() == null ? "did not work" : row.call() + " answered " + row.result();
                abilities.add(Ability.no(
                        row.path().wireName(), "tried, and " + answer + " at stage " + row.stage(), row.advice()));
            }
        }
        return abilities;
    }

    private static boolean has(RankFacts rank, DeviceCapability capability) {
        return rank.sharing().capabilities().contains(capability);
    }

    private static Ability lacking(String what, DeviceCapability capability) {
        return Ability.no(
                what,
                "the device's attribute " + capability.attribute() + " is 0 or not known to the driver",
                ELSEWHERE);
    }

    private static Ability posixFd(RankFacts rank) {
        String what = HandleKind.POSIX_FD.wireName();
        if (!has(rank, DeviceCapability.POSIX_FD)) {
            return lacking(what, DeviceCapability.POSIX_FD);
        }
        return rank.exportable().contains(HandleKind.POSIX_FD)
                ? Ability.yes(what, "the device exports descriptors and the process can pass them on")
                : Ability.no(
                        what,
                        "the process passes no descriptors, since all ranks of the communicator live in it",
                        "Nothing to do: in-process handles serve.");
    }

    private static Ability fabric(RankFacts rank) {
        String what = HandleKind.FABRIC.wireName();
        if (!has(rank, DeviceCapability.FABRIC)) {
            return lacking(what, DeviceCapability.FABRIC);
        }
        if (!rank.sharing().imexChannel()) {
            return Ability.no(
                    what,
                    "the process may open no IMEX channel, so that cuMemCreate would answer "
                            + CuResult.CUDA_ERROR_NOT_PERMITTED,
                    CuResult.CUDA_ERROR_NOT_PERMITTED.advice("cuMemCreate"));
        }
        FabricInfo domain = rank.fabric();
        String reach = domain.clusterUuid().equals(FabricInfo.NO_CLUSTER)
                ? "on this host; no fabric spans several"
                : "within clique " + domain.clique() + " of fabric " + domain.clusterUuid() + ", registration "
                        + domain.state();
        return Ability.yes(what, reach);
    }

    private static Ability legacyIpc(RankFacts rank) {
        String what = HandleKind.LEGACY_IPC.wireName();
        return has(rank, DeviceCapability.LEGACY_IPC)
                ? Ability.yes(what, "between processes of this host and one namespace of process ids")
                : lacking(what, DeviceCapability.LEGACY_IPC);
    }

    private static Ability peerAccess(RankFacts rank, List<RankFacts> all) {
        List<Integer> apart = new ArrayList<>();
        for (RankFacts other : all) {
            boolean neighbour = other.rank() != rank.rank() && other.hostId().equals(rank.hostId());
            if (neighbour
                    && !other.deviceUuid().equals(rank.deviceUuid())
                    && !rank.links().peerDeviceUuids().contains(other.deviceUuid())) {
                apart.add(other.rank());
            }
        }
        String what = "peer-access";
        if (apart.isEmpty()) {
            return Ability.yes(what, "to the device of every other rank of this host");
        }
        String why = isSlice(rank) ? "a MIG slice has no peers; " : "";
        return Ability.no(
                what,
                why + "none to the devices of ranks " + apart,
                "Place the ranks on devices that are peers; nvidia-smi topo --matrix shows them.");
    }

    private static Ability multicast(RankFacts rank) {
        String what = "multicast";
        if (rank.multicast() instanceof MulticastAnswer.Refused refused) {
            return Ability.no(what, refused.call() + " answered " + refused.result(), refused.advice());
        }
        return has(rank, DeviceCapability.MULTICAST)
                        || rank.sharing().capabilities().isEmpty()
                ? Ability.yes(what, "the queries succeed, which promises nothing yet")
                : lacking(what, DeviceCapability.MULTICAST);
    }

    private static boolean isSlice(RankFacts rank) {
        return rank.deviceUuid().startsWith("MIG-");
    }

    /** What else about a rank's surroundings is worth a look. */
    public static List<String> hints(RankFacts rank) {
        List<String> hints = new ArrayList<>();
        long shared = rank.host().sharedMemoryBytes();
        if (shared > 0 && shared <= SMALL_SHARED_MEMORY) {
            hints.add("/dev/shm has only " + (shared >> 20)
                    + " MiB, as containers give by default; other libraries need more (--shm-size)");
        }
        if (rank.device().confidential() == ConfidentialComputing.ON) {
            hints.add("the device computes confidentially, which keeps peers out of its memory");
        }
        String health = rank.fabric().health();
        if (!health.equals("healthy") && !health.equals(FabricInfo.UNKNOWN_HEALTH)) {
            hints.add("the NVLink fabric reports trouble: " + health);
        }
        if (isSlice(rank)) {
            hints.add("the device is a MIG slice, which has no peer path to any other");
        }
        return hints;
    }
}
