package io.tutti.benchmarks.peer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How the peer is started so that it is at its best on one machine, and leaves nothing behind. */
final class OpenMpiCommand {

    /** Removes the scratch folder whoever ended first: this process may be gone by then. */
    private static final String SHELL = "trap : HUP INT TERM; \"$@\"; status=$?; rm -rf \"$TMPDIR\"; exit $status";

    private OpenMpiCommand() {}

    /**
     * The command line.
     *
     * @param cores processors that the ranks may use
     * @param scratch where Open MPI keeps its files while it runs
     */
    static List<String> of(Path mpirun, Path program, int ranks, int cores, Path scratch) {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", SHELL, "mpirun", mpirun.toString(), "--allow-run-as-root"));
        if (ranks <= cores) {
            command.addAll(List.of("--map-by", "core", "--bind-to", "core"));
        } else {
            // Waiting ranks then yield, and the scheduler places them better than fixed pairs would.
            command.addAll(List.of("--oversubscribe", "--bind-to", "none"));
        }
        mca(command, "pml", "ob1");
        mca(command, "btl", "self,vader");
        // No other machine takes part, so no remote shell is looked for.
        mca(command, "plm", "isolated");
        mca(command, "btl_vader_backing_directory", scratch.toString());
        mca(command, "osc_sm_backing_directory", scratch.toString());
        command.addAll(List.of("-n", Integer.toString(ranks), program.toString(), "--serve"));
        return command;
    }

    private static void mca(List<String> command, String name, String value) {
        command.addAll(List.of("--mca", name, value));
    }

    /** The environment it runs in. */
    static Map<String, String> environment(Map<String, String> base, Path scratch) {
        Map<String, String> environment = new HashMap<>(base);
        environment.put("TMPDIR", scratch.toString());
        return environment;
    }
}
