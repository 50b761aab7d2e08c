package io.tutti.config;

import com.typesafe.config.Config;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.cuda.CudaBinding;
import io.tutti.gpu.plan.Policy;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Everything under {@code tutti}, parsed once at start; {@code reference.conf} says what each setting means. Immutable.
 *
 * @param driver which driver to use
 * @param topology name or file of the emulated topology
 * @param hostDriver what the host driver emulates
 * @param cudaBinding which library carries the CUDA driver's calls
 * @param cluster the cluster to form or join
 * @param communicators by name, sorted; at least one
 * @param paths allowed paths, after the environment's say; at least one
 * @param forbiddenPaths every other path of this build, with what forbids it, in words
 * @param handleKinds allowed handle kinds; at least one
 * @param algorithm the algorithm to use, or empty to choose by size
 * @param workspaceBytes budget of one rank's workspace in bytes, or empty to derive it from the world size
 * @param stageTimeouts deadlines of forming an epoch
 * @param probeFactor how many times slower than promised a link may be in the timed probe
 * @param operationTimeout how long a kernel waits for its peers
 * @param heartbeat contact between ranks and coordinator
 * @param closeTimeout how long closing may take
 * @param shareDevices whether several ranks may use one device
 * @param inject rules of faults to inject into the host driver, as text
 * @param insecure whether cluster traffic may leave the machine without TLS
 */
public record TuttiSettings(
        DriverChoice driver,
        String topology,
        HostDriverSettings hostDriver,
        CudaBinding cudaBinding,
        ClusterSettings cluster,
        List<CommunicatorSettings> communicators,
        Set<PathKind> paths,
        Map<PathKind, String> forbiddenPaths,
        Set<HandleKind> handleKinds,
        Optional<Algorithm> algorithm,
        OptionalLong workspaceBytes,
        StageTimeouts stageTimeouts,
        int probeFactor,
        Duration operationTimeout,
        HeartbeatSettings heartbeat,
        Duration closeTimeout,
        boolean shareDevices,
        List<String> inject,
        boolean insecure) {

    /** The topology that stands for this machine. */
    public static final String LOCAL = "local";

    public TuttiSettings {
        communicators = List.copyOf(communicators);
        paths = sorted(PathKind.class, paths);
        forbiddenPaths = Collections.unmodifiableMap(new TreeMap<>(forbiddenPaths));
        handleKinds = sorted(HandleKind.class, handleKinds);
        inject = List.copyOf(inject);
    }

    /**
     * The settings in a configuration and in this process's environment. What the configuration leaves out comes from
     * {@code reference.conf}.
     *
     * @throws ConfigurationException naming every mistake in it
     */
    public static TuttiSettings load(Config config) {
        return load(config, System.getenv());
    }

    /** The same with the given environment variables. */
    public static TuttiSettings load(Config config, Map<String, String> environment) {
        return SettingsLoading.load(config, environment);
    }

    /** Whether they ask for something that only the host driver has: another topology, or faults. */
    public boolean emulates() {
        return !topology.equals(LOCAL) || !inject.isEmpty();
    }

    /** What these settings allow the planner. */
    public Policy policy() {
        return new Policy(paths, handleKinds, algorithm, workspaceBytes.orElse(0), shareDevices);
    }

    /** The communicator of that name, if there is one. */
    public Optional<CommunicatorSettings> communicator(String name) {
        return communicators.stream()
                .filter(communicator -> communicator.name().equals(name))
                .findFirst();
    }

    /** Ranks of the largest communicator. */
    public int largestWorld() {
        return communicators.stream()
                .mapToInt(CommunicatorSettings::worldSize)
                .max()
                .orElse(0);
    }

    private static <E extends Enum<E>> Set<E> sorted(Class<E> type, Set<E> values) {
        Set<E> copy = EnumSet.noneOf(type);
        copy.addAll(values);
        return Collections.unmodifiableSet(copy);
    }
}
