package io.tutti.launcher.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tutti.gpu.plan.RejectedPath;
import java.io.IOException;
import java.util.List;

/** Why paths were not taken, as every report shows it. */
final class RejectedRows {

    private RejectedRows() {}

    /** The rows as the member {@code rejected} of an object. */
    static void write(JsonGenerator out, List<RejectedPath> rows) throws IOException {
        out.writeArrayFieldStart("rejected");
        for (RejectedPath row : rows) {
            write(out, row);
        }
        out.writeEndArray();
    }

    private static void write(JsonGenerator out, RejectedPath row) throws IOException {
        out.writeStartObject();
        out.writeStringField("path", row.path().wireName());
        if (row.rank() == null) {
            out.writeNullField("rank");
        } else {
            out.writeNumberField("rank", row.rank());
        }
        out.writeStringField("stage", row.stage());
        out.writeStringField("call", row.call());
        out.writeStringField("result", row.result());
        out.writeStringField("advice", row.advice());
        out.writeEndObject();
    }

    /** One row in words. */
    static String describe(RejectedPath row) {
        StringBuilder text = new StringBuilder();
        if (row.call() == null) {
            text.append(
                    row.stage().equals("plan") ? "ruled out by policy or placement" : "tried, and found not to work");
        } else {
            text.append(row.call()).append(" answered ").append(row.result());
        }
        if (row.rank() != null) {
            text.append(" on rank ").append(row.rank());
        }
        return text.append(" at stage ")
                .append(row.stage())
                .append(". ")
                .append(row.advice())
                .toString();
    }
}
