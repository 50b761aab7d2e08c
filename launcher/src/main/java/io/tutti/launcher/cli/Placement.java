package io.tutti.launcher.cli;

import io.tutti.config.ConfigOverride;
import io.tutti.launcher.processes.ProcessMessage;
import java.util.ArrayList;
import java.util.List;

/** Where the ranks of a run live, as far as the process at hand is concerned, and the settings that follow from it. */
public sealed interface Placement {

    /** The role of the launcher's seat in the cluster, where the coordinators run. */
    String LAUNCHER_ROLE = "tutti-launcher";

    /**
     * How long a member may be silent before the cluster suspects it. The end of a process is seen by the launcher and by its
     * peers' sockets, so silence on one machine only means that the machine is busy, and a suspicion would end a good run.
     */
    String SILENCE = "60 s";

    /** All ranks in this process. */
    record Here() implements Placement {
        @Override
        public List<ConfigOverride> overrides() {
            return List.of();
        }
    }

    /** All ranks in other processes, of which this one is the launcher. */
    record Elsewhere() implements Placement {
        private static final String ORIGIN = "option --processes";

        @Override
        public List<ConfigOverride> overrides() {
            List<ConfigOverride> overrides = common(ORIGIN);
            overrides.add(new ConfigOverride("tutti.cluster.seed-nodes", List.of(), ORIGIN));
            overrides.add(new ConfigOverride("tutti.cluster.roles", List.of(LAUNCHER_ROLE), ORIGIN));
            overrides.add(new ConfigOverride("tutti.communicators.*.ranks", List.of(), ORIGIN));
            return overrides;
        }
    }

    /** This is a rank process, with its share of the ranks. */
    record Share(ProcessMessage.Job job) implements Placement {
        private static final String ORIGIN = "the launcher's job";

        @Override
        public boolean writesOutput() {
            return job.process() == 0;
        }

        @Override
        public List<ConfigOverride> overrides() {
            List<ConfigOverride> overrides = common(ORIGIN);
            overrides.add(new ConfigOverride("tutti.cluster.seed-nodes", List.of(job.seed()), ORIGIN));
            overrides.add(new ConfigOverride("tutti.cluster.roles", List.of(), ORIGIN));
            job.worldSizes()
                    .forEach((communicator, size) -> overrides.add(
                            new ConfigOverride("tutti.communicators." + communicator + ".world-size", size, ORIGIN)));
            job.ranks()
                    .forEach((communicator, ranks) -> overrides.add(
                            new ConfigOverride("tutti.communicators." + communicator + ".ranks", ranks, ORIGIN)));
            return overrides;
        }
    }

    /** Whether this process answers for the output file; of several, the one with the first ranks writes it. */
    default boolean writesOutput() {
        return true;
    }

    /** The settings that this placement dictates. */
    List<ConfigOverride> overrides();

    private static List<ConfigOverride> common(String origin) {
        List<ConfigOverride> overrides = new ArrayList<>();
        overrides.add(new ConfigOverride("tutti.cluster.host", "127.0.0.1", origin));
        overrides.add(new ConfigOverride("tutti.cluster.port", 0, origin));
        overrides.add(new ConfigOverride("tutti.cluster.coordinator-role", LAUNCHER_ROLE, origin));
        overrides.add(new ConfigOverride("pekko.cluster.failure-detector.acceptable-heartbeat-pause", SILENCE, origin));
        return overrides;
    }
}
