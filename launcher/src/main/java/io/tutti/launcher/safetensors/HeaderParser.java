package io.tutti.launcher.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns a header's JSON into entries, token by token, so that memory follows from what the file really holds. Checks what
 * one tensor says about itself; how tensors lie beside each other is {@link LayoutCheck}'s.
 */
final class HeaderParser {

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private final FileText file;

    HeaderParser(FileText file) {
        this.file = file;
    }

    /** Reads the stream to its end. */
    Header parse(InputStream bytes) throws IOException {
        // A reader of our own: Jackson would guess UTF-16 or UTF-32 from the first bytes, which the format forbids.
        InputStreamReader text = new InputStreamReader(
                bytes,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
        try (JsonParser parser = JSON.createParser(text)) {
            Map<String, TensorEntry> tensors = new LinkedHashMap<>();
            Map<String, String> metadata = Map.of();
            expect(parser.nextToken(), JsonToken.START_OBJECT, "the header", parser);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals(Header.METADATA)) {
                    metadata = metadata(parser);
                } else {
                    tensors.put(name, tensor(name, parser));
                }
            }
            if (parser.nextToken() != null) {
                throw notTheFormat("the header goes on after its object", parser);
            }
            return new Header(tensors, metadata);
        }
    }

    private Map<String, String> metadata(JsonParser parser) throws IOException {
        expect(parser.currentToken(), JsonToken.START_OBJECT, Header.METADATA, parser);
        Map<String, String> texts = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            expect(parser.nextToken(), JsonToken.VALUE_STRING, Header.METADATA + "." + FileText.quote(key), parser);
            texts.put(key, parser.getText());
        }
        return texts;
    }

    private TensorEntry tensor(String name, JsonParser parser) throws IOException {
        expect(parser.currentToken(), JsonToken.START_OBJECT, "tensor " + FileText.quote(name), parser);
        ElementType type = null;
        List<Long> shape = null;
        List<Long> offsets = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            switch (key) {
                case "dtype" -> type = dtype(name, parser);
                case "shape" -> shape = numbers(name, key, parser);
                case "data_offsets" -> offsets = numbers(name, key, parser);
                default ->
                    throw file.tensor(
                            name,
                            "unknown key in a tensor's entry",
                            "key=" + FileText.quote(key) + " allowed: dtype, shape, data_offsets");
            }
        }
        return entry(
                name,
                require(name, "dtype", type),
                require(name, "shape", shape),
                require(name, "data_offsets", offsets));
    }

    private TensorEntry entry(String name, ElementType type, List<Long> shape, List<Long> offsets) {
        if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
            throw file.tensor(
                    name, "data_offsets are not a begin and an end", "data_offsets=" + FileText.brief(offsets));
        }
        TensorEntry entry = new TensorEntry(name, type, shape, offsets.get(0), offsets.get(1));
        long needed;
        try {
            needed = TensorEntry.bytesOf(type, shape);
        } catch (ArithmeticException e) {
            throw file.tensor(
                    name,
                    "a tensor's size does not fit into 63 bits",
                    "dtype=" + type + " shape=" + FileText.brief(shape));
        }
        if (needed != entry.bytes()) {
            throw file.tensor(
                    name,
                    "a tensor's shape and offsets disagree",
                    "dtype=" + type + " shape=" + FileText.brief(shape) + " needs=" + needed + " data_offsets="
                            + offsets + " spans=" + entry.bytes());
        }
        return entry;
    }

    private ElementType dtype(String tensor, JsonParser parser) throws IOException {
        expect(parser.currentToken(), JsonToken.VALUE_STRING, "dtype of " + FileText.quote(tensor), parser);
        String name = parser.getText();
        return ElementType.find(name)
                .orElseThrow(() -> file.tensor(
                        tensor, "unknown dtype", "dtype=" + FileText.quote(name) + " known: " + ElementType.allowed()));
    }

    private List<Long> numbers(String tensor, String key, JsonParser parser) throws IOException {
        expect(parser.currentToken(), JsonToken.START_ARRAY, key + " of " + FileText.quote(tensor), parser);
        List<Long> numbers = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            boolean fits = parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                    && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                    && parser.getLongValue() >= 0;
            if (!fits) {
                throw file.tensor(
                        tensor,
                        "not a whole number from 0 to 2^63 - 1",
                        key + "[" + numbers.size() + "]=" + FileText.quote(String.valueOf(parser.getText())));
            }
            numbers.add(parser.getLongValue());
        }
        return numbers;
    }

    private <T> T require(String tensor, String key, @Nullable T value) {
        if (value == null) {
            throw file.tensor(tensor, "a tensor's entry lacks a key", "key=" + key);
        }
        return value;
    }

    private void expect(@Nullable JsonToken token, JsonToken wanted, String where, JsonParser parser) {
        if (token != wanted) {
            throw notTheFormat(where + " must be " + describe(wanted), parser);
        }
    }

    private RuntimeException notTheFormat(String what, JsonParser parser) {
        return file.malformed(
                "the header is not in the safetensors format",
                "reason=" + what + " column=" + parser.currentLocation().getColumnNr(),
                "Check that this is a safetensors file.");
    }

    private static String describe(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            default -> "a text";
        };
    }
}
