package io.tutti.launcher.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/**
 * Writes one JSON object, name by name in the order given, which is the order users see. Written by hand rather than bound
 * from classes: the names are part of the public surface, and a command line should not pay for reflection at start.
 */
public final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** Writes the members of one object. */
    @FunctionalInterface
    public interface Members {
        void write(JsonGenerator out) throws IOException;
    }

    public static String object(Members members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            out.writeStartObject();
            members.write(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return text.toString();
    }

    /** A number, or null where it is infinite or no number: JSON has no other word for it. */
    public static void number(JsonGenerator out, String name, double value) throws IOException {
        if (Double.isFinite(value)) {
            out.writeNumberField(name, value);
        } else {
            out.writeNullField(name);
        }
    }
}
