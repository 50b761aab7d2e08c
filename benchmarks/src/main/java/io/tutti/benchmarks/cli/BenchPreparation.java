package io.tutti.benchmarks.cli;

import com.typesafe.config.Config;
import io.tutti.benchmarks.measure.BenchRequest;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.ConfigOverride;
import io.tutti.config.TuttiSettings;
import io.tutti.launcher.cli.ClusterOptions;
import io.tutti.launcher.cli.DriverDecision;
import io.tutti.launcher.cli.HostingRules;
import io.tutti.launcher.cli.Placement;
import io.tutti.launcher.cli.RunLimits;
import io.tutti.launcher.cli.Usage;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.run.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A decided benchmark. Everything that can be wrong about it is found before anything starts.
 *
 * @param decision what to start the runtime with, and on which devices
 * @param communicator the one that is measured
 */
record BenchPreparation(DriverDecision decision, CommunicatorSettings communicator, BenchRequest request) {

    private static final String BIND_THREADS = "tutti.host-driver.bind-threads";

    /** @throws io.tutti.gpu.TuttiException with code USAGE or CONFIGURATION */
    static BenchPreparation of(
            ClusterOptions cluster, BenchOptions bench, Map<String, String> environment, Placement placement) {
        DriverDecision decision = DriverDecision.of(cluster, overrides(cluster, placement, environment), environment);
        TuttiSettings settings = decision.settings();
        if (settings.communicators().size() != 1) {
            throw Usage.mistake(
                    "bench measures one communicator, but several are configured: communicators="
                            + settings.communicators().stream()
                                    .map(CommunicatorSettings::name)
                                    .toList(),
                    "Configure one communicator, for example with another --config or --profile.");
        }
        CommunicatorSettings communicator = settings.communicators().get(0);
        BenchPreparation prepared = new BenchPreparation(decision, communicator, bench.request(communicator.name()));
        if (placement instanceof Placement.Here) {
            HostingRules.checkAllHere("bench", settings);
            prepared.checkRoom();
        } else if (placement instanceof Placement.Elsewhere) {
            HostingRules.checkProcesses(cluster.processes(), settings);
            prepared.checkRoom();
        }
        return prepared;
    }

    /** Binds threads as the peers bind theirs, unless the user has said what to do. */
    private static List<ConfigOverride> overrides(
            ClusterOptions cluster, Placement placement, Map<String, String> environment) {
        List<ConfigOverride> overrides = new ArrayList<>(placement.overrides());
        Config configured = cluster.load(overrides, environment);
        if ("reference.conf".equals(configured.getValue(BIND_THREADS).origin().resource())) {
            overrides.add(new ConfigOverride(BIND_THREADS, true, "bench"));
        }
        return overrides;
    }

    private void checkRoom() {
        decision.checkDevices();
        for (OperationShape shape : request.shapes()) {
            decision.checkMemory(shape, request.setting().epilogue());
        }
    }

    Config config() {
        return decision.config();
    }

    TuttiSettings settings() {
        return decision.settings();
    }

    String driver() {
        return decision.survey().driver();
    }

    RunRequest.Limits limits(OperationShape shape) {
        return RunLimits.of(decision.settings(), shape);
    }

    /** Of the shape whose operations may take longest. */
    RunRequest.Limits longestLimits() {
        return request.shapes().stream()
                .map(this::limits)
                .reduce((one, other) -> one.operation().compareTo(other.operation()) >= 0 ? one : other)
                .orElseThrow();
    }
}
