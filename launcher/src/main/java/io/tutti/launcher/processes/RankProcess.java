package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One rank process as its launcher holds it: the pipe that keeps it alive, what it says and logs, and its exit. Threads
 * of this class tell {@code events} what it does.
 */
final class RankProcess {

    /** A dead process's pipes end with it; only a stray heir could keep them open. */
    private static final long LAST_WORDS_MILLIS = 1_000;

    private final int number;
    private final Process process;
    private final Consumer<String> log;
    private final LogTail tail = new LogTail();
    private final CompletableFuture<Void> saidAll = new CompletableFuture<>();

    private RankProcess(int number, Process process, Consumer<String> log) {
        this.number = number;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param events told what it says and, after all of that, that it ended
     * @param log told each line that it logs
     * @throws TuttiException with code SYSTEM when the operating system refuses
     */
    static RankProcess start(int number, List<String> command, Consumer<ProcessEvent> events, Consumer<String> log) {
        try {
            RankProcess started = new RankProcess(number, new ProcessBuilder(command).start(), log);
            started.listen(events);
            return started;
        } catch (IOException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.SYSTEM,
                            "rank process " + number + " cannot be started: " + e.getMessage(),
                            "Look for limits on processes or memory, or give fewer --processes."),
                    e);
        }
    }

    private void listen(Consumer<ProcessEvent> events) {
        thread("out", () -> {
            lines(process.getInputStream(), line -> said(line, events));
            saidAll.complete(null);
        });
        thread("log", () -> lines(process.getErrorStream(), this::logged));
        process.onExit()
                .thenRun(() -> saidAll.completeOnTimeout(null, LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)
                        .thenRun(() -> events.accept(new ProcessEvent.Exited(number, process.exitValue()))));
    }

    private void thread(String name, Runnable work) {
        Thread thread = new Thread(work, "tutti-process-" + number + "-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void lines(InputStream stream, Consumer<String> sink) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                sink.accept(line);
            }
        } catch (IOException e) {
            // The process ended; its exit is told elsewhere.
        }
    }

    private void said(String line, Consumer<ProcessEvent> events) {
        Optional<ProcessMessage.FromProcess> message;
        try {
            message = ProcessMessages.decodeFromProcess(line);
        } catch (IllegalArgumentException e) {
            // Half a line is what a process leaves that dies while it writes.
            message = Optional.empty();
        }
        message.ifPresentOrElse(said -> events.accept(new ProcessEvent.Said(number, said)), () -> logged(line));
    }

    private void logged(String line) {
        tail.add(line);
        log.accept(line);
    }

    int number() {
        return number;
    }

    long pid() {
        return process.pid();
    }

    List<String> lastLog() {
        return tail.lines();
    }

    /** Completes at once when the process has ended and was reaped. */
    CompletableFuture<Process> exit() {
        return process.onExit();
    }

    /** Sends a message; to a process that has ended, which is told elsewhere, it does nothing. */
    void send(ProcessMessage.ToProcess message) {
        try {
            process.getOutputStream().write((ProcessMessages.encode(message) + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            logged("the launcher could not send a message: " + e.getMessage());
        }
    }

    /** Asks it to end: its stdin ends. */
    void release() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already.
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Whether it ended within that time. */
    boolean awaitExit(Duration limit) {
        try {
            return process.waitFor(Math.max(0, limit.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }
}
