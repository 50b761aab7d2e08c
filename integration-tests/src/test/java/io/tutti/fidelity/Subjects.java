package io.tutti.fidelity;

import io.tutti.config.Topologies;
import java.util.OptionalLong;

/** Drivers by name, as the recorder and its processes are told them. */
final class Subjects {

    static final String CUDA = "cuda";
    static final String HOST = "host";

    private Subjects() {}

    /**
     * Opens one.
     *
     * @param driver {@link #CUDA} or {@link #HOST}
     * @param topology what the host driver emulates
     */
    static Subject open(String driver, String topology) {
        return switch (driver) {
            case CUDA -> CudaSubject.open();
            case HOST -> new HostSubject(Topologies.load(topology, OptionalLong.empty()));
            default -> throw new IllegalArgumentException("drivers are cuda and host: driver=" + driver);
        };
    }
}
