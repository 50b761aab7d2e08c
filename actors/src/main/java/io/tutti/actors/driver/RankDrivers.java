package io.tutti.actors.driver;

import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.facts.HostIdentity;
import java.util.List;

/**
 * The drivers of the ranks that live in one process. Real devices have one driver for all; on an emulated machine every
 * host has its own, since two drivers in one JVM are two processes to each other. Closing closes all of them. Confined to
 * one thread.
 */
public interface RankDrivers extends AutoCloseable {

    /**
     * Where a rank lives.
     *
     * @param driver of its host
     * @param host its host
     * @param device its device's ordinal there
     */
    record Place(Driver driver, HostIdentity host, int device) {}

    /**
     * Where a rank lives.
     *
     * @param here all ranks of its communicator in this process
     * @throws io.tutti.gpu.TuttiException when its device cannot be used
     */
    Place place(List<Integer> here, int rank);

    @Override
    void close();
}
