package io.tutti.gpu.process;

import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.posix.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A descriptor that a peer process has sent, and the connection over which the peer waits to hear that the memory is
 * mapped. Used by one thread; closing it closes both, once.
 */
public final class FetchedDescriptor implements AutoCloseable {

    private final LocalSocket socket;
    private final long deadlineNanos;
    private int descriptor;

    private FetchedDescriptor(LocalSocket socket, int descriptor, long deadlineNanos) {
        this.socket = socket;
        this.descriptor = descriptor;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * Asks a peer's service.
     *
     * @param handle what {@link DescriptorExport#handle()} gave
     * @param key the memory that is expected
     * @param importer the asking rank
     * @param deadlineNanos for everything up to {@link #confirm()}, on {@link System#nanoTime}'s scale
     * @throws IOException with no descriptor left open: {@link java.net.ConnectException} when the process has no service,
     *     {@link java.net.SocketTimeoutException} at the deadline, {@link java.io.EOFException} when it ended meanwhile
     * @throws IllegalArgumentException when the bytes are no handle
     */
    public static FetchedDescriptor fetch(byte[] handle, ShareKey key, int importer, long deadlineNanos)
            throws IOException {
        DescriptorHandle where = DescriptorHandle.decode(handle);
        // Made first: a connection that says nothing is turned away, and the first digest of a JVM takes its time.
        Frame request = Frame.request(key, importer, where.exportId(), where.count());
        ByteBuffer asking = ByteBuffer.wrap(request.sealedBy(where.secret()).encode());
        LocalSocket socket = LocalSocket.connect(where.address(), deadlineNanos);
        List<Integer> received = new ArrayList<>();
        try {
            if (socket.peer().uid() != LocalSocket.ownUid()) {
                throw new Answers.RefusedException("the exporter belongs to another user: " + socket.peer());
            }
            socket.sendFully(asking, deadlineNanos);
            ByteBuffer bytes = ByteBuffer.allocate(Frame.BYTES);
            socket.receiveFully(bytes, received, deadlineNanos);
            check(Answers.read(bytes.flip()), request, where, received, socket);
            return new FetchedDescriptor(socket, received.get(0), deadlineNanos);
        } catch (IOException | RuntimeException e) {
            received.forEach(Descriptors::close);
            socket.close();
            throw e;
        }
    }

    private static void check(
            Frame answer, Frame request, DescriptorHandle where, List<Integer> received, LocalSocket socket)
            throws IOException {
        if (!answer.answers(request, Frame.Kind.GRANTED)) {
            throw new Answers.RefusedException("the answer is for another request: " + socket.peer() + " asked: "
                    + request.describe() + " answered: " + answer.describe());
        }
        if (!answer.isSealedBy(where.secret())) {
            throw new Answers.RefusedException("the answer's seal is wrong: " + socket.peer());
        }
        if (received.size() != where.count()) {
            throw new Answers.RefusedException("the answer carries the wrong number of descriptors: " + socket.peer()
                    + " received=" + received.size() + " expected=" + where.count());
        }
    }

    /** The descriptor; this object's until {@link #closeDescriptor()}. */
    public int descriptor() {
        return descriptor;
    }

    /** Closes the descriptor early, once the driver has imported it. */
    public void closeDescriptor() {
        if (descriptor >= 0) {
            Descriptors.close(descriptor);
            descriptor = -1;
        }
    }

    /**
     * Tells the exporter that it need not keep its descriptor for this rank any longer.
     *
     * @throws IOException when it has ended or has withdrawn the memory
     */
    public void confirm() throws IOException {
        socket.sendFully(ByteBuffer.wrap(new byte[] {Frame.CONFIRMED}), deadlineNanos);
    }

    @Override
    public void close() {
        closeDescriptor();
        socket.close();
    }
}
