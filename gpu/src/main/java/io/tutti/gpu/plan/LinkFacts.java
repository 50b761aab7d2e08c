package io.tutti.gpu.plan;

import io.tutti.gpu.driver.FabricInfo;
import java.util.Set;

/**
 * What a rank's device is joined to.
 *
 * @param peerDeviceUuids devices of this host that this device can access directly
 * @param fabric the NVLink domain
 * @param peerBytesPerSecond what the link to the slowest of its peers promises; 0 where nothing is promised
 */
public record LinkFacts(Set<String> peerDeviceUuids, FabricInfo fabric, long peerBytesPerSecond) {

    public LinkFacts {
        peerDeviceUuids = Set.copyOf(peerDeviceUuids);
    }
}
