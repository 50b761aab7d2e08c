package io.tutti.config;

import io.tutti.gpu.PathKind;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.host.fault.FaultRule;

/** How settings that are each good by themselves must go together. */
final class SettingsRules {

    private final Reading reading;
    private final TuttiSettings settings;

    SettingsRules(Reading reading, TuttiSettings settings) {
        this.reading = reading;
        this.settings = settings;
    }

    void check() {
        somePathIsLeft();
        realDevicesAreNotEmulated();
        onlyLoopbackWithoutTls();
        devicesAreEnough();
        workspaceFitsTheDevice();
        faultsNameRanks();
        timeoutsAreOrdered();
    }

    private void somePathIsLeft() {
        if (reading.allSound(Keys.PATHS) && settings.paths().isEmpty()) {
            reading.mistake(
                    Keys.PATHS,
                    "allows nvls only, which " + settings.forbiddenPaths().get(PathKind.NVLS) + " forbids",
                    "allow another path too, or take the variable out of the environment");
        }
    }

    private void realDevicesAreNotEmulated() {
        if (settings.driver() != DriverChoice.CUDA || !reading.allSound(Keys.DRIVER, Keys.TOPOLOGY, Keys.INJECT)) {
            return;
        }
        for (String key : new String[] {Keys.TOPOLOGY, Keys.INJECT}) {
            boolean asked = key.equals(Keys.INJECT)
                    ? !settings.inject().isEmpty()
                    : !settings.topology().equals(TuttiSettings.LOCAL);
            if (asked) {
                reading.mistake(
                        key,
                        "needs the host driver, which alone emulates, but " + reading.nameAndValue(Keys.DRIVER),
                        "leave it out, or use the driver host");
            }
        }
    }

    private void onlyLoopbackWithoutTls() {
        if (reading.allSound(Keys.HOST, Keys.INSECURE) && !settings.cluster().onLoopback() && !settings.insecure()) {
            reading.mistake(
                    Keys.HOST,
                    "is " + settings.cluster().host() + ", which other machines can reach, and cluster traffic is not"
                            + " encrypted",
                    "bind to 127.0.0.1, or accept the risk in writing with " + Keys.INSECURE + " = true");
        }
    }

    private void devicesAreEnough() {
        if (settings.hostDriver().devices().isEmpty() || !reading.allSound(Keys.DEVICES, Keys.TOPOLOGY)) {
            return;
        }
        if (!settings.topology().equals(TuttiSettings.LOCAL)) {
            reading.mistake(
                    Keys.DEVICES,
                    "contradicts " + reading.nameAndValue(Keys.TOPOLOGY) + ", which has devices of its own",
                    "leave it at auto, or use the topology local");
            return;
        }
        int devices = settings.hostDriver().devices().getAsInt();
        for (CommunicatorSettings communicator : settings.communicators()) {
            int needed = communicator.ranks().size();
            if (needed > devices && !settings.shareDevices()) {
                reading.mistake(
                        Keys.DEVICES,
                        "is too small: " + reading.nameAndValue(Keys.DEVICES) + " is less than the " + needed
                                + " ranks that communicator " + communicator.name() + " has in this process",
                        "use at least one device per rank");
            }
        }
    }

    private void workspaceFitsTheDevice() {
        if (reading.allSound(Keys.WORKSPACE, Keys.DEVICE_MEMORY)
                && settings.workspaceBytes().isPresent()
                && settings.hostDriver().memoryPerDeviceBytes().isPresent()
                && settings.workspaceBytes().getAsLong()
                        > settings.hostDriver().memoryPerDeviceBytes().getAsLong()) {
            reading.mistake(
                    Keys.WORKSPACE,
                    "is too large: " + reading.nameAndValue(Keys.WORKSPACE) + " is more than "
                            + reading.nameAndValue(Keys.DEVICE_MEMORY),
                    "use a smaller workspace, or auto");
        }
    }

    private void faultsNameRanks() {
        // A topology's devices may still decide how many ranks there are.
        boolean open = !settings.topology().equals(TuttiSettings.LOCAL)
                && reading.isDefault(Keys.ROOT + ".communicator-defaults.world-size");
        if (!reading.allSound(Keys.INJECT) || open) {
            return;
        }
        int most = settings.largestWorld();
        for (FaultRule rule : FaultPlan.parse(settings.inject()).rules()) {
            if (rule.rank().orElse(0) >= most) {
                reading.mistake(
                        Keys.INJECT,
                        "names a rank that no communicator has, so that it would never apply: " + rule,
                        "allowed: rank=0 to rank=" + (most - 1) + ", or no rank for all");
            }
        }
    }

    /** A layer must end by itself before the layer above it gives up on it. */
    private void timeoutsAreOrdered() {
        reading.requireShorter(
                Keys.OPERATION_TIMEOUT,
                settings.operationTimeout(),
                Keys.QUIESCE_TIMEOUT,
                settings.stageTimeouts().of("quiesce"),
                "a stream must be allowed to outlast the kernel that it waits for");
        reading.requireShorter(
                Keys.OPERATION_TIMEOUT,
                settings.operationTimeout(),
                Keys.CLOSE_TIMEOUT,
                settings.closeTimeout(),
                "closing waits for the operations that still run");
        reading.requireShorter(
                Keys.HEARTBEAT_INTERVAL,
                settings.heartbeat().interval(),
                Keys.FORM_TIMEOUT,
                settings.cluster().formTimeout(),
                "a rank must say hello before the others stop waiting for it");
    }
}
