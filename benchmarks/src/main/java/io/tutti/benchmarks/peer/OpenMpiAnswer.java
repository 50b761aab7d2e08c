package io.tutti.benchmarks.peer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tutti.benchmarks.stats.Samples;

/** Reads the peer's answers, trusting none of them. */
final class OpenMpiAnswer {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int SHOWN = 120;

    private OpenMpiAnswer() {}

    /** @throws PeerException when that is not the line of a program that is ready with that many ranks */
    static void ready(String line, int ranks) {
        JsonNode answer = parse(line);
        if (!answer.path("ready").asBoolean() || answer.path("ranks").asInt() != ranks) {
            throw new PeerException("it started with an unexpected line: " + shown(line));
        }
    }

    /** @throws PeerException when that does not answer the request, or when its result was wrong */
    static Samples samples(String line, PeerRequest request, int ranks) {
        JsonNode answer = parse(line);
        JsonNode nanos = answer.path("nanos");
        if (answer.path("ranks").asInt() != ranks
                || answer.path("tokens").asLong() != request.tokens()
                || answer.path("hidden").asInt() != request.hidden()
                || !nanos.isArray()
                || nanos.size() != request.iterations()) {
            throw new PeerException("it answered something else than it was asked: " + shown(line));
        }
        if (answer.path("wrong").asLong(-1) != 0) {
            throw new PeerException(
                    "its result is wrong: wrongElements=" + answer.path("wrong").asText("unknown") + " tokens="
                            + request.tokens() + " hidden=" + request.hidden());
        }
        long[] values = new long[nanos.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode value = nanos.get(i);
            if (!value.canConvertToLong() || value.asLong() <= 0) {
                throw new PeerException("it answered a time that is none: " + value);
            }
            values[i] = value.asLong();
        }
        return Samples.of(values);
    }

    private static JsonNode parse(String line) {
        try {
            JsonNode answer = MAPPER.readTree(line);
            if (answer != null && answer.isObject()) {
                return answer;
            }
        } catch (JsonProcessingException e) {
            // Told below, in the same words as JSON of another kind.
        }
        throw new PeerException("it answered no JSON object: " + shown(line));
    }

    private static String shown(String line) {
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }
}
