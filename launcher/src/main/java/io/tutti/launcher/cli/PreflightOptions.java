package io.tutti.launcher.cli;

import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.launcher.files.TargetFile;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.logging.StderrLogging;
import io.tutti.launcher.run.RunRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a preflight is to look at: what the command takes, and in the same words each of its rank processes. */
final class PreflightOptions {

    /** What a rank process has to answer. */
    static final String QUESTION = "preflight";

    /** Nothing is run, so that any shape bounds the waits. */
    private static final OperationShape NOTHING = new OperationShape(1, 8, io.tutti.gpu.DType.FP32);

    @Mixin
    ClusterOptions cluster;

    @Option(
            names = "--save-facts",
            paramLabel = "FILE",
            order = 50,
            description =
                    "Write the facts of all ranks to this JSON file, also when no path works; tutti plan --facts FILE"
                            + " answers from them anywhere.")
    @Nullable
    Path saveFacts;

    @Mixin
    ReportOptions report;

    /** Chooses the log's detail; has to come before anything logs. */
    void startLogging() {
        StderrLogging.setVerbose(report.verbose());
    }

    /** Everything that can be wrong about the request is found here, before anything starts. */
    DriverDecision decide(Map<String, String> environment, Placement placement) {
        if (saveFacts != null && !(placement instanceof Placement.Share)) {
            TargetFile.check(saveFacts);
        }
        DriverDecision decision = DriverDecision.of(cluster, placement.overrides(), environment);
        if (placement instanceof Placement.Here) {
            HostingRules.checkAllHere("preflight", decision.settings());
            decision.checkDevices();
        } else if (placement instanceof Placement.Elsewhere) {
            HostingRules.checkProcesses(cluster.processes(), decision.settings());
            decision.checkDevices();
        }
        return decision;
    }

    static List<String> communicators(TuttiSettings settings) {
        return settings.communicators().stream().map(CommunicatorSettings::name).toList();
    }

    static RunRequest.Limits limits(TuttiSettings settings) {
        return RunLimits.of(settings, NOTHING);
    }

    static OperationShape nothing() {
        return NOTHING;
    }
}
