package io.tutti.launcher.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import io.tutti.gpu.plan.PlanHash;
import io.tutti.gpu.plan.PlanningResult;
import io.tutti.gpu.workspace.WorkspaceLayout;
import io.tutti.launcher.plan.CommunicatorPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The result of {@code plan} as JSON. */
public final class PlanJson {

    private PlanJson() {}

    /** One line. */
    public static String of(String topology, List<CommunicatorPlan> plans) {
        return Json.object(out -> {
            out.writeStringField("command", "plan");
            out.writeStringField("topology", topology);
            out.writeArrayFieldStart("communicators");
            for (CommunicatorPlan plan : plans) {
                communicator(out, plan);
            }
            out.writeEndArray();
        });
    }

    private static void communicator(JsonGenerator out, CommunicatorPlan plan) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", plan.name());
        out.writeNumberField("worldSize", plan.worldSize());
        out.writeNumberField("hosts", plan.hosts());
        out.writeNumberField("processes", plan.processes());
        if (plan.result() instanceof PlanningResult.Planned planned) {
            planned(out, planned.plan());
        } else {
            PlanningResult.Refused refused = (PlanningResult.Refused) plan.result();
            out.writeNullField("path");
            RejectedRows.write(out, refused.rejected());
            error(out, refused.error());
        }
        out.writeEndObject();
    }

    private static void planned(JsonGenerator out, EpochPlan plan) throws IOException {
        out.writeStringField("path", plan.path().wireName());
        handleKinds(out, plan.handleKinds());
        out.writeNumberField(
                "workspaceBytes", WorkspaceLayout.of(plan.workspace()).totalBytes());
        out.writeStringField("hash", PlanHash.of(plan, KernelAbi.VERSION));
        RejectedRows.write(out, plan.rejected());
    }

    /** The handle kind of each pair class, as the member {@code handleKinds} of an object. */
    static void handleKinds(JsonGenerator out, Map<PairClass, HandleKind> kinds) throws IOException {
        out.writeObjectFieldStart("handleKinds");
        for (Map.Entry<PairClass, HandleKind> kind : new TreeMap<>(kinds).entrySet()) {
            out.writeStringField(PlanText.words(kind.getKey()), kind.getValue().wireName());
        }
        out.writeEndObject();
    }

    private static void error(JsonGenerator out, ErrorInfo error) throws IOException {
        out.writeObjectFieldStart("error");
        out.writeStringField("message", error.message());
        out.writeStringField("advice", error.advice());
        out.writeEndObject();
    }
}
