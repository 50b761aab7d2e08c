package io.tutti.benchmarks.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process together with everything that it started. */
final class ProcessTree {

    private static final Duration LAST_WAIT = Duration.ofSeconds(5);

    private final ProcessHandle root;

    ProcessTree(Process process) {
        this.root = process.toHandle();
    }

    /**
     * Asks all of them to end, and after the grace period ends them by force. Returns once none is left, or after a few
     * more seconds when the operating system does not let one go.
     */
    void stop(Duration grace) {
        List<ProcessHandle> all = members();
        all.forEach(ProcessHandle::destroy);
        if (!ended(all, grace)) {
            List<ProcessHandle> left = new ArrayList<>(all);
            left.addAll(members());
            left.forEach(ProcessHandle::destroyForcibly);
            ended(left, LAST_WAIT);
        }
    }

    /** The root comes last, so that it sees its children end before it ends itself. */
    private List<ProcessHandle> members() {
        List<ProcessHandle> members = new ArrayList<>(root.descendants().toList());
        members.add(root);
        return members;
    }

    private static boolean ended(List<ProcessHandle> processes, Duration limit) {
        CompletableFuture<?>[] exits =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
        boolean interrupted = false;
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                try {
                    CompletableFuture.allOf(exits).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    // Processes must not outlive this one because a thread is impatient; the wait is bounded anyway.
                    interrupted = true;
                } catch (ExecutionException | TimeoutException e) {
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
