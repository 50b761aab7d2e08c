package io.tutti.actors.driver;

import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.facts.HostIdentity;
import java.util.List;

/** Devices that are there, behind one driver. */
final class RealMachine implements RankDrivers {

    private final Driver driver;
    private final HostIdentity host = HostIdentity.current();

    RealMachine(Driver driver) {
        this.driver = driver;
    }

    @Override
    public Place place(List<Integer> here, int rank) {
        return new Place(driver, host, device(here, rank, driver.deviceCount()));
    }

    /**
     * The device of a rank: by its number where that gives every rank here a device of its own, as with one process per
     * host and with several that see all devices; otherwise by its place among the ranks here, as with processes that see
     * only their own devices. Where there are fewer devices than ranks here, they are shared in turn.
     */
    static int device(List<Integer> here, int rank, int devices) {
        boolean apart = here.stream().map(other -> other % devices).distinct().count() == here.size();
        return apart || here.size() > devices ? rank % devices : here.indexOf(rank);
    }

    @Override
    public void close() {
        driver.close();
    }
}
