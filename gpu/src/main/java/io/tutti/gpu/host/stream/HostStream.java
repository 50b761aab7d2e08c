package io.tutti.gpu.host.stream;

import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.IllegalAddressException;
import io.tutti.gpu.host.memory.Quiescence;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream: one daemon thread that runs the queue's commands in order. The thread stays hot for a bounded time after work
 * and then parks; a submission unparks it only then. Methods without a note may be called by any thread; while the stream
 * is captured they add to the capture instead.
 */
public final class HostStream {

    private static final Logger LOG = LoggerFactory.getLogger(HostStream.class);
    private static final long HOT_NANOS = 500_000;

    /** How often a copy over a slow link looks whether it should leave. */
    private static final long LINK_LOOK_NANOS = 1_000_000;

    private final StreamSystem system;
    private final DeviceHealth device;
    private final StreamMemory memory;
    private final Thread thread;
    private final CommandQueue queue = new CommandQueue();
    private final Quiescence.Reader reader;
    private volatile @Nullable Capture capture;
    private volatile boolean parked;
    private volatile boolean destroyed;

    HostStream(StreamSystem system, DeviceHealth device, int number) {
        this.system = system;
        this.device = device;
        this.memory = new StreamMemory(system, device);
        this.reader = system.quiescence().register();
        this.thread = new Thread(this::run, "tutti-stream-" + device.ordinal() + "-" + number);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    public DeviceHealth device() {
        return device;
    }

    String threadName() {
        return thread.getName();
    }

    // ---- submission -------------------------------------------------------------------------------------------

    public synchronized void launch(String name, HostKernel kernel, ByteBuffer parameters) {
        claim().kernel(name, kernel, parameters);
        publish();
    }

    /** @param leastNanos how long the copy takes at least, since its link moves no more */
    public synchronized void copy(long destination, long source, long bytes, long leastNanos) {
        claim().copy(destination, source, bytes, leastNanos);
        publish();
    }

    public synchronized void fill(long destination, int value, long words) {
        claim().fill(destination, value, words);
        publish();
    }

    public synchronized void record(StreamEvent event) {
        if (capture != null) {
            event.captureIn(capture);
        } else {
            claim().record(event, event.nextRecord());
            publish();
        }
    }

    /** False when the stream is captured and the event is not of the same capture, or the reverse by another one. */
    public synchronized boolean await(StreamEvent event) {
        Capture other = event.capture();
        if (capture == other) {
            if (capture == null) {
                claim().await(event, event.recorded());
                publish();
            }
            return true;
        }
        if (capture == null && other != null && other.origin().capture() == other) {
            other.join(this);
            capture = other;
            return true;
        }
        return false;
    }

    public synchronized void launch(GraphRun run) {
        if (capture != null) {
            capture.appendAll(run.graph().nodes());
        } else {
            claim().graph(run, run.nextLaunch());
            publish();
        }
    }

    private Command claim() {
        return capture == null ? queue.claim() : capture.append();
    }

    private void publish() {
        if (capture == null) {
            queue.publish();
            if (parked) {
                LockSupport.unpark(thread);
            }
        }
    }

    // ---- capture ----------------------------------------------------------------------------------------------

    /** False when a capture is under way already. */
    public synchronized boolean beginCapture() {
        if (capture != null) {
            return false;
        }
        capture = new Capture(this);
        return true;
    }

    /** The capture that the stream is part of, or null. */
    public @Nullable Capture capture() {
        return capture;
    }

    /** Whether {@link #endCapture} may be called: only where the capture began. */
    public boolean beganCapture() {
        Capture current = capture;
        return current != null && current.origin() == this;
    }

    /** Ends the capture for all of its streams; null when it was invalidated. */
    public @Nullable Graph endCapture() {
        Capture ended = capture();
        if (ended == null) {
            throw new IllegalStateException("no capture is under way");
        }
        ended.streams().forEach(HostStream::leaveCapture);
        return ended.isInvalidated() ? null : ended.graph();
    }

    private synchronized void leaveCapture() {
        capture = null;
    }

    // ---- completion and end -----------------------------------------------------------------------------------

    public boolean isIdle() {
        return queue.isEmpty();
    }

    /** Waits until everything enqueued so far has run, at most {@code timeoutNanos}; false when the time ran out. */
    public boolean awaitIdle(long timeoutNanos) {
        long target = queue.published();
        long start = System.nanoTime();
        for (int round = 0; queue.completed() < target; round++) {
            if (device.lost() || System.nanoTime() - start >= timeoutNanos) {
                return queue.completed() >= target;
            }
            Backoff.step(round, system.spins());
        }
        return true;
    }

    /** Lets the thread end once the queue has run. */
    public synchronized void destroy() {
        capture = null;
        destroyed = true;
        wake();
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    boolean join(long deadlineNanos) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                thread.join(Math.max(1, left / 1_000_000));
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    // ---- the stream's thread ----------------------------------------------------------------------------------

    private void run() {
        try {
            system.settle(device);
            Command command = next();
            while (command != null) {
                execute(command);
                command.forget();
                queue.done();
                command = next();
            }
        } finally {
            system.ended(this);
            system.quiescence().unregister(reader);
        }
    }

    private @Nullable Command next() {
        Command command = queue.peek();
        if (command == null) {
            command = waitForWork();
        }
        return system.stopping() ? null : command;
    }

    private @Nullable Command waitForWork() {
        long idleSince = System.nanoTime();
        for (int round = 0; ; round++) {
            // Read before the queue: what was enqueued before the stream was destroyed still runs.
            boolean last = destroyed || system.stopping();
            Command command = queue.peek();
            if (command != null || last) {
                return command;
            }
            if (System.nanoTime() - idleSince < HOT_NANOS) {
                Backoff.step(Math.min(round, system.spins()), system.spins());
            } else {
                parked = true;
                if (queue.isEmpty() && !destroyed && !system.stopping()) {
                    system.sleeps();
                    LockSupport.park(this);
                    system.wakes();
                }
                parked = false;
            }
        }
    }

    private void execute(Command command) {
        try {
            switch (command.kind) {
                case RECORD -> event(command).reach(command.sequence);
                case WAIT -> awaitRecord(event(command), command.sequence);
                case GRAPH -> replay(graph(command), command.sequence);
                default -> {
                    system.quiescence().enter(reader);
                    try {
                        touch(command);
                    } finally {
                        system.quiescence().leave(reader);
                    }
                }
            }
        } catch (ContextGone e) {
            LOG.debug("{} left: {}", command.describe(), e.getMessage());
        } catch (Throwable t) {
            lose(command, t);
        }
    }

    private void replay(GraphRun run, long launch) {
        for (int round = 0; !run.isTurnOf(launch); round++) {
            memory.relax(round);
        }
        system.quiescence().enter(reader);
        Command[] nodes = run.nodes();
        int done = 0;
        try {
            for (; done < nodes.length; done++) {
                touch(nodes[done]);
            }
        } catch (ContextGone e) {
            throw e;
        } catch (Throwable t) {
            lose(nodes[done], t);
        } finally {
            system.quiescence().leave(reader);
            run.finish(launch);
        }
    }

    /** Runs a command that reads or writes device memory, unless the device is lost. */
    private void touch(Command command) {
        if (device.lost()) {
            return;
        }
        switch (command.kind) {
            case KERNEL -> kernel(command).run(memory, command.parameters());
            case COPY -> copy(command);
            case FILL ->
                system.copies().fill(device.ordinal(), command.destination, (int) command.source, command.count);
            default -> throw new IllegalStateException("not a command that touches memory: " + command.kind);
        }
    }

    private void copy(Command command) {
        long start = System.nanoTime();
        system.copies().onDevice(device.ordinal(), command.destination, command.source, command.count);
        while (System.nanoTime() - start < command.leastNanos && !system.stopping() && !device.lost()) {
            LockSupport.parkNanos(Math.min(LINK_LOOK_NANOS, command.leastNanos - (System.nanoTime() - start)));
        }
    }

    private void awaitRecord(StreamEvent event, long record) {
        for (int round = 0; !event.hasReached(record); round++) {
            memory.relax(round);
        }
    }

    private void lose(Command command, Throwable cause) {
        boolean address = cause instanceof IllegalAddressException;
        CuResult result = address ? CuResult.CUDA_ERROR_ILLEGAL_ADDRESS : CuResult.CUDA_ERROR_LAUNCH_FAILED;
        device.fail(result, command.describe() + " device=" + device.ordinal() + " cause=" + cause);
        LOG.warn(
                "device={} is lost in this process: result={} {}", device.ordinal(), result, command.describe(), cause);
    }

    private static StreamEvent event(Command command) {
        return present(command.event, command);
    }

    private static GraphRun graph(Command command) {
        return present(command.graph, command);
    }

    private static HostKernel kernel(Command command) {
        return present(command.kernel, command);
    }

    private static <T> T present(@Nullable T part, Command command) {
        if (part == null) {
            throw new IllegalStateException("incomplete command: " + command.kind);
        }
        return part;
    }
}
