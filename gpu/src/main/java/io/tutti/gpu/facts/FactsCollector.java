package io.tutti.gpu.facts;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.RankFacts;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Asks a driver for everything that {@link RankFacts} holds. Queries only: nothing is allocated, and a query that fails
 * becomes a fact of its own where the runtime can do without it.
 */
public final class FactsCollector {

    private final Driver driver;
    private final HostIdentity host;
    private final String processId;
    private final int abiVersion;

    public FactsCollector(Driver driver, HostIdentity host, String processId, int abiVersion) {
        this.driver = driver;
        this.host = host;
        this.processId = processId;
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
        return new FactsCollector(driver.actingAs(rank), host, processId, abiVersion)
                .ask(rank, worldSize, device, usable);
    }

    private RankFacts ask(int rank, int worldSize, int device, Set<HandleKind> usable) {
        CuContext context = driver.primaryCtxRetain(device);
        try {
            driver.ctxSetCurrent(context);
            return new RankFacts(
                    rank,
                    host.id(),
                    host.name(),
                    processId,
                    driver.name(),
                    driver.driverVersion(),
                    device,
                    driver.deviceIdentity(device),
                    driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, device) * 10
                            + driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MINOR, device),
                    driver.deviceAttribute(DeviceAttribute.MULTIPROCESSOR_COUNT, device),
                    driver.memGetInfo().freeBytes(),
                    driver.memGetAllocationGranularity(new AllocationProperties(device, ShareableType.NONE)),
                    exportable(device, usable),
                    peers(device),
                    driver.fabricInfo(device),
                    multicast(worldSize, device),
                    abiVersion);
        } finally {
            driver.primaryCtxRelease(device);
        }
    }

    private Set<HandleKind> exportable(int device, Set<HandleKind> usable) {
        Set<HandleKind> kinds = EnumSet.of(HandleKind.IN_PROCESS);
        if (supports(DeviceAttribute.HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, device)) {
            kinds.add(HandleKind.POSIX_FD);
        }
        if (supports(DeviceAttribute.HANDLE_TYPE_FABRIC_SUPPORTED, device) && driver.imexChannel()) {
            kinds.add(HandleKind.FABRIC);
        }
        if (supports(DeviceAttribute.IPC_EVENT_SUPPORTED, device)) {
            kinds.add(HandleKind.LEGACY_IPC);
        }
        kinds.retainAll(usable);
        return kinds;
    }

    /** A driver that does not know an attribute lacks what it is about. */
    private boolean supports(DeviceAttribute attribute, int device) {
        try {
            return driver.deviceAttribute(attribute, device) != 0;
        } catch (DriverException e) {
            return false;
        }
    }

    private Set<String> peers(int device) {
        Set<String> peers = new HashSet<>();
        for (int peer = 0; peer < driver.deviceCount(); peer++) {
            if (peer != device && driver.deviceCanAccessPeer(device, peer)) {
                DeviceIdentity identity = driver.deviceIdentity(peer);
                peers.add(identity.uuid());
            }
        }
        return peers;
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
