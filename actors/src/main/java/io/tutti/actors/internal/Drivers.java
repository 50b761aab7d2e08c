package io.tutti.actors.internal;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.host.kernels.HostKernels;
import io.tutti.gpu.numerics.FloatingPointSelfTest;

/** Opens the driver that the settings choose. Called before any actor exists. */
final class Drivers {

    private static final String LOCAL = "local";

    private Drivers() {}

    /**
     * The process's driver.
     *
     * @throws TuttiException with code CONFIGURATION when the settings ask for what does not exist
     */
    static Driver open(TuttiSettings settings) {
        requireSoundArithmetic();
        return HostDriver.builder()
                .topology(topology(settings))
                .kernels(KernelAbi.IMAGE, HostKernels.all())
                .faults(FaultPlan.parse(settings.inject()))
                .build();
    }

    private static Topology topology(TuttiSettings settings) {
        if (!settings.topology().equals(LOCAL)) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.CONFIGURATION,
                    "no such topology: tutti.topology=" + settings.topology() + " known=[" + LOCAL + "]",
                    "Name a known topology."));
        }
        int devices = settings.hostDriver().devices().orElseGet(() -> largestWorld(settings));
        return settings.hostDriver().memoryPerDeviceBytes().isPresent()
                ? Topology.local(
                        devices, settings.hostDriver().memoryPerDeviceBytes().getAsLong())
                : Topology.local(devices);
    }

    private static int largestWorld(TuttiSettings settings) {
        return settings.communicators().stream()
                .mapToInt(CommunicatorSettings::worldSize)
                .max()
                .orElse(1);
    }

    private static void requireSoundArithmetic() {
        if (FloatingPointSelfTest.check() instanceof FloatingPointSelfTest.Unsound unsound) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.SYSTEM,
                    "this process does not compute subnormal numbers as IEEE 754 says: findings=" + unsound.findings(),
                    "A native library of this process has switched flush-to-zero on, often one built with -ffast-math;"
                            + " load it in another process."));
        }
    }
}
