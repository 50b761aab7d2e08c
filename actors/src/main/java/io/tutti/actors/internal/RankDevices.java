package io.tutti.actors.internal;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.facts.HostIdentity;
import io.tutti.gpu.facts.ProcessIdentity;
import io.tutti.gpu.memory.HandleTransports;
import io.tutti.gpu.rank.FailureListener;
import io.tutti.gpu.rank.RankDevice;
import java.util.List;

/** Opens the devices of the ranks that are placed in this process. */
final class RankDevices {

    private RankDevices() {}

    /**
     * The device of a rank: by its number where that gives every rank here a device of its own, as with one process per
     * host and with several that see all devices; otherwise by its place among the ranks here, as with processes that see
     * only their own devices. Where there are fewer devices than ranks here, they are shared in turn.
     *
     * @param here all ranks of the communicator in this process
     */
    static int device(List<Integer> here, int rank, int devices) {
        boolean apart = here.stream().map(other -> other % devices).distinct().count() == here.size();
        return apart || here.size() > devices ? rank % devices : here.indexOf(rank);
    }

    static RankDevice open(
            Driver driver,
            TuttiSettings settings,
            CommunicatorSettings communicator,
            int rank,
            HandleTransports transports,
            FailureListener onFailure) {
        return RankDevice.open(
                driver,
                new RankDevice.Settings(
                        rank,
                        communicator.worldSize(),
                        device(communicator.ranks(), rank, driver.deviceCount()),
                        HostIdentity.current().id(),
                        ProcessIdentity.current(),
                        settings.operationTimeout(),
                        transports,
                        onFailure));
    }
}
