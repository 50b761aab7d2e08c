package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorInfo;
import io.tutti.launcher.run.RunResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What the launcher knows of one rank process. Confined to the launcher's thread. */
final class ProcessState {

    private static final String STARTING = "starting";

    private Duration silence;
    private String doing = STARTING;
    private long deadline;
    private RunResult.@Nullable CommunicatorResult result;
    private @Nullable String question;
    private @Nullable String answer;
    private @Nullable ErrorInfo failure;
    private @Nullable Integer exitValue;
    private long settledAt;
    private boolean finished;

    ProcessState(ProcessesPlan.Limits limits) {
        this.silence = limits.silence();
        this.deadline = System.nanoTime() + limits.startUp().toNanos();
    }

    void on(ProcessEvent event) {
        deadline = System.nanoTime() + silence.toNanos();
        if (event instanceof ProcessEvent.Exited exited) {
            exitValue = exited.exitValue();
            settledAt = System.nanoTime();
        } else if (event instanceof ProcessEvent.Said said) {
            on(said.message());
        }
    }

    private void on(ProcessMessage.FromProcess message) {
        if (message instanceof ProcessMessage.Started) {
            doing = "forming its communicators" + (question == null ? "" : ", then to do: " + question);
        } else if (message instanceof ProcessMessage.Progressed progressed) {
            doing = progressed.what() + " " + progressed.done() + " of " + progressed.total();
        } else if (message instanceof ProcessMessage.Checked checked) {
            doing = checked.result().name() + ": checked";
            result = checked.result();
        } else if (message instanceof ProcessMessage.Answered answered) {
            doing = "waiting for the launcher";
            answer = answered.answer();
        } else if (message instanceof ProcessMessage.Failed failed) {
            failure = failed.error();
            settledAt = System.nanoTime();
        }
    }

    /** What it did when it was last heard of. */
    String doing() {
        return doing;
    }

    boolean starting() {
        return doing.equals(STARTING);
    }

    /** When it must have said something, unless it has nothing to do. */
    long deadline() {
        return deadline;
    }

    Optional<RunResult.CommunicatorResult> result() {
        return Optional.ofNullable(result);
    }

    /**
     * All processes agreed on its result, and it goes on.
     *
     * @param last whether it was the last result, after which the process must end
     * @param limit for the next that is heard of it
     */
    void agreed(boolean last, Duration limit) {
        finished = last;
        result = null;
        doing = "going on after all processes agreed";
        deadline = System.nanoTime() + limit.toNanos();
    }

    /**
     * It was asked something.
     *
     * @param limit how long it may say nothing until it has answered
     */
    void asked(String question, Duration limit) {
        answer = null;
        this.question = question;
        if (!starting()) {
            doing = "doing what was asked: " + question;
        }
        silence = limit;
        deadline = Math.max(deadline, System.nanoTime() + limit.toNanos());
    }

    Optional<String> answer() {
        return Optional.ofNullable(answer);
    }

    /**
     * Nothing more is asked of it, and it must end.
     *
     * @param limit for its end
     */
    void dismissed(Duration limit) {
        finished = true;
        answer = null;
        doing = "closing";
        deadline = System.nanoTime() + limit.toNanos();
    }

    Optional<ErrorInfo> failure() {
        return Optional.ofNullable(failure);
    }

    OptionalInt exitValue() {
        return exitValue == null ? OptionalInt.empty() : OptionalInt.of(exitValue);
    }

    /** Whether nothing runs in it any more: it failed, ended, or waits for the launcher. */
    boolean settled() {
        return failure != null || exitValue != null || result != null || answer != null;
    }

    /** Whether something is wrong with it: it failed, or ended before its time. */
    boolean bad() {
        return failure != null || (exitValue != null && !(finished && exitValue == 0));
    }

    /** Whether it ended before its time and without having said why. */
    boolean died() {
        return bad() && failure == null;
    }

    /** When it failed or ended, in the terms of {@link System#nanoTime}; meaningless before. */
    long settledAt() {
        return settledAt;
    }
}
