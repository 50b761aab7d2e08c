package io.tutti.fidelity;

/**
 * One line of a recording.
 *
 * @param step the step's id
 * @param call the call that was asked
 * @param arguments in words
 * @param answer what it answered
 * @param value what it told; empty where nothing comparable
 */
record Row(String step, String call, String arguments, String answer, String value) {

    static Row of(Step step, Answer answer) {
        return new Row(step.id(), step.call(), step.arguments(), answer.result(), answer.value());
    }

    Answer asAnswer() {
        return new Answer(answer, value);
    }
}
