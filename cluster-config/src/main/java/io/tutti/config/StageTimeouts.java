package io.tutti.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long each stage of forming an epoch may take, from the coordinator's request to the last rank's answer.
 *
 * @param byStage the deadlines by the stage's name, one for each of {@link #STAGES}
 */
public record StageTimeouts(Map<String, Duration> byStage) {

    /** The stages' names, in their order. */
    public static final List<String> STAGES = List.of(
            "identity",
            "plan",
            "allocate",
            "fill",
            "export",
            "import",
            "write",
            "verify",
            "probe",
            "quiesce",
            "arm",
            "commit");

    public StageTimeouts {
        if (!byStage.keySet().equals(Set.copyOf(STAGES))) {
            throw new IllegalArgumentException("one timeout per stage is needed: stages=" + byStage.keySet());
        }
        byStage = Collections.unmodifiableMap(new LinkedHashMap<>(byStage));
    }

    /**
     * The deadline of a stage.
     *
     * @throws IllegalArgumentException when there is no such stage
     */
    public Duration of(String stage) {
        Duration timeout = byStage.get(stage);
        if (timeout == null) {
            throw new IllegalArgumentException("no such stage: stage=" + stage + "; allowed: " + STAGES);
        }
        return timeout;
    }

    /** The longest that forming an epoch may take when every stage just keeps its deadline. */
    public Duration total() {
        return byStage.values().stream().reduce(Duration.ZERO, Duration::plus);
    }
}
