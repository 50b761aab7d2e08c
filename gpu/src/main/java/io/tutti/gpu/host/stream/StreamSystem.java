package io.tutti.gpu.host.stream;

import io.tutti.gpu.host.execution.Places;
import io.tutti.gpu.host.memory.AddressSpace;
import io.tutti.gpu.host.memory.Copies;
import io.tutti.gpu.host.memory.Quiescence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What all streams of one driver share, and the end of their threads. Thread-safe. */
public final class StreamSystem {

    private final AddressSpace space;
    private final Quiescence quiescence;
    private final Copies copies;
    private final Places places;
    private final ThreadPlaces threads;
    private final AtomicInteger awake = new AtomicInteger();
    private final AtomicInteger created = new AtomicInteger();
    private final CopyOnWriteArrayList<HostStream> running = new CopyOnWriteArrayList<>();
    private volatile int spins = Backoff.spins(1);
    private volatile boolean stopping;

    public StreamSystem(AddressSpace space, Quiescence quiescence, Places places, ThreadPlaces threads) {
        this.space = space;
        this.quiescence = quiescence;
        this.copies = new Copies(space);
        this.places = places;
        this.threads = threads;
    }

    /** A stream of the device with its thread started. */
    public HostStream create(DeviceHealth device) {
        HostStream stream = new HostStream(this, device, created.getAndIncrement());
        running.add(stream);
        wakes();
        stream.start();
        return stream;
    }

    void ended(HostStream stream) {
        running.remove(stream);
        sleeps();
    }

    /** One more thread has work, or looks for it. */
    void wakes() {
        spins = Backoff.spins(awake.incrementAndGet());
    }

    /** One thread less does. */
    void sleeps() {
        spins = Backoff.spins(awake.decrementAndGet());
    }

    AddressSpace space() {
        return space;
    }

    Quiescence quiescence() {
        return quiescence;
    }

    Copies copies() {
        return copies;
    }

    /** Called by a stream's thread when it begins. */
    void settle(DeviceHealth device) {
        threads.settle(device.ordinal());
    }

    Places places() {
        return places;
    }

    int spins() {
        return spins;
    }

    boolean stopping() {
        return stopping;
    }

    /** The streams whose threads have not ended, for tests of leaks. */
    public int runningThreads() {
        return running.size();
    }

    /**
     * Ends all threads: queued work is dropped, and a kernel that waits is told to leave.
     *
     * @return the names of the threads that did not end within {@code timeoutNanos}
     */
    public List<String> stop(long timeoutNanos) {
        stopping = true;
        long deadline = System.nanoTime() + timeoutNanos;
        List<HostStream> streams = new ArrayList<>(running);
        streams.forEach(HostStream::wake);
        List<String> stuck = new ArrayList<>();
        for (HostStream stream : streams) {
            if (!stream.join(deadline)) {
                stuck.add(stream.threadName());
            }
        }
        return stuck;
    }
}
