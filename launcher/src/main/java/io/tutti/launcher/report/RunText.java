package io.tutti.launcher.report;

import io.tutti.gpu.HandleKind;
import io.tutti.launcher.run.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The result of {@code run} for people. */
public final class RunText {

    private static final String LINE = "  %-11s %s%n";

    private RunText() {}

    /** Lines, the last one ended. */
    public static String of(RunResult result, RunSetting setting) {
        return result.communicators().stream()
                .map(communicator -> communicator(communicator, setting))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String communicator(RunResult.CommunicatorResult communicator, RunSetting setting) {
        StringBuilder text = new StringBuilder();
        text.append(String.format("communicator %s%n", communicator.name()));
        line(
                text,
                "world",
                count(communicator.worldSize(), "rank", "ranks") + " in "
                        + count(setting.processes(), "process", "processes") + ", driver " + setting.driver()
                        + ", topology "
                        + setting.topology());
        setting.passedOver().ifPresent(why -> line(text, "not cuda", why.message()));
        line(
                text,
                "epoch",
                communicator.epoch() + ", " + count(communicator.restarts(), "restart", "restarts") + ", "
                        + count(communicator.downgrades(), "downgrade", "downgrades"));
        line(text, "path", path(communicator));
        communicator.rejected().forEach(row -> {
            boolean taken = row.path() == communicator.path();
            line(text, taken ? "handles" : "not " + row.path().wireName(), RejectedRows.describe(row));
        });
        operations(text, communicator.operations(), communicator.worldSize());
        return text.toString();
    }

    private static String path(RunResult.CommunicatorResult communicator) {
        List<String> kinds =
                communicator.handleKinds().stream().map(HandleKind::wireName).toList();
        String means = kinds.isEmpty() ? "" : " over " + String.join(", ", kinds) + " handles";
        return communicator.path().wireName() + means + ": the best path that all ranks can use";
    }

    private static void operations(StringBuilder text, RunResult.OperationsResult operations, int worldSize) {
        line(
                text,
                "operations",
                operations.operation().iterations() + " × " + operations.shape().describe() + " "
                        + operations.operation().epilogue().wireName() + ", " + operations.failed() + " failed, median "
                        + String.format(Locale.ROOT, "%.1f µs", operations.medianMicros()));
        line(
                text,
                "check",
                "every element has the expected bits on " + count(worldSize, "rank", "ranks") + ", "
                        + (operations.bitIdentical() ? "bit-identical" : "NOT bit-identical")
                        + " across ranks, max relative error "
                        + String.format(Locale.ROOT, "%.3g", operations.maxRelativeError()));
        line(text, "sha256", operations.outputSha256());
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(LINE, name, value));
    }

    private static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}
