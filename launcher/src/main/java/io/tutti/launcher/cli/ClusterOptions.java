package io.tutti.launcher.cli;

import com.typesafe.config.Config;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.ConfigLoader;
import io.tutti.config.ConfigOverride;
import io.tutti.config.DriverChoice;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that are settings: each overrides a key of the configuration. */
public final class ClusterOptions {

    private static final String WORLD_SIZE = "tutti.communicators.*.world-size";
    private static final String DEFAULT_WORLD_SIZE = "tutti.communicator-defaults.world-size";

    private static final String DRIVER = "tutti.driver";

    /** Processes have to start and find each other, however soon an operation is to give up. */
    private static final Duration SHORTEST_FORMING = Duration.ofSeconds(10);

    private static final String PEKKO_HOOK = "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            order = 10,
            description = "Read settings from this HOCON file. Options win over it.")
    @Nullable
    Path config;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            order = 11,
            description = "Start from a named set of settings; an unknown name lists them.")
    @Nullable
    String profile;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            order = 12,
            converter = OptionTypes.Ranks.class,
            description =
                    "Ranks of each communicator, 1 to 72. Default: what the configuration says, else one per device; 4 on the"
                            + " host driver.")
    @Nullable
    Integer ranks;

    @Option(
            names = "--processes",
            paramLabel = "N",
            order = 12,
            converter = OptionTypes.Ranks.class,
            description =
                    "Processes of this machine that host the ranks, in contiguous blocks, joined over the loopback"
                            + " interface; 1 to the number of ranks. Default: 1, this one.")
    @Nullable
    Integer processes;

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            order = 13,
            converter = OptionTypes.Driver.class,
            description = "auto, cuda or host. cuda uses the NVIDIA GPUs of this machine, host emulates devices in host"
                    + " memory; auto takes cuda where it works. Default: auto.")
    @Nullable
    String driver;

    @Option(
            names = "--topology",
            paramLabel = "NAME|FILE",
            order = 14,
            description =
                    "What the host driver emulates; it implies that driver. local (as many devices as ranks), h200-2, h200-8,"
                            + " h200-8-no-imex, h100-nvl-2, pcie-4, single, mig, or a file. Default: local.")
    @Nullable
    String topology;

    @Option(
            names = "--path",
            paramLabel = "NAME",
            order = 15,
            converter = OptionTypes.Path.class,
            description = "Allow only this path, nvls or p2p. Default: the best that works.")
    @Nullable
    PathKind path;

    @Option(
            names = "--handles",
            paramLabel = "LIST",
            order = 16,
            split = ",",
            splitSynopsisLabel = "",
            converter = OptionTypes.Handle.class,
            description = "Allow only these handle kinds: in-process, posix-fd, fabric, legacy-ipc. Default: all.")
    @Nullable
    List<HandleKind> handles;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            order = 17,
            converter = OptionTypes.AlgorithmName.class,
            description = "auto, one-shot or two-shot; all give the same bits. Default: auto, by size.")
    @Nullable
    String algorithm;

    @Option(
            names = "--inject",
            paramLabel = "RULE",
            order = 18,
            description =
                    "Make a call of the host driver fail; it implies that driver and may be given several times. Example: 'rank=2"
                            + " call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1'. call and result are needed; no rank"
                            + " means every rank, no times means always.")
    List<String> inject = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            order = 19,
            converter = OptionTypes.Timeout.class,
            description = "How long an operation waits for a rank, and a communicator for its members (10 s at least),"
                    + " such as 500ms, 30s or 2m. Default: what the configuration says, else 10s and 60s.")
    @Nullable
    Duration timeout;

    /** Reads the configuration with these options over it; {@code more} settings win over theirs. */
    public Config load(List<ConfigOverride> more, Map<String, String> environment) {
        return ConfigLoader.load(
                Optional.ofNullable(config), Optional.ofNullable(profile), overrides(more), environment);
    }

    /** How many processes are to host the ranks. */
    public int processes() {
        return Objects.requireNonNullElse(processes, 1);
    }

    /** An option that says where ranks are, if one was given. */
    Optional<String> placing() {
        return hostImplied()
                .or(() -> Optional.ofNullable(ranks).map(given -> "--ranks"))
                .or(() -> Optional.ofNullable(processes).map(given -> "--processes"));
    }

    /** Whether somebody said how many processes there are. */
    boolean setsProcesses() {
        return processes != null;
    }

    /**
     * One rank per device, where neither an option nor the configuration says how many ranks there are.
     *
     * @param config what {@link #load} gave
     * @param origin whose devices they are, in words
     */
    Optional<ConfigOverride> rankPerDevice(Config config, int devices, String origin) {
        return ranks == null && ConfigLoader.isDefault(config, DEFAULT_WORLD_SIZE)
                ? Optional.of(new ConfigOverride(
                        DEFAULT_WORLD_SIZE, Math.min(devices, CommunicatorSettings.MAX_WORLD_SIZE), origin))
                : Optional.empty();
    }

    private List<ConfigOverride> overrides(List<ConfigOverride> more) {
        List<ConfigOverride> overrides = new ArrayList<>();
        add(overrides, DRIVER, driver, "--driver");
        hostImplied().ifPresent(option -> {
            if (driver == null) {
                add(overrides, DRIVER, DriverChoice.HOST.wireName(), option);
            } else if (driver.equals(DriverChoice.CUDA.wireName())) {
                throw Usage.mistake(
                        "option " + option + " needs the host driver, which alone emulates: --driver=" + driver,
                        "Leave " + option + " out, or give --driver host.");
            }
        });
        add(overrides, "tutti.topology", topology, "--topology");
        add(overrides, "tutti.paths", path == null ? null : List.of(path.wireName()), "--path");
        add(
                overrides,
                "tutti.handle-kinds",
                handles == null
                        ? null
                        : handles.stream().map(HandleKind::wireName).toList(),
                "--handles");
        add(overrides, "tutti.algorithm", algorithm, "--algorithm");
        add(overrides, "tutti.inject", inject.isEmpty() ? null : inject, "--inject");
        if (timeout != null) {
            add(overrides, "tutti.operation.timeout", timeout.toMillis() + " ms", "--timeout");
            add(overrides, "tutti.cluster.form-timeout", forming(timeout).toMillis() + " ms", "--timeout");
        }
        add(overrides, WORLD_SIZE, ranks, "--ranks");
        overrides.addAll(more);
        overrides.add(closedByTheCommand());
        return overrides;
    }

    /** On a signal a command itself closes, in order; Pekko's own hook would take the actors away under it. */
    public static ConfigOverride closedByTheCommand() {
        return new ConfigOverride(PEKKO_HOOK, "off", "the command line");
    }

    /** The option by which something is to be emulated. */
    private Optional<String> hostImplied() {
        if (topology != null) {
            return Optional.of("--topology");
        }
        return inject.isEmpty() ? Optional.empty() : Optional.of("--inject");
    }

    private static Duration forming(Duration timeout) {
        return timeout.compareTo(SHORTEST_FORMING) < 0 ? SHORTEST_FORMING : timeout;
    }

    /** A world size that a file dictates. */
    static ConfigOverride worldSize(int ranks, String origin) {
        return new ConfigOverride(WORLD_SIZE, ranks, origin);
    }

    private static void add(List<ConfigOverride> overrides, String key, @Nullable Object value, String option) {
        if (value != null) {
            overrides.add(new ConfigOverride(key, value, "option " + option));
        }
    }
}
