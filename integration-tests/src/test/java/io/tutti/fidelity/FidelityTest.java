package io.tutti.fidelity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.config.Topologies;
import io.tutti.gpu.host.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The host driver answers what the hardware answered, row by row. */
@EnabledOnOs(OS.LINUX)
class FidelityTest {

    /** Each names a recording and the topology that is that machine. */
    private static final List<String> RECORDINGS = List.of("h200-1", "h200-2");

    /**
     * Steps that the host driver still answers otherwise than hardware, all of them misuse: of captures, of clusters and of
     * handles. One that comes to agree fails the test, and leaves this list.
     */
    private static final Set<String> DIFFERENT = Set.of(
            "fill-minus-one",
            "export-imported",
            "query-destroyed-stream",
            "record-on-destroyed-stream",
            "launch-on-destroyed-stream",
            "use-after-query",
            "bad-launch-in-capture",
            "launch-graph-in-capture",
            "end-unjoined",
            "end-on-joined",
            "end-after-end-on-joined",
            "wait-merges-captures",
            "wait-for-event-outside",
            "wait-for-new-event-in-capture",
            "query-captured-event",
            "end-after-event-query",
            "query-event-after-capture",
            "wait-for-event-after-capture",
            "elapsed-of-captured-event",
            "launch-cluster-3-of-4",
            "launch-cluster-17",
            "launch-cluster-32");

    private static final Map<String, Topology> TOPOLOGIES = new HashMap<>();

    static Stream<Arguments> rows() throws IOException {
        Stream.Builder<Arguments> rows = Stream.builder();
        for (String recording : RECORDINGS) {
            Recording.load(recording).rows().forEach(row -> rows.add(Arguments.of(recording, row.step(), row)));
        }
        return rows.build();
    }

    static List<String> recordings() {
        return RECORDINGS;
    }

    static List<Step> steps() {
        return ProbeScript.steps();
    }

    private static Topology topology(String name) {
        return TOPOLOGIES.computeIfAbsent(name, any -> Topologies.load(any, OptionalLong.empty()));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("rows")
    void answersAsTheHardwareDid(String topology, String step, Row recorded) {
        Answer answer = ask(topology, ProbeScript.step(step));
        String asked = recorded.call() + ", " + recorded.arguments();
        if (DIFFERENT.contains(step)) {
            assertThat(answer).as(asked).isNotEqualTo(recorded.asAnswer());
        } else if (recorded.asAnswer().isResult()) {
            assertThat(answer).as(asked).isEqualTo(recorded.asAnswer());
        } else {
            assertThat(answer)
                    .as("%s: on hardware %s", asked, recorded.answer())
                    .satisfies(FidelityTest::isRefusal);
        }
    }

    /** Where a real driver falls over, any result but success will do. */
    private static void isRefusal(Answer answer) {
        assertThat(answer.isResult()).isTrue();
        assertThat(answer.isSuccess()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void aStepIsAnsweredAndLeavesNothingBehind(Step step) {
        Answer answer = ask(step.devices() == 1 ? "h200-8" : "h200-2", step);
        assertThat(answer.isResult()).as(answer.toString()).isTrue();
    }

    private static Answer ask(String topology, Step step) {
        List<Answer> answers = new ArrayList<>();
        try (HostSubject subject = new HostSubject(topology(topology))) {
            assertThat(StepRun.run(step, subject, answers::add)).isEmpty();
        }
        return answers.get(0);
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void aCompleteRecordingHasEveryStep(String name) throws IOException {
        Recording recording = Recording.load(name);
        assertThat(recording.topology()).isEqualTo(name);
        assertThat(topology(name).hosts().get(0).devices()).hasSize(recording.devices());
        List<String> recorded = recording.rows().stream().map(Row::step).toList();
        List<String> script =
                ProbeScript.steps(recording.devices()).stream().map(Step::id).toList();
        assertThat(recorded).doesNotHaveDuplicates().isSubsetOf(script);
        if (recording.complete()) {
            assertThat(recorded).containsExactlyElementsOf(script);
        }
    }

    @Test
    void stepsAreKnownByTheirIds() {
        Set<String> ids = new HashSet<>();
        ProbeScript.steps()
                .forEach(step -> assertThat(ids.add(step.id())).as(step.id()).isTrue());
        assertThat(ids).hasSizeGreaterThan(60);
    }
}
