package io.tutti.benchmarks.cli;

import com.typesafe.config.Config;
import io.tutti.benchmarks.measure.BenchRequest;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.posix.MemoryLimits;
import io.tutti.launcher.cli.ClusterOptions;
import io.tutti.launcher.cli.HostingRules;
import io.tutti.launcher.cli.MemoryNeed;
import io.tutti.launcher.cli.Placement;
import io.tutti.launcher.cli.RunLimits;
import io.tutti.launcher.cli.Usage;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.RunRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A decided benchmark. Everything that can be wrong about it is found before anything starts.
 *
 * @param config what to start the runtime with
 * @param communicator the one that is measured
 * @param timeout what the user allows, or empty for the configured deadlines
 */
record BenchPreparation(
        Config config,
        TuttiSettings settings,
        CommunicatorSettings communicator,
        BenchRequest request,
        Optional<Duration> timeout) {

    /** @throws io.tutti.gpu.TuttiException with code USAGE or CONFIGURATION */
    static BenchPreparation of(
            ClusterOptions cluster, BenchOptions bench, Map<String, String> environment, Placement placement) {
        Config config = cluster.load(placement.overrides(), environment);
        TuttiSettings settings = TuttiSettings.load(config, environment);
        if (settings.communicators().size() != 1) {
            throw Usage.mistake(
                    "bench measures one communicator, but several are configured: communicators="
                            + settings.communicators().stream()
                                    .map(CommunicatorSettings::name)
                                    .toList(),
                    "Configure one communicator, for example with another --config or --profile.");
        }
        CommunicatorSettings communicator = settings.communicators().get(0);
        BenchPreparation prepared = new BenchPreparation(
                config, settings, communicator, bench.request(communicator.name()), cluster.timeout());
        if (placement instanceof Placement.Here) {
            HostingRules.checkAllHere("bench", settings);
            prepared.checkMemory();
        } else if (placement instanceof Placement.Elsewhere) {
            HostingRules.checkProcesses(cluster.processes(), settings);
            prepared.checkMemory();
        }
        return prepared;
    }

    private void checkMemory() {
        MemoryLimits.Available available = MemoryLimits.system().available();
        for (OperationShape shape : request.shapes()) {
            MemoryNeed.of(settings, shape, request.setting().epilogue()).check(available);
        }
    }

    RunRequest.Limits limits(OperationShape shape) {
        return RunLimits.of(settings, timeout, shape);
    }

    /** Of the shape whose operations may take longest. */
    RunRequest.Limits longestLimits() {
        return request.shapes().stream()
                .map(this::limits)
                .reduce((one, other) -> one.operation().compareTo(other.operation()) >= 0 ? one : other)
                .orElseThrow();
    }
}
