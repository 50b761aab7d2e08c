package io.tutti.gpu.facts;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.gpu.plan.DeviceFacts;
import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.HostFacts;
import io.tutti.gpu.plan.LinkFacts;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.ProcessFacts;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.SharingFacts;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Asks a driver and the operating system for everything that {@link RankFacts} holds. Queries only: nothing is allocated,
 * and a query that fails becomes a fact of its own where the runtime can do without it.
 */
public final class FactsCollector {

    private static final String CUDA = "cuda";

    private final Driver driver;
    private final HostFacts host;
    private final ProcessFacts process;
    private final int abiVersion;

    public FactsCollector(Driver driver, HostIdentity host, String processId, int abiVersion) {
        this(driver, host, processId, Surroundings.current(), abiVersion);
    }

    FactsCollector(Driver driver, HostIdentity host, String processId, Surroundings around, int abiVersion) {
        this(
                driver,
                new HostFacts(host.id(), host.name(), around.sharedMemoryBytes()),
                new ProcessFacts(
                        processId,
                        around.user(),
                        around.pidNamespace(),
                        driver.name().equals(CUDA) ? around.visibleDevices() : Optional.empty()),
                abiVersion);
    }

    private FactsCollector(Driver driver, HostFacts host, ProcessFacts process, int abiVersion) {
        this.driver = driver;
        this.host = host;
        this.process = process;
        this.abiVersion = abiVersion;
    }

    /**
     * The facts of one rank.
     *
     * @param rank the rank
     * @param worldSize ranks of its communicator
     * @param device the device's ordinal
     * @param usable handle kinds that the rank's process can use; a device's support for others promises nothing
     * @throws DriverException when the device itself cannot be asked
     */
    public RankFacts collect(int rank, int worldSize, int device, Set<HandleKind> usable) {
        return new FactsCollector(driver.actingAs(rank), host, process, abiVersion)
                .ask(rank, worldSize, device, usable);
    }

    private RankFacts ask(int rank, int worldSize, int device, Set<HandleKind> usable) {
        CuContext context = driver.primaryCtxRetain(device);
        try {
            driver.ctxSetCurrent(context);
            return new RankFacts(
                    rank,
                    host,
                    process,
                    new DriverFacts(driver.name(), driver.driverVersion(), abiVersion),
                    device(device),
                    sharing(device, usable),
                    new LinkFacts(peers(device), fabric(device), driver.peerBytesPerSecond(device)),
                    multicast(worldSize, device));
        } finally {
            driver.primaryCtxRelease(device);
        }
    }

    private DeviceFacts device(int device) {
        return new DeviceFacts(
                device,
                driver.deviceIdentity(device),
                driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, device) * 10
                        + driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MINOR, device),
                driver.deviceAttribute(DeviceAttribute.MULTIPROCESSOR_COUNT, device),
                driver.memGetInfo().freeBytes(),
                driver.confidentialComputing());
    }

    private SharingFacts sharing(int device, Set<HandleKind> usable) {
        Set<DeviceCapability> capabilities = EnumSet.noneOf(DeviceCapability.class);
        for (DeviceCapability capability : DeviceCapability.values()) {
            if (supports(capability, device)) {
                capabilities.add(capability);
            }
        }
        boolean imexChannel = driver.imexChannel();
        Set<HandleKind> kinds = promised(capabilities, imexChannel);
        kinds.retainAll(usable);
        return new SharingFacts(
                kinds,
                capabilities,
                imexChannel,
                driver.memGetAllocationGranularity(new AllocationProperties(device, ShareableType.NONE)));
    }

    private static Set<HandleKind> promised(Set<DeviceCapability> capabilities, boolean imexChannel) {
        Set<HandleKind> kinds = EnumSet.of(HandleKind.IN_PROCESS);
        if (capabilities.contains(DeviceCapability.POSIX_FD)) {
            kinds.add(HandleKind.POSIX_FD);
        }
        if (capabilities.contains(DeviceCapability.FABRIC) && imexChannel) {
            kinds.add(HandleKind.FABRIC);
        }
        if (capabilities.contains(DeviceCapability.LEGACY_IPC)) {
            kinds.add(HandleKind.LEGACY_IPC);
        }
        return kinds;
    }

    /** A driver that does not know an attribute lacks what it is about. */
    private boolean supports(DeviceCapability capability, int device) {
        try {
            return driver.deviceAttribute(capability.attribute(), device) != 0;
        } catch (DriverException e) {
            return false;
        }
    }

    private Set<String> peers(int device) {
        Set<String> peers = new HashSet<>();
        for (int peer = 0; peer < driver.deviceCount(); peer++) {
            if (peer != device && driver.deviceCanAccessPeer(device, peer)) {
                peers.add(driver.deviceIdentity(peer).uuid());
            }
        }
        return peers;
    }

    /** Only what reaches across hosts needs the domain. */
    private FabricInfo fabric(int device) {
        try {
            return driver.fabricInfo(device);
        } catch (DriverException e) {
            return new FabricInfo(FabricInfo.NO_CLUSTER, 0, "not-supported");
        }
    }

    private MulticastAnswer multicast(int worldSize, int device) {
        try {
            // The size does not matter to the query's success; a granularity of the device's own is the smallest legal
            // one.
            long bytes = driver.memGetAllocationGranularity(new AllocationProperties(device, ShareableType.NONE));
            return new MulticastAnswer.Granularity(
                    driver.multicastGetGranularity(Math.max(worldSize, 1), bytes, ShareableType.NONE));
        } catch (DriverException e) {
            return new MulticastAnswer.Refused(
                    e.call(), e.result().name(), e.info().advice());
        }
    }
}
