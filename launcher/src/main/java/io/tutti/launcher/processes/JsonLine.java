package io.tutti.launcher.processes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One line of JSON of texts, whole numbers, flags, lists and objects, without the start-up time of a binding. */
final class JsonLine {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonLine() {}

    static String write(Map<String, ?> fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            value(out, fields);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return text.toString();
    }

    private static void value(JsonGenerator out, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> fields) {
            out.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                out.writeFieldName(String.valueOf(field.getKey()));
                value(out, field.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof List<?> elements) {
            out.writeStartArray();
            for (Object element : elements) {
                value(out, element);
            }
            out.writeEndArray();
        } else if (value instanceof Integer || value instanceof Long) {
            out.writeNumber(((Number) value).longValue());
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value == null) {
            out.writeNull();
        } else {
            out.writeString(value.toString());
        }
    }

    /** @throws IllegalArgumentException when the line is not one object of such values */
    static JsonFields read(String line) {
        try (JsonParser in = FACTORY.createParser(line)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not an object: " + line);
            }
            return object(in);
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + line, e);
        }
    }

    private static JsonFields object(JsonParser in) throws IOException {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            fields.put(name, value(in));
        }
        return new JsonFields(fields);
    }

    private static @Nullable Object value(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(in));
                }
                yield elements;
            }
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT -> in.getLongValue();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            default -> throw new IllegalArgumentException("unexpected value: " + in.getText());
        };
    }
}
