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
}
