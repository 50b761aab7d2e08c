package io.tutti.launcher.cli;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;

/** Which communicators a command that hosts every rank itself can work with. */
public final class HostingRules {

    private HostingRules() {}

    /** @throws io.tutti.gpu.TuttiException with code USAGE when the configuration places a rank elsewhere */
    public static void checkAllHere(String command, TuttiSettings settings) {
        for (CommunicatorSettings communicator : settings.communicators()) {
            if (communicator.ranks().size() != communicator.worldSize()) {
                throw Usage.mistake(
                        command + " hosts all ranks in this process, but the configuration places only some of them"
                                + " here: communicator=" + communicator.name() + " worldSize="
                                + communicator.worldSize() + " ranks=" + communicator.ranks(),
                        "Set tutti.communicators." + communicator.name() + ".ranks to all.");
            }
        }
    }

    /**
     * Checks that every process gets a rank of every communicator.
     *
     * @throws io.tutti.gpu.TuttiException with code USAGE when one would have none, or this machine cannot do it
     */
    public static void checkProcesses(int processes, TuttiSettings settings) {
        for (CommunicatorSettings communicator : settings.communicators()) {
            if (processes > communicator.worldSize()) {
                throw Usage.mistake(
                        "more processes than ranks: --processes=" + processes + " communicator=" + communicator.name()
                                + " ranks=" + communicator.worldSize(),
                        "Give --processes from 1 to " + communicator.worldSize() + ", or more --ranks.");
            }
        }
        if (!System.getProperty("os.name").equals("Linux")) {
            throw Usage.mistake(
                    "several processes share memory in a way that only Linux knows: system="
                            + System.getProperty("os.name") + " --processes=" + processes,
                    "Leave --processes out.");
        }
    }
}
