package io.tutti.launcher.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tutti.gpu.ErrorInfo;
import java.io.IOException;

/** A failure as JSON; every name is always there. */
public final class ErrorJson {

    private ErrorJson() {}

    /** One line. */
    public static String of(String command, ErrorInfo error) {
        return Json.object(out -> {
            out.writeStringField("command", command);
            write(out, error);
        });
    }

    /** As the member {@code error} of an object. */
    static void write(JsonGenerator out, ErrorInfo error) throws IOException {
        out.writeObjectFieldStart("error");
        out.writeStringField("code", error.code().wireName());
        if (error.rank() == null) {
            out.writeNullField("rank");
        } else {
            out.writeNumberField("rank", error.rank());
        }
        out.writeStringField("call", error.call());
        out.writeStringField("result", error.result());
        out.writeStringField("message", error.message());
        out.writeStringField("advice", error.advice());
        out.writeEndObject();
    }
}
