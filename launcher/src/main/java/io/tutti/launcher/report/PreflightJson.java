package io.tutti.launcher.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.facts.FactsJson;
import io.tutti.launcher.preflight.Abilities;
import io.tutti.launcher.preflight.Ability;
import io.tutti.launcher.preflight.CommunicatorReport;
import io.tutti.launcher.preflight.Formed;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The result of {@code preflight} as JSON. */
public final class PreflightJson {

    private PreflightJson() {}

    /** One line; with the member {@code error} of every failed command where a communicator has no path. */
    public static String of(List<CommunicatorReport> reports, RunSetting setting, Optional<ErrorInfo> error) {
        return Json.object(out -> {
            out.writeStringField("command", "preflight");
            if (error.isPresent()) {
                ErrorJson.write(out, error.get());
            }
            out.writeStringField("driver", setting.driver());
            out.writeStringField("topology", setting.topology());
            out.writeArrayFieldStart("communicators");
            for (CommunicatorReport report : reports) {
                communicator(out, report, setting);
            }
            out.writeEndArray();
        });
    }

    private static void communicator(JsonGenerator out, CommunicatorReport report, RunSetting setting)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("name", report.name());
        out.writeNumberField("worldSize", report.facts().size());
        out.writeNumberField("hosts", report.hosts());
        out.writeNumberField("processes", setting.processes());
        if (report.formed().isPresent()) {
            Formed formed = report.formed().get();
            out.writeNumberField("epoch", formed.epoch());
            out.writeStringField("path", formed.path().wireName());
            PlanJson.handleKinds(out, formed.handleKinds());
            out.writeNumberField("workspaceBytes", formed.workspaceBytes());
            out.writeStringField("hash", formed.hash());
        } else {
            out.writeNullField("path");
        }
        RejectedRows.write(out, report.rejected());
        out.writeArrayFieldStart("ranks");
        for (RankFacts rank : report.facts()) {
            rank(out, rank, report);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void rank(JsonGenerator out, RankFacts rank, CommunicatorReport report) throws IOException {
        out.writeStartObject();
        out.writeNumberField("rank", rank.rank());
        out.writeStringField("device", PreflightText.deviceInWords(rank));
        out.writeArrayFieldStart("abilities");
        for (Ability ability : Abilities.of(rank, report.facts(), report.rejected())) {
            out.writeStartObject();
            out.writeStringField("what", ability.what());
            out.writeBooleanField("usable", ability.usable());
            out.writeStringField("reason", ability.reason());
            out.writeStringField("advice", ability.advice());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("hints");
        for (String hint : Abilities.hints(rank)) {
            out.writeString(hint);
        }
        out.writeEndArray();
        out.writeFieldName("facts");
        out.writeRawValue(FactsJson.write(rank).toString());
        out.writeEndObject();
    }
}
