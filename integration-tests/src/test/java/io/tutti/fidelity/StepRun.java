package io.tutti.fidelity;

import io.tutti.gpu.driver.DriverException;
import java.util.function.Consumer;

/** Runs a step so that nothing that it does is fatal, and tells what it left behind. */
final class StepRun {

    private StepRun() {}

    /**
     * @param answered gets the answer before anything is given back
     * @return the objects that are live afterwards and were not before; empty when the step left nothing
     */
    static String run(Step step, Subject subject, Consumer<Answer> answered) {
        String before = subject.driver().live().toString();
        try (Bench bench = new Bench(subject)) {
            answered.accept(ask(step, bench));
        }
        String after = subject.driver().live().toString();
        return after.equals(before) ? "" : "before=" + before + " after=" + after;
    }

    private static Answer ask(Step step, Bench bench) {
        try {
            return step.action().apply(bench);
        } catch (DriverException refused) {
            return Answer.unprepared(refused);
        } catch (RuntimeException | LinkageError thrown) {
            return Answer.threw(thrown);
        }
    }
}
