package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import java.util.Set;

/**
 * What one rank knows about where it is and what its device promises. Each fact stands alone: losing one never switches
 * off a path that does not need it. A promise is no proof; only a trial during the epoch's stages proves anything.
 *
 * @param rank the rank, from 0
 * @param hostId identifies the host (boot id and namespaces, or the emulated host's name)
 * @param hostName the host's name, for people
 * @param processId identifies the process incarnation
 * @param driver {@code host} or {@code cuda}
 * @param driverVersion as the driver reports it
 * @param deviceOrdinal the device's ordinal in this process
 * @param device what the device is
 * @param computeCapability major × 10 + minor
 * @param multiprocessors streaming multiprocessors of the device
 * @param freeBytes free device memory when asked
 * @param allocationGranularity granularity for shareable memory, in bytes
 * @param exportable handle kinds whose capability bits and channels are there on this rank
 * @param peerDeviceUuids devices of this host that this device can access directly
 * @param fabric the NVLink domain
 * @param multicast the answer to the multicast granularity query
 * @param abiVersion kernel ABI version of this build
 */
public record RankFacts(
        int rank,
        String hostId,
        String hostName,
        String processId,
        String driver,
        int driverVersion,
        int deviceOrdinal,
        DeviceIdentity device,
        int computeCapability,
        int multiprocessors,
        long freeBytes,
        long allocationGranularity,
        Set<HandleKind> exportable,
        Set<String> peerDeviceUuids,
        FabricInfo fabric,
        MulticastAnswer multicast,
        int abiVersion) {

    public RankFacts {
        exportable = Set.copyOf(exportable);
        peerDeviceUuids = Set.copyOf(peerDeviceUuids);
    }
}
