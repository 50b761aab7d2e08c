package io.tutti.gpu.process;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.Term;
import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.posix.LocalSocket;
import io.tutti.gpu.posix.SharedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A service as another process would have it, with short deadlines, and the steps that most tests repeat. */
final class Service implements AutoCloseable {

    static final UUID COMMUNICATOR = UUID.fromString("00000000-0000-4000-8000-00000000c0de");
    static final EpochId EPOCH = new EpochId(new Term(3, "coordinator"), 7);
    static final ShareKey KEY = new ShareKey(COMMUNICATOR, 1, EPOCH);
    static final Duration HANDSHAKE = Duration.ofMillis(400);
    static final Duration PATIENCE = Duration.ofSeconds(10);

    final BlockingQueue<Refusal> refusals = new LinkedBlockingQueue<>();
    final LocalService service;

    Service() {
        this(256);
    }

    Service(int maxPending) {
        LocalService.Settings defaults = LocalService.Settings.of(newProcessId());
        service = LocalService.start(new LocalService.Settings(
                defaults.processId(), defaults.address(), HANDSHAKE, HANDSHAKE, maxPending, 8, refusals::add));
    }

    static String newProcessId() {
        return ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    }

    static long deadline() {
        return System.nanoTime() + PATIENCE.toNanos();
    }

    /** A new memfd whose first byte is {@code mark}, exported to ranks. */
    DescriptorExport publish(int mark, Integer... importers) throws IOException {
        return service.publish(KEY, memfd(mark), Set.of(importers));
    }

    static int memfd(int mark) throws IOException {
        SharedMemory memory = SharedMemory.create("tutti-test", 4096);
        memory.view(0, 1).put((byte) mark);
        int copy = Descriptors.duplicate(memory.fd());
        memory.unmap();
        return copy;
    }

    static int mark(int descriptor) throws IOException {
        SharedMemory memory = SharedMemory.attach(descriptor);
        int mark = memory.view(0, 1).get();
        memory.unmap();
        return mark;
    }

    static FetchedDescriptor fetch(DescriptorExport export, int importer) throws IOException {
        return FetchedDescriptor.fetch(export.handle(), KEY, importer, deadline());
    }

    /** A connection that has said nothing yet. */
    LocalSocket connect() throws IOException {
        return LocalSocket.connect(service.address(), deadline());
    }

    /** Sends bytes and returns the whole answer of a well-behaved service. */
    Frame ask(byte[] bytes) throws IOException, Frame.Malformed {
        try (LocalSocket socket = connect()) {
            socket.sendFully(ByteBuffer.wrap(bytes), deadline());
            ByteBuffer answer = ByteBuffer.allocate(Frame.BYTES);
            List<Integer> descriptors = new java.util.ArrayList<>();
            socket.receiveFully(answer, descriptors, deadline());
            descriptors.forEach(Descriptors::close);
            return Frame.decode(answer.flip());
        }
    }

    /** The next refusal that the service reports. */
    Refusal refusal() throws InterruptedException {
        Refusal refusal = refusals.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (refusal == null) {
            throw new AssertionError("the service refused nobody within " + PATIENCE);
        }
        return refusal;
    }

    @Override
    public void close() {
        service.close();
    }
}
