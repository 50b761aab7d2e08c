package io.tutti.gpu.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.model.Explorer.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class FaultsTest {

    private static final Logger LOG = LoggerFactory.getLogger(FaultsTest.class);

    private static final Path TRACES = Path.of("target", "protocol-faults");

    private static final int MOST_STATES = 1_000_000;

    static Stream<Rule> faults() {
        return Stream.of(Rule.values()).filter(rule -> !Rule.MARGINS.contains(rule));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aProtocolWithoutTheRuleBreaksAPromise(Rule rule) throws IOException {
        assertBroken(rule.name(), Rule.without(rule));
    }

    /** The third stage is for kernels that clear a call later, and for pushes before the kernel before has ended. */
    @Test
    void twoStagesAreEnoughWhileEveryWordIsClearedByWhoReadsIt() {
        assertThat(broken(Rule.without(Rule.THREE_STAGES))).isEmpty();
    }

    @Test
    void clearingMayWaitForTheNextCallWhileThereAreThreeStages() {
        assertThat(broken(Rule.without(Rule.CLEARED_AT_ONCE))).isEmpty();
    }

    @Test
    void clearingInTheNextCallNeedsThreeStages() throws IOException {
        assertBroken("TWO_STAGES_CLEARED_LATER", Rule.without(Rule.THREE_STAGES, Rule.CLEARED_AT_ONCE));
    }

    /** It is there for a header that somebody left behind. */
    @Test
    void theSequenceInAHeaderIsNotNeededWhileHeadersAreCleared() {
        assertThat(broken(Rule.without(Rule.HEADER_HAS_SEQUENCE))).isEmpty();
    }

    /** Demands that a scenario finds the fault, and leaves its shortest trace for people to read. */
    private static void assertBroken(String fault, Set<Rule> rules) throws IOException {
        Optional<Result> broken = broken(rules);
        assertThat(broken).as("a scenario finds the fault %s", fault).isPresent();
        Result result = broken.orElseThrow();
        assertThat(result.trace()).isNotEmpty();
        Path trace = Files.createDirectories(TRACES).resolve(fault + ".txt");
        Files.writeString(trace, result.report());
        LOG.info(
                "{}: {} steps={} trace={}",
                fault,
                result.headline(),
                result.trace().size(),
                trace);
    }

    /** What the first scenario that breaks shows. */
    private static Optional<Result> broken(Set<Rule> rules) {
        return Scenarios.all().stream()
                .map(scenario -> Explorer.explore(scenario, rules, true, MOST_STATES))
                .filter(result -> !result.isRight())
                .findFirst();
    }
}
