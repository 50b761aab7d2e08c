package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.io.InputStream;
import java.util.function.Supplier;

/**
 * What the surroundings give to both ends of a run in several processes.
 *
 * @param jvm how to start this program once more
 * @param nodes starts the launcher's seat in the cluster
 * @param stdin where a rank process hears its launcher
 * @param halt ends this process at once
 */
public record RankProcessSupport(
        Supplier<JvmCommand> jvm, LauncherNode.Starter nodes, InputStream stdin, Runnable halt) {

    /** For a command line that is no process of its own, so that there is nothing to start once more. */
    public static RankProcessSupport none() {
        return new RankProcessSupport(
                () -> {
                    throw refused();
                },
                config -> {
                    throw refused();
                },
                InputStream.nullInputStream(),
                () -> {});
    }

    private static TuttiException refused() {
        return new TuttiException(ErrorInfo.of(
                ErrorCode.USAGE,
                "this program cannot start itself again in another process",
                "Leave --processes out, or use the program tutti."));
    }
}
