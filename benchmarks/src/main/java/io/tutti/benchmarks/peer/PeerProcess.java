package io.tutti.benchmarks.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running program that answers each line on its stdin with one line on its stdout. Requests come from one thread at a
 * time; any thread may close it, which ends it with all its children.
 */
final class PeerProcess implements AutoCloseable {

    private static final int REMEMBERED_LINES = 20;
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final String name;
    private final Process process;
    private final Writer requests;
    private final Thread answerReader;
    private final Thread errorReader;
    private final Object lock = new Object();
    private final Deque<String> errors = new ArrayDeque<>();
    private @Nullable CompletableFuture<String> pending;
    private boolean ended;

    private PeerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.errorReader = reader("err", process.getErrorStream(), this::onErrorLine, () -> {});
        this.answerReader = reader("out", process.getInputStream(), this::onAnswer, this::onEnd);
    }

    /**
     * Starts it. The stage of its first line is {@link #first}.
     *
     * @throws PeerException when it cannot be started
     */
    static PeerProcess start(String name, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            PeerProcess started = new PeerProcess(name, builder.start());
            started.pending = new CompletableFuture<>();
            started.errorReader.start();
            started.answerReader.start();
            return started;
        } catch (IOException e) {
            throw new PeerException(command.get(0) + " could not be started: " + e.getMessage());
        }
    }

    /** The line that it writes unasked when it is ready. Asked for once, before any request. */
    CompletionStage<String> first() {
        synchronized (lock) {
            return pending == null ? CompletableFuture.failedFuture(endedException()) : pending;
        }
    }

    /** Sends a line; the stage is the answer, or fails with {@link PeerException} when the program ends. */
    CompletionStage<String> ask(String request) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        synchronized (lock) {
            if (ended) {
                return CompletableFuture.failedFuture(endedException());
            }
            if (pending != null && !pending.isDone()) {
                throw new IllegalStateException("the last request is not answered yet: peer=" + name);
            }
            pending = answer;
        }
        try {
            requests.write(request + "\n");
            requests.flush();
        } catch (IOException e) {
            // It has ended; the reader of its output says how, as soon as it has seen that too.
            return answer;
        }
        return answer;
    }

    private void onAnswer(String line) {
        CompletableFuture<String> answered;
        synchronized (lock) {
            answered = pending;
        }
        if (answered != null) {
            answered.complete(line);
        }
    }

    private void onErrorLine(String line) {
        synchronized (lock) {
            errors.addLast(line);
            if (errors.size() > REMEMBERED_LINES) {
                errors.removeFirst();
            }
        }
    }

    private void onEnd() {
        joinQuietly(errorReader);
        awaitExit();
        CompletableFuture<String> unanswered;
        synchronized (lock) {
            ended = true;
            unanswered = pending;
        }
        if (unanswered != null) {
            unanswered.completeExceptionally(endedException());
        }
    }

    /** Its output ends a moment before it does; what it is asked for afterwards is its exit status. */
    private void awaitExit() {
        try {
            process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PeerException endedException() {
        synchronized (lock) {
            String last = errors.stream()
                    .filter(line -> line.chars().anyMatch(Character::isLetter))
                    .findFirst()
                    .orElse("");
            return new PeerException("it ended" + (process.isAlive() ? "" : " with status " + process.exitValue())
                    + (last.isEmpty() ? "" : ": " + last.strip()));
        }
    }

    private Thread reader(String stream, InputStream in, LineSink sink, Runnable end) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            sink.on(line);
                        }
                    } catch (IOException e) {
                        // The stream ends with the process, at times in the middle of a line.
                    } finally {
                        end.run();
                    }
                },
                "tutti-peer-" + name + "-" + stream);
        thread.setDaemon(true);
        return thread;
    }

    /** Takes one line. */
    @FunctionalInterface
    private interface LineSink {
        void on(String line);
    }

    @Override
    public void close() {
        try {
            requests.close();
        } catch (IOException e) {
            // It has ended already.
        }
        new ProcessTree(process).stop(GRACE);
        joinQuietly(answerReader);
        joinQuietly(errorReader);
    }

    private static void joinQuietly(Thread thread) {
        try {
            thread.join(GRACE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
