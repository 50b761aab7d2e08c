package io.tutti.launcher.processes;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.processes.ProcessMessage.Agreed;
import io.tutti.launcher.processes.ProcessMessage.Answered;
import io.tutti.launcher.processes.ProcessMessage.Asked;
import io.tutti.launcher.processes.ProcessMessage.Checked;
import io.tutti.launcher.processes.ProcessMessage.Dismissed;
import io.tutti.launcher.processes.ProcessMessage.Failed;
import io.tutti.launcher.processes.ProcessMessage.Job;
import io.tutti.launcher.processes.ProcessMessage.PeerOver;
import io.tutti.launcher.processes.ProcessMessage.Progressed;
import io.tutti.launcher.processes.ProcessMessage.Started;
import io.tutti.launcher.run.Agreement;
import io.tutti.launcher.run.Failures;
import io.tutti.launcher.run.Progress;
import io.tutti.launcher.run.RunResult;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A rank process's end of the conversation with its launcher. When the launcher ends it, by closing the pipe or by dying,
 * the work under way is stopped; what has not closed within a bound is ended the hard way.
 */
public final class LauncherLink implements AutoCloseable {

    private static final Duration JOB_LIMIT = Duration.ofMinutes(2);
    private static final Duration AGREEMENT_LIMIT = Duration.ofDays(7);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);
    private static final long PROGRESS_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

    private final PrintWriter out;
    private final Waits waits;
    private final CompletableFuture<Job> job = new CompletableFuture<>();
    private final Map<String, CompletableFuture<Agreed>> agreed = new ConcurrentHashMap<>();
    /** The next question, or empty when there is none any more. */
    private volatile CompletableFuture<Optional<String>> question = new CompletableFuture<>();

    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean failed;
    private long nextProgress = System.nanoTime();

    private LauncherLink(PrintWriter out, Waits waits) {
        this.out = out;
        this.waits = waits;
    }

    /**
     * Begins to listen.
     *
     * @param in what the launcher says; its end means that this process must end
     * @param out where this process speaks; used by one thread
     * @param waits stopped when the launcher is gone
     * @param halt ends the process at once, when stopping has not done so in time
     */
    public static LauncherLink open(InputStream in, PrintWriter out, Waits waits, Runnable halt) {
        LauncherLink link = new LauncherLink(out, waits);
        Thread listener = new Thread(() -> link.listen(in, halt), "tutti-launcher-link");
        listener.setDaemon(true);
        listener.start();
        return link;
    }

    private void listen(InputStream in, Runnable halt) {
        String end = "the launcher has gone";
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                ProcessMessages.decodeToProcess(line).ifPresent(this::on);
            }
        } catch (IOException | IllegalArgumentException e) {
            end = "the launcher cannot be understood: " + e;
        }
        waits.stop(end);
        try {
            if (!closed.await(CLOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                halt.run();
            }
        } catch (InterruptedException e) {
            halt.run();
        }
    }

    private void on(ProcessMessage.ToProcess message) {
        if (message instanceof Job given) {
            job.complete(given);
        } else if (message instanceof Agreed all) {
            agreed(all.communicator()).complete(all);
        } else if (message instanceof Asked asked) {
            question.complete(Optional.of(asked.question()));
        } else if (message instanceof Dismissed) {
            question.complete(Optional.empty());
        } else if (message instanceof PeerOver over) {
            waits.stop(over.how());
        }
    }

    private CompletableFuture<Agreed> agreed(String communicator) {
        return agreed.computeIfAbsent(communicator, name -> new CompletableFuture<>());
    }

    /**
     * Waits for what to do.
     *
     * @throws TuttiException with code CONFIGURATION when the launcher is another version of this program
     */
    public Job awaitJob() {
        Job given = waits.await(job, JOB_LIMIT, "the launcher's job");
        if (given.version() != ProcessMessage.VERSION) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.CONFIGURATION,
                    "the launcher speaks another version: launcher=" + given.version() + " process="
                            + ProcessMessage.VERSION,
                    "Do not build while a run starts; run it again."));
        }
        return given;
    }

    private void started(String identity, String address) {
        send(new Started(identity, address));
    }

    /** There will be no result; the first reason counts. */
    public void failed(Throwable why) {
        if (!failed) {
            failed = true;
            send(new Failed(Failures.info(why)));
        }
    }

    /** Starts runtimes and tells the launcher where they are. */
    public RunRuntime.Starter announcing(RunRuntime.Starter starter) {
        return config -> {
            RunRuntime runtime = starter.start(config);
            started(runtime.membership().identity(), runtime.membership().address());
            return runtime;
        };
    }

    /**
     * Answers whatever the launcher asks, one question after another, until it asks no more.
     *
     * @throws TuttiException what an answer failed with; the launcher has not been told yet
     */
    public void answer(UnaryOperator<String> answers) {
        for (Optional<String> next = nextQuestion(); next.isPresent(); next = nextQuestion()) {
            String answer = answers.apply(next.get());
            // The launcher asks again only when it has this answer.
            question = new CompletableFuture<>();
            send(new Answered(answer));
        }
    }

    private Optional<String> nextQuestion() {
        return waits.await(question, AGREEMENT_LIMIT, "the launcher's next question");
    }

    /** Tells the launcher, not too often, how far the work is. */
    public Progress progress() {
        return (what, done, total) -> {
            long now = System.nanoTime();
            if (now - nextProgress >= 0) {
                nextProgress = now + PROGRESS_INTERVAL;
                send(new Progressed(what, done, total));
            }
        };
    }

    /** Hands a result to the launcher and waits until all processes have theirs. */
    public Agreement agreement() {
        return new Agreement() {
            @Override
            public void reach(RunResult.CommunicatorResult result) {
                send(new Checked(result));
                waits.await(agreed(result.name()), AGREEMENT_LIMIT, "the other processes' results");
            }

            @Override
            public void refuse(Throwable why) {
                failed(why);
            }
        };
    }

    private void send(ProcessMessage.FromProcess message) {
        out.println(ProcessMessages.encode(message));
        out.flush();
    }

    /** Everything is closed; whatever the launcher does now, this process ends by itself. */
    @Override
    public void close() {
        closed.countDown();
    }
}
