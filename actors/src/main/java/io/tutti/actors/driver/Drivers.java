package io.tutti.actors.driver;

import io.tutti.config.DriverChoice;
import io.tutti.config.Topologies;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.cuda.Cuda;
import io.tutti.gpu.cuda.CudaAvailability;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.numerics.FloatingPointSelfTest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the driver that the settings choose. Called before any actor exists. */
public final class Drivers {

    private static final Logger LOG = LoggerFactory.getLogger(Drivers.class);

    private Drivers() {}

    /**
     * The drivers of this process's ranks; the caller's, to be closed.
     *
     * @throws TuttiException with code CONFIGURATION when the settings ask for what does not exist, SYSTEM when they ask
     *     for {@code cuda} and it cannot be used here
     */
    public static RankDrivers open(TuttiSettings settings) {
        requireSoundArithmetic();
        if (!mayBeReal(settings)) {
            return emulated(settings);
        }
        CudaAvailability answer = cuda(settings);
        if (answer instanceof CudaAvailability.Usable usable) {
            return new RealMachine(usable.driver());
        }
        LOG.info(
                "the host driver is used: {}",
                ((CudaAvailability.Unusable) answer).why().describe());
        return emulated(settings);
    }

    /**
     * What {@link #open} would give, without keeping it.
     *
     * @throws TuttiException with code SYSTEM when the settings ask for {@code cuda} and it cannot be used here
     */
    public static DriverSurvey survey(TuttiSettings settings) {
        if (!mayBeReal(settings)) {
            return surveyEmulated(settings, Optional.empty());
        }
        CudaAvailability answer = cuda(settings);
        if (answer instanceof CudaAvailability.Unusable unusable) {
            return surveyEmulated(settings, Optional.of(unusable.why()));
        }
        try (Driver driver = ((CudaAvailability.Usable) answer).driver()) {
            int devices = driver.deviceCount();
            return new DriverSurvey(
                    true,
                    driver.name(),
                    OptionalInt.of(devices),
                    IntStream.range(0, devices)
                            .mapToLong(device -> driver.deviceIdentity(device).totalBytes())
                            .min(),
                    Optional.empty());
        }
    }

    private static DriverSurvey surveyEmulated(TuttiSettings settings, Optional<ErrorInfo> passedOver) {
        OptionalInt devices = settings.topology().equals(TuttiSettings.LOCAL)
                ? OptionalInt.empty()
                : OptionalInt.of(topology(settings).deviceCount());
        return new DriverSurvey(false, DriverChoice.HOST.wireName(), devices, OptionalLong.empty(), passedOver);
    }

    private static boolean mayBeReal(TuttiSettings settings) {
        return settings.driver() == DriverChoice.CUDA
                || (settings.driver() == DriverChoice.AUTO && !settings.emulates());
    }

    private static CudaAvailability cuda(TuttiSettings settings) {
        CudaAvailability answer = Cuda.open(settings.cudaBinding(), KernelAbi.IMAGE);
        if (answer instanceof CudaAvailability.Unusable unusable && settings.driver() == DriverChoice.CUDA) {
            throw new TuttiException(unusable.why());
        }
        return answer;
    }

    private static RankDrivers emulated(TuttiSettings settings) {
        return new EmulatedMachine(
                topology(settings),
                FaultPlan.parse(settings.inject()),
                settings.hostDriver().bindThreads());
    }

    /**
     * The machine that the host driver would emulate.
     *
     * @throws TuttiException with code CONFIGURATION when there is none of that name, or its file has mistakes
     */
    public static Topology topology(TuttiSettings settings) {
        if (!settings.topology().equals(TuttiSettings.LOCAL)) {
            return Topologies.load(settings.topology(), settings.hostDriver().memoryPerDeviceBytes());
        }
        int devices = settings.hostDriver().devices().orElseGet(settings::largestWorld);
        return settings.hostDriver().memoryPerDeviceBytes().isPresent()
                ? Topology.local(
                        devices, settings.hostDriver().memoryPerDeviceBytes().getAsLong())
                : Topology.local(devices);
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
