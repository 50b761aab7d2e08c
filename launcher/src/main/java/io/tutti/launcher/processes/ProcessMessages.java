package io.tutti.launcher.processes;

import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.processes.ProcessMessage.Agreed;
import io.tutti.launcher.processes.ProcessMessage.Answered;
import io.tutti.launcher.processes.ProcessMessage.Asked;
import io.tutti.launcher.processes.ProcessMessage.Checked;
import io.tutti.launcher.processes.ProcessMessage.Dismissed;
import io.tutti.launcher.processes.ProcessMessage.Failed;
import io.tutti.launcher.processes.ProcessMessage.FromProcess;
import io.tutti.launcher.processes.ProcessMessage.Job;
import io.tutti.launcher.processes.ProcessMessage.PeerOver;
import io.tutti.launcher.processes.ProcessMessage.Progressed;
import io.tutti.launcher.processes.ProcessMessage.Started;
import io.tutti.launcher.processes.ProcessMessage.ToProcess;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.RunResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Messages as lines of JSON and back. A line that is no message is not an error: a JVM in trouble writes to stdout what
 * it likes, and its words belong into the log.
 */
final class ProcessMessages {

    /** The name that a message's kind has, and the mark by which a line is known as one. */
    private static final String KIND = "tutti";

    private ProcessMessages() {}

