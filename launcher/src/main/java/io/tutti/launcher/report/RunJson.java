package io.tutti.launcher.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tutti.gpu.HandleKind;
import io.tutti.launcher.run.RunResult;
import java.io.IOException;

/** The result of {@code run} as JSON. */
public final class RunJson {

    private RunJson() {}

    /** One line. */
    public static String of(RunResult result, RunSetting setting) {
        return Json.object(out -> {
            out.writeStringField("command", "run");
            out.writeStringField("driver", setting.driver());
            out.writeStringField("topology", setting.topology());
            out.writeArrayFieldStart("communicators");
            for (RunResult.CommunicatorResult communicator : result.communicators()) {
                communicator(out, communicator, setting);
            }
            out.writeEndArray();
        });
    }

    private static void communicator(JsonGenerator out, RunResult.CommunicatorResult communicator, RunSetting setting)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("name", communicator.name());
        out.writeNumberField("worldSize", communicator.worldSize());
        out.writeNumberField("processes", setting.processes());
        out.writeNumberField("epoch", communicator.epoch());
        out.writeStringField("path", communicator.path().wireName());
        out.writeArrayFieldStart("handleKinds");
        for (HandleKind kind : communicator.handleKinds()) {
            out.writeString(kind.wireName());
        }
        out.writeEndArray();
        RejectedRows.write(out, communicator.rejected());
        out.writeNumberField("restarts", communicator.restarts());
        out.writeNumberField("downgrades", communicator.downgrades());
        out.writeObjectFieldStart("operations");
        operations(out, communicator.operations());
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void operations(JsonGenerator out, RunResult.OperationsResult operations) throws IOException {
        out.writeNumberField("count", operations.operation().iterations());
        out.writeNumberField("failed", operations.failed());
        out.writeNumberField("tokens", operations.shape().tokens());
        out.writeNumberField("hidden", operations.shape().hidden());
        out.writeStringField("dtype", operations.shape().dtype().wireName());
        out.writeStringField("epilogue", operations.operation().epilogue().wireName());
        Json.number(out, "maxRelativeError", operations.maxRelativeError());
        out.writeBooleanField("bitIdenticalAcrossRanks", operations.bitIdentical());
        out.writeStringField("outputSha256", operations.outputSha256());
        Json.number(out, "medianMicros", operations.medianMicros());
    }
}
