package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorInfo;
import io.tutti.launcher.run.RunResult;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the launcher and a rank process tell each other, a line each, on the rank process's stdin and stdout. There is no
 * message for the end: a rank process ends when its stdin does, whether the launcher closed it or died.
 */
public sealed interface ProcessMessage {

    /** Both ends run the same program; another number means that the files changed in between. */
    int VERSION = 2;

    /** From the launcher. */
    sealed interface ToProcess extends ProcessMessage permits Job, Agreed, Asked, Dismissed, PeerOver {}

    /** From a rank process. */
    sealed interface FromProcess extends ProcessMessage permits Started, Progressed, Checked, Answered, Failed {}

    /**
     * What only the launcher knows; everything else is on the rank process's command line.
     *
     * @param version of this conversation
     * @param process the number of the rank process, from 0
     * @param seed the cluster member to join, as {@code host:port}
     * @param worldSizes how many ranks each communicator has
     * @param ranks the ranks to host, by communicator
     */
    record Job(int version, int process, String seed, Map<String, Integer> worldSizes, Map<String, List<Integer>> ranks)
            implements ToProcess {
        public Job {
            Objects.requireNonNull(seed, "seed");
            worldSizes = Map.copyOf(worldSizes);
            ranks = Map.copyOf(ranks);
        }
    }

    /** Every process found its ranks' outputs right, and all alike. */
    record Agreed(String communicator) implements ToProcess {}

    /** Something to do that the command at hand understands; every one is answered. */
    record Asked(String question) implements ToProcess {}

    /** Nothing will be asked any more. */
    record Dismissed() implements ToProcess {}

    /**
     * Another rank process is over, so that there can be no result: nothing is worth waiting for any more.
     *
     * @param how which one, its ranks and how it ended, for people
     */
    record PeerOver(String how) implements ToProcess {}

    /**
     * The runtime is started and joins the cluster.
     *
     * @param identity the process as the cluster knows it
     * @param address where it is a member of the cluster, as {@code host:port}
     */
    record Started(String identity, String address) implements FromProcess {}

    /** How far the work is; told a few times a second. */
    record Progressed(String what, long done, long total) implements FromProcess {}

    /** This process's part of a communicator's operations is right. */
    record Checked(RunResult.CommunicatorResult result) implements FromProcess {}

    /** What was asked is done. */
    record Answered(String answer) implements FromProcess {}

    /** There will be no result from here. */
    record Failed(ErrorInfo error) implements FromProcess {}
}