    /** One line, not ended. */
    static String encode(ProcessMessage message) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        if (message instanceof Job job) {
            fields.put(KIND, "job");
            fields.put("version", job.version());
            fields.put("process", job.process());
            fields.put("seed", job.seed());
            fields.put("worldSizes", job.worldSizes());
            fields.put("ranks", job.ranks());
        } else if (message instanceof Agreed agreed) {
            fields.put(KIND, "agreed");
            fields.put("communicator", agreed.communicator());
        } else if (message instanceof Asked asked) {
            fields.put(KIND, "asked");
            fields.put("question", asked.question());
        } else if (message instanceof Dismissed) {
            fields.put(KIND, "dismissed");
        } else if (message instanceof PeerOver over) {
            fields.put(KIND, "peerOver");
            fields.put("how", over.how());
        } else if (message instanceof Started started) {
            fields.put(KIND, "started");
            fields.put("identity", started.identity());
            fields.put("address", started.address());
        } else if (message instanceof Progressed progressed) {
            fields.put(KIND, "progressed");
            fields.put("what", progressed.what());
            fields.put("done", progressed.done());
            fields.put("total", progressed.total());
        } else if (message instanceof Checked checked) {
            fields.put(KIND, "checked");
            fields.put("result", result(checked.result()));
        } else if (message instanceof Answered answered) {
            fields.put(KIND, "answered");
            fields.put("answer", answered.answer());
        } else if (message instanceof Failed failed) {
            fields.put(KIND, "failed");
            fields.put("error", error(failed.error()));
        }
        return JsonLine.write(fields);
    }

    /** The launcher's message in a line, or empty when the line is none. */
    static Optional<ToProcess> decodeToProcess(String line) {
        return fields(line).map(fields -> switch (fields.text(KIND)) {
            case "job" ->
                new Job(
                        fields.integer("version"),
                        fields.integer("process"),
                        fields.text("seed"),
                        byName(fields.object("worldSizes"), JsonFields::integer),
                        byName(fields.object("ranks"), JsonFields::integers));
            case "agreed" -> new Agreed(fields.text("communicator"));
            case "asked" -> new Asked(fields.text("question"));
            case "dismissed" -> new Dismissed();
            case "peerOver" -> new PeerOver(fields.text("how"));
            default -> throw unknown(line);
        });
    }

    /** A rank process's message in a line, or empty when the line is none. */
    static Optional<FromProcess> decodeFromProcess(String line) {
        return fields(line).map(fields -> switch (fields.text(KIND)) {
            case "started" -> new Started(fields.text("identity"), fields.text("address"));
            case "progressed" -> new Progressed(fields.text("what"), fields.number("done"), fields.number("total"));
            case "checked" -> new Checked(result(fields.object("result")));
            case "answered" -> new Answered(fields.text("answer"));
            case "failed" -> new Failed(error(fields.object("error")));
            default -> throw unknown(line);
        });
    }

    private static Optional<JsonFields> fields(String line) {
        return line.startsWith("{\"" + KIND + "\":") ? Optional.of(JsonLine.read(line)) : Optional.empty();
    }

    private static IllegalArgumentException unknown(String line) {
        return new IllegalArgumentException("unknown message: " + line);
    }

    private static <T> Map<String, T> byName(JsonFields fields, BiFunction<JsonFields, String, T> value) {
        Map<String, T> result = new LinkedHashMap<>();
        fields.names().forEach(name -> result.put(name, value.apply(fields, name)));
        return result;
    }

    private static Map<String, @Nullable Object> error(ErrorInfo error) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("code", error.code().name());
        fields.put("rank", error.rank());
        fields.put("call", error.call());
        fields.put("result", error.result());
        fields.put("message", error.message());
        fields.put("advice", error.advice());
        return fields;
    }

    private static ErrorInfo error(JsonFields fields) {
        return new ErrorInfo(
                ErrorCode.valueOf(fields.text("code")),
                fields.optionalInteger("rank"),
                fields.optionalText("call"),
                fields.optionalText("result"),
                fields.text("message"),
                fields.text("advice"));
    }

    private static Map<String, @Nullable Object> result(RunResult.CommunicatorResult result) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("name", result.name());
        fields.put("worldSize", result.worldSize());
        fields.put("epoch", result.epoch());
        fields.put("path", result.path().name());
        fields.put("handleKinds", result.handleKinds().stream().map(Enum::name).toList());
        fields.put(
                "rejected",
                result.rejected().stream().map(ProcessMessages::rejected).toList());
        fields.put("restarts", result.restarts());
        fields.put("downgrades", result.downgrades());
        fields.put("operations", operations(result.operations()));
        return fields;
    }

    private static RunResult.CommunicatorResult result(JsonFields fields) {
        return new RunResult.CommunicatorResult(
                fields.text("name"),
                fields.integer("worldSize"),
                fields.number("epoch"),
                PathKind.valueOf(fields.text("path")),
                fields.texts("handleKinds").stream().map(HandleKind::valueOf).toList(),
                fields.objects("rejected").stream()
                        .map(ProcessMessages::rejected)
                        .toList(),
                fields.integer("restarts"),
                fields.integer("downgrades"),
                operations(fields.object("operations")));
    }

    private static Map<String, @Nullable Object> rejected(RejectedPath row) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("path", row.path().name());
        fields.put("rank", row.rank());
        fields.put("stage", row.stage());
        fields.put("call", row.call());
        fields.put("result", row.result());
        fields.put("advice", row.advice());
        return fields;
    }

    private static RejectedPath rejected(JsonFields fields) {
        return new RejectedPath(
                PathKind.valueOf(fields.text("path")),
                fields.optionalInteger("rank"),
                fields.text("stage"),
                fields.optionalText("call"),
                fields.optionalText("result"),
                fields.text("advice"));
    }

    // Floating-point numbers travel as text: JSON has no word for some of them.
    private static Map<String, @Nullable Object> operations(RunResult.OperationsResult result) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("epilogue", result.operation().epilogue().name());
        fields.put("eps", Float.toString(result.operation().eps()));
        fields.put("iterations", result.operation().iterations());
        fields.put("tokens", result.shape().tokens());
        fields.put("hidden", result.shape().hidden());
        fields.put("dtype", result.shape().dtype().name());
        fields.put("failed", result.failed());
        fields.put("maxRelativeError", Double.toString(result.maxRelativeError()));
        fields.put("bitIdentical", result.bitIdentical());
        fields.put("outputSha256", result.outputSha256());
        fields.put("medianMicros", Double.toString(result.medianMicros()));
        return fields;
    }

    private static RunResult.OperationsResult operations(JsonFields fields) {
        return new RunResult.OperationsResult(
                new Operation(
                        Epilogue.valueOf(fields.text("epilogue")),
                        Float.parseFloat(fields.text("eps")),
                        fields.integer("iterations")),
                new OperationShape(
                        fields.number("tokens"), fields.integer("hidden"), DType.valueOf(fields.text("dtype"))),
                fields.integer("failed"),
                Double.parseDouble(fields.text("maxRelativeError")),
                fields.flag("bitIdentical"),
                fields.text("outputSha256"),
                Double.parseDouble(fields.text("medianMicros")));
    }
}
