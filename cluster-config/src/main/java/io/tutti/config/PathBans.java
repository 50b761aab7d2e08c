package io.tutti.config;

import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.PathPlanner;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Which paths the site forbids, and what says so: the setting, or the environment variable that NCCL users know. */
final class PathBans {

    static final String NVLS_VARIABLE = "NCCL_NVLS_ENABLE";

    private PathBans() {}

    /** Every path of this build that may not be taken, with what forbids it, in words. */
    static Map<PathKind, String> of(Set<PathKind> written, Reading reading, Map<String, String> environment) {
        Map<PathKind, String> bans = new EnumMap<>(PathKind.class);
        for (PathKind path : PathPlanner.paths()) {
            if (!written.contains(path)) {
                bans.put(path, Keys.PATHS + " (" + reading.place(Keys.PATHS) + ")");
            } else if (path == PathKind.NVLS && "0".equals(environment.get(NVLS_VARIABLE))) {
                bans.put(path, NVLS_VARIABLE + "=0 in the environment");
            }
        }
        return bans;
    }

    static Set<PathKind> allowed(Map<PathKind, String> bans) {
        Set<PathKind> allowed = EnumSet.copyOf(PathPlanner.paths());
        allowed.removeAll(bans.keySet());
        return allowed;
    }
}
