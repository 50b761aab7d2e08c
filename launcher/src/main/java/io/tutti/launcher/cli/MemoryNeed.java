package io.tutti.launcher.cli;

import io.tutti.actors.driver.DriverSurvey;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.posix.MemoryLimits;
import io.tutti.gpu.workspace.WorkspaceSpecs;
import io.tutti.launcher.input.OperationShape;
import java.math.BigInteger;

/**
 * The memory that a run takes: on each device the workspaces of its ranks and one communicator's
 * tensors, and on the host driver from this machine all of that. Beyond the machine's memory the kernel kills instead of refusing, so a run
 * that cannot fit is refused before it starts.
 *
 * @param devices devices in use, each with the same number of ranks at most
 * @param deviceBytes memory of one device
 * @param workspaces bytes of workspaces of one rank in each communicator, at least
 * @param tensors bytes of tensors of one rank
 * @param ranksPerDevice ranks of a communicator on one device
 * @param configured whether the size of a workspace was configured, rather than derived
 * @param emulated whether the device's memory is a matter of settings
 */
record MemoryNeed(
        int devices,
        long deviceBytes,
        BigInteger workspaces,
        BigInteger tensors,
        int ranksPerDevice,
        boolean configured,
        boolean emulated) {

    private static final int TENSORS_WITH_NORM = 4;
    private static final int TENSORS_OF_SUM = 2;

    /** What a run of that shape takes under these settings. */
    static MemoryNeed of(TuttiSettings settings, OperationShape shape, Epilogue epilogue, DriverSurvey survey) {
        int world = settings.largestWorld();
        BigInteger workspaces = BigInteger.ZERO;
        for (CommunicatorSettings communicator : settings.communicators()) {
            // A derived workspace shrinks when memory is short, so only its least size has to fit.
            workspaces = workspaces.add(BigInteger.valueOf(
                    settings.workspaceBytes().orElse(WorkspaceSpecs.leastBudget(communicator.worldSize()))));
        }
        BigInteger tensors = BigInteger.valueOf(shape.bytes())
                .multiply(BigInteger.valueOf(epilogue.hasNorm() ? TENSORS_WITH_NORM : TENSORS_OF_SUM));
        int devices = Math.min(world, survey.devices().orElse(world));
        long deviceBytes =
                survey.deviceBytes().isPresent() ? survey.deviceBytes().getAsLong() : deviceBytes(settings, devices);
        return new MemoryNeed(
                devices,
                deviceBytes,
                workspaces,
                tensors,
                (world + devices - 1) / devices,
                settings.workspaceBytes().isPresent(),
                survey.deviceBytes().isEmpty());
    }

    /** Memory of one device of the topology {@code local}. */
    private static long deviceBytes(TuttiSettings settings, int devices) {
        return settings.hostDriver()
                .memoryPerDeviceBytes()
                .orElseGet(() -> Topology.local(devices).device(0, 0).identity().totalBytes());
    }

    /** @throws TuttiException when that is more than a device or this machine has */
    void check(MemoryLimits.Available available) {
        checkDevice();
        check(
                BigInteger.valueOf(available.bytes()),
                BigInteger.valueOf(devices),
                "machine's",
                available.describe() + " devices=" + devices,
                "Take fewer ");
    }

    /** @throws TuttiException when that is more than a device has */
    void checkDevice() {
        check(
                BigInteger.valueOf(deviceBytes),
                BigInteger.valueOf(ranksPerDevice),
                "device's",
                "deviceBytes=" + deviceBytes + (ranksPerDevice == 1 ? "" : " ranksPerDevice=" + ranksPerDevice),
                emulated
                        ? "Give a device more with tutti.host-driver.memory-per-device, or take fewer "
                        : "Take fewer ");
    }

    private void check(BigInteger limit, BigInteger times, String whose, String facts, String advice) {
        if (configured && workspaces.multiply(times).compareTo(limit) > 0) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.CONFIGURATION,
                    "the workspaces are larger than the " + whose
                            + " memory: tutti.workspace.size over all communicators=" + workspaces + " " + facts,
                    "Set tutti.workspace.size to auto or to a smaller size."));
        }
        if (workspaces.add(tensors).multiply(times).compareTo(limit) > 0) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.USAGE,
                    "the tensors and workspaces of a rank are larger than the " + whose + " memory: tensorBytes="
                            + tensors + " workspaceBytes=" + workspaces + " " + facts,
                    // What does not even hold the workspaces holds them with no tensors either.
                    advice + (workspaces.multiply(times).compareTo(limit) > 0 ? "ranks." : "tokens or ranks.")));
        }
    }
}
