package io.tutti.launcher.preflight;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.facts.FactsJson;
import io.tutti.launcher.run.Failures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What each of several processes found out about its ranks, as text between builds of one version, and put together. */
public final class PreflightParts {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PreflightParts() {}

    /** One line. */
    public static String encode(List<CommunicatorReport> reports) {
        ArrayNode array = MAPPER.createArrayNode();
        for (CommunicatorReport report : reports) {
            ObjectNode json = array.addObject().put("name", report.name());
            report.formed().ifPresent(formed -> json.set("formed", MAPPER.valueToTree(formed)));
            report.error().ifPresent(error -> json.set("error", MAPPER.valueToTree(error)));
            ArrayNode ranks = json.putArray("ranks");
            report.facts().forEach(facts -> ranks.add(FactsJson.write(facts)));
        }
        return array.toString();
    }

    static List<CommunicatorReport> decode(String text) {
        List<CommunicatorReport> reports = new ArrayList<>();
        try {
            for (JsonNode json : MAPPER.readTree(text)) {
                List<RankFacts> facts = new ArrayList<>();
                json.path("ranks").forEach(rank -> facts.add(FactsJson.read("a rank process", rank)));
                reports.add(new CommunicatorReport(
                        json.path("name").asText(),
                        part(json, "formed", Formed.class),
                        part(json, "error", ErrorInfo.class),
                        facts));
            }
            return reports;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no part of a preflight: " + text, e);
        }
    }

    private static <T> Optional<T> part(JsonNode json, String name, Class<T> type) throws JsonProcessingException {
        return json.has(name) ? Optional.of(MAPPER.treeToValue(json.get(name), type)) : Optional.empty();
    }

    /**
     * Puts the parts of all processes together. All ranks agree on what was formed; of several errors the most telling one
     * counts.
     *
     * @param parts at least one, each as {@link #encode} wrote it, all of the same communicators
     */
    public static List<CommunicatorReport> merge(List<String> parts) {
        List<List<CommunicatorReport>> all =
                parts.stream().map(PreflightParts::decode).toList();
        List<CommunicatorReport> merged = new ArrayList<>();
        for (int i = 0; i < all.get(0).size(); i++) {
            int communicator = i;
            merged.add(merged(all.stream().map(part -> part.get(communicator)).toList()));
        }
        return merged;
    }

    private static CommunicatorReport merged(List<CommunicatorReport> parts) {
        List<TuttiException> errors = parts.stream()
                .flatMap(part -> part.error().stream())
                .map(TuttiException::new)
                .toList();
        List<RankFacts> facts = parts.stream()
                .flatMap(part -> part.facts().stream())
                .sorted(Comparator.comparingInt(RankFacts::rank))
                .toList();
        return new CommunicatorReport(
                parts.get(0).name(),
                errors.isEmpty() ? parts.get(0).formed() : Optional.empty(),
                errors.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Failures.mostTelling(errors).info()),
                facts);
    }
}
