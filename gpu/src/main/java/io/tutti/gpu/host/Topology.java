package io.tutti.gpu.host;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The machine that the host driver emulates: hosts and their devices, with each fact that a driver would tell kept
 * separate from the others, so that a topology can tell half-truths as real machines do.
 *
 * @param name as the command line and the reports call it
 * @param driverVersion as {@code cuDriverGetVersion} answers it
 * @param hosts in the order of their ordinals
 */
public record Topology(String name, int driverVersion, List<Host> hosts) {

    public Topology {
        hosts = List.copyOf(hosts);
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("a topology has at least one host: name=" + name);
        }
        if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
            throw new IllegalArgumentException("a topology's name is letters, digits, '.', '_' and '-': name=" + name);
        }
    }

    /**
     * One emulated host.
     *
     * @param name for people
     * @param imexChannel whether the host has an IMEX channel, without which fabric handles answer 800
     * @param allocationGranularity granularity of virtual memory, in bytes
     * @param multicast how the multicast granularity query is answered
     * @param confidential whether devices compute confidentially
     * @param devices in the order of their ordinals
     */
    public record Host(
            String name,
            boolean imexChannel,
            long allocationGranularity,
            Multicast multicast,
            ConfidentialComputing confidential,
            List<Device> devices) {

        public Host {
            devices = List.copyOf(devices);
            if (Long.bitCount(allocationGranularity) != 1 || allocationGranularity < 4096) {
                throw new IllegalArgumentException(
                        "the granularity is a power of two from 4096 on: granularity=" + allocationGranularity);
            }
            for (Device device : devices) {
                for (int peer : device.peers) {
                    if (peer < 0 || peer >= devices.size()) {
                        throw new IllegalArgumentException("a peer is another device of the host: host=" + name
                                + " peer=" + peer + " devices=" + devices.size());
                    }
                }
            }
        }
    }

    /**
     * Multicast as the driver tells of it, and as it is.
     *
     * @param result what {@code cuMulticastGetGranularity} answers: {@link CuResult#CUDA_SUCCESS}, or the refusal
     * @param granularity in bytes, where it succeeds
     * @param slots multicast objects that the switches of the fabric serve at once, whoever they belong to
     * @param fabricManager what binding memory meets
     * @param stores where stores to a multicast address arrive
     */
    public record Multicast(CuResult result, long granularity, int slots, FabricManager fabricManager, Stores stores) {

        /** Objects that one NVSwitch fabric serves. */
        public static final int SLOTS = 128;

        public static Multicast of(long granularity) {
            return new Multicast(CuResult.CUDA_SUCCESS, granularity, SLOTS, FabricManager.RUNNING, Stores.EVERY_MEMBER);
        }

        public static Multicast refused(CuResult result) {
            return new Multicast(result, 0, 0, FabricManager.RUNNING, Stores.EVERY_MEMBER);
        }
    }

    /** The service that sets the switches up, and what {@code cuMulticastBindMem} answers for it. */
    public enum FabricManager {
        RUNNING(CuResult.CUDA_SUCCESS),
        /** It runs, but knows nothing of the devices as they are since their last reset. */
        STALE(CuResult.CUDA_ERROR_INVALID_VALUE),
        STOPPED(CuResult.CUDA_ERROR_ILLEGAL_STATE),
        STARTING(CuResult.CUDA_ERROR_SYSTEM_NOT_READY);

        private final CuResult answer;

        FabricManager(CuResult answer) {
            this.answer = answer;
        }

        CuResult answer() {
            return answer;
        }
    }

    /** Where stores to a multicast address arrive. */
    public enum Stores {
        EVERY_MEMBER,
        /** In the storing device's own memory alone: there is no switch that could spread them. */
        OWN_DEVICE
    }

    /**
     * One emulated device.
     *
     * @param identity name, UUID, PCI address and memory size
     * @param computeCapabilityMajor for example 9
     * @param computeCapabilityMinor for example 0
     * @param multiprocessors streaming multiprocessors
     * @param mig whether it is a MIG slice, which has no peer path
     * @param capabilities what its attributes say
     * @param fabric its NVLink domain
     * @param link what joins it to its peers
     * @param peers ordinals of the devices of its host that it can access directly
     */
    public record Device(
            DeviceIdentity identity,
            int computeCapabilityMajor,
            int computeCapabilityMinor,
            int multiprocessors,
            boolean mig,
            Capabilities capabilities,
            FabricInfo fabric,
            Link link,
            Set<Integer> peers) {

        public Device {
            peers = Set.copyOf(peers);
            if (mig && !peers.isEmpty()) {
                throw new IllegalArgumentException("a MIG slice has no peers: uuid=" + identity.uuid());
            }
        }
    }

    /**
     * What a device's attributes say, which promises nothing.
     *
     * @param virtualMemory virtual memory management
     * @param posixFd POSIX descriptors as handles
     * @param fabric fabric handles
     * @param multicast multicast objects
     * @param legacyIpc whether legacy IPC works in this environment
     */
    public record Capabilities(
            boolean virtualMemory, boolean posixFd, boolean fabric, boolean multicast, boolean legacyIpc) {}

    /**
     * The link between a device and its peers, in bytes a second.
     *
     * @param promised what it promises, against which a timed probe holds it
     * @param real what copies over it move, or empty for as much as this machine can
     */
    public record Link(long promised, OptionalLong real) {

        /** So little that an emulation on a busy machine keeps it. */
        public static final Link EMULATED = new Link(64L << 20, OptionalLong.empty());
    }

    /** {@code local} with {@code devices} devices that share what the machine has to give now. */
    public static Topology local(int devices) {
        return LocalTopology.create(devices, LocalTopology.memoryPerDevice(devices));
    }

    /** {@code local}: one host, every device a peer of every other, no fabric and no multicast. */
    public static Topology local(int devices, long memoryPerDevice) {
        return LocalTopology.create(devices, memoryPerDevice);
    }

    /** Whether a device can reach another's memory: the same one, a peer on its host, or one of its fabric clique. */
    public boolean reaches(int host, int device, int otherHost, int otherDevice) {
        if (host == otherHost) {
            return device == otherDevice || device(host, device).peers.contains(otherDevice);
        }
        return sameClique(device(host, device).fabric, device(otherHost, otherDevice).fabric)
                && hosts.get(host).imexChannel
                && hosts.get(otherHost).imexChannel;
    }

    /** Whether devices of two hosts can be members of one multicast object: one host, or one fabric clique. */
    public boolean sharesSwitches(int host, int otherHost) {
        return host == otherHost
                || hosts.get(host).devices.stream()
                        .anyMatch(device -> hosts.get(otherHost).devices.stream()
                                .anyMatch(other -> sameClique(device.fabric, other.fabric)));
    }

    /**
     * Where a rank lives.
     *
     * @param host ordinal of the host
     * @param device ordinal of the device on its host
     */
    public record Place(int host, int device) {}

    /** All devices of all hosts. */
    public int deviceCount() {
        return hosts.stream().mapToInt(host -> host.devices.size()).sum();
    }

    /** Ranks take the devices in order, host by host; where there are more ranks than devices, they share them in turn. */
    public Place place(int rank) {
        int device = rank % deviceCount();
        int host = 0;
        while (device >= hosts.get(host).devices.size()) {
            device -= hosts.get(host).devices.size();
            host++;
        }
        return new Place(host, device);
    }

    /** The device at these ordinals. */
    public Device device(int host, int device) {
        return hosts.get(host).devices.get(device);
    }

    /** Whether the ordinals name a device of this topology. */
    public boolean contains(int host, int device) {
        return host >= 0
                && host < hosts.size()
                && device >= 0
                && device < hosts.get(host).devices.size();
    }

    static boolean sameClique(FabricInfo a, FabricInfo b) {
        return a.clique() == b.clique() && a.clusterUuid().equals(b.clusterUuid()) && !isZero(a.clusterUuid());
    }

    private static boolean isZero(String uuid) {
        return uuid.chars().allMatch(c -> c == '0' || c == '-');
    }
}
