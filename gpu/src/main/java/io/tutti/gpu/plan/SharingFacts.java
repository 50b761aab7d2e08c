package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import java.util.Set;

/**
 * How a rank can offer memory to others.
 *
 * @param exportable handle kinds whose capability bits and channels are there on this rank, and which its process can use
 * @param capabilities what the device's attributes say, each by itself; empty where they were not told
 * @param imexChannel whether the process may open an IMEX channel, without which fabric handles are not permitted
 * @param allocationGranularity granularity for shareable memory, in bytes
 */
public record SharingFacts(
        Set<HandleKind> exportable,
        Set<DeviceCapability> capabilities,
        boolean imexChannel,
        long allocationGranularity) {

    public SharingFacts {
        exportable = Set.copyOf(exportable);
        capabilities = Set.copyOf(capabilities);
    }
}
