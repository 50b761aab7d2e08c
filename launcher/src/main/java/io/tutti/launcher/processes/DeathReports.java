package io.tutti.launcher.processes;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells the cluster of each process that ended badly, once, as soon as its name in the cluster and its end are both
 * known, which may be in either order. One that ended well has left the cluster itself. Thread-safe.
 */
final class DeathReports {

    private final LauncherNode cluster;
    private final Map<Integer, ProcessMessage.Started> names = new HashMap<>();
    private final Map<Integer, String> ends = new HashMap<>();

    DeathReports(LauncherNode cluster) {
        this.cluster = cluster;
    }

    synchronized void started(int process, ProcessMessage.Started name) {
        if (names.put(process, name) == null) {
            report(name, ends.get(process));
        }
    }

    synchronized void ended(int process, int exitValue) {
        if (exitValue != 0 && ends.put(process, ExitCause.describe(exitValue)) == null) {
            report(names.get(process), ends.get(process));
        }
    }

    private void report(ProcessMessage.@Nullable Started name, @Nullable String how) {
        if (name != null && how != null) {
            cluster.processExited(name.identity(), how, name.address());
        }
    }
}
