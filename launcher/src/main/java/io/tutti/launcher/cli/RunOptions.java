package io.tutti.launcher.cli;

import io.tutti.launcher.logging.StderrLogging;
import java.util.Map;
import picocli.CommandLine.Mixin;

/** Everything that says what a run is to be: what the command takes, and in the same words each of its rank processes. */
final class RunOptions {

    @Mixin
    ClusterOptions cluster;

    @Mixin
    OperationOptions operation;

    @Mixin
    FileOptions files;

    @Mixin
    ReportOptions report;

    /** Chooses the log's detail; has to come before anything logs. */
    void startLogging() {
        StderrLogging.setVerbose(report.verbose);
    }

    /** What leads from these options to a decided run. */
    RunPreparation preparation(Map<String, String> environment, Placement placement) {
        return new RunPreparation(this, environment, placement);
    }
}
