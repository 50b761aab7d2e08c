package io.tutti.actors.internal;

import io.tutti.actors.driver.RankDrivers;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.facts.ProcessIdentity;
import io.tutti.gpu.memory.HandleTransports;
import io.tutti.gpu.rank.FailureListener;
import io.tutti.gpu.rank.RankDevice;

/** Opens the devices of the ranks that are placed in this process. */
final class RankDevices {

    private RankDevices() {}

    static RankDevice open(
            RankDrivers.Place place,
            TuttiSettings settings,
            CommunicatorSettings communicator,
            int rank,
            HandleTransports transports,
            FailureListener onFailure) {
        return RankDevice.open(
                place.driver().actingAs(rank),
                new RankDevice.Settings(
                        rank,
                        communicator.worldSize(),
                        place.device(),
                        place.host().id(),
                        ProcessIdentity.current(),
                        settings.operationTimeout(),
                        transports,
                        onFailure));
    }
}
