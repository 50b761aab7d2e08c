package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.FabricInfo;
import java.util.Set;

/**
 * What one rank knows about where it is and what its device promises. Each fact stands alone: losing one never switches
 * off a path that does not need it. A promise is no proof; only a trial during the epoch's stages proves anything.
 *
 * @param rank the rank, from 0; it says nothing about a device
 * @param host where it is
 * @param process the process that it lives in
 * @param driver what its calls go through
 * @param device its device by itself
 * @param sharing how it can offer memory to others
 * @param links what its device is joined to
 * @param multicast the answer to the multicast granularity query
 */
public record RankFacts(
        int rank,
        HostFacts host,
        ProcessFacts process,
        DriverFacts driver,
        DeviceFacts device,
        SharingFacts sharing,
        LinkFacts links,
        MulticastAnswer multicast) {

    public String hostId() {
        return host.id();
    }

    public String processId() {
        return process.id();
    }

    /** The device's UUID, by which devices are told apart everywhere. */
    public String deviceUuid() {
        return device.identity().uuid();
    }

    public Set<HandleKind> exportable() {
        return sharing.exportable();
    }

    public FabricInfo fabric() {
        return links.fabric();
    }

    /** The facts without what changes from one moment to the next: equal as long as nothing relevant has changed. */
    public RankFacts lasting() {
        DeviceFacts still = new DeviceFacts(
                device.ordinal(),
                device.identity(),
                device.computeCapability(),
                device.multiprocessors(),
                0,
                device.confidential());
        return new RankFacts(rank, host, process, driver, still, sharing, links, multicast);
    }
}
