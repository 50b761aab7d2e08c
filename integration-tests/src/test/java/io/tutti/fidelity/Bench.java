package io.tutti.fidelity;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.HostMapped;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Where one step runs: the first device's context, and objects that are given back afterwards in reverse order, whatever
 * the step did to them. Used by one thread.
 */
final class Bench implements AutoCloseable {

    static final String IMAGE = "fidelity";
    static final String STORE = "fidelity_store";
    static final String AWAIT = "fidelity_await";
    static final long MIB = 1L << 20;
    static final long GIB = 1L << 30;

    /** What virtual memory is counted in on every machine that was recorded so far. */
    static final long GRAIN = 2 * MIB;

    /** An address where nothing is. */
    static final long WILD = 0x1234_5600L;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final Subject subject;
    private final Driver driver;
    private final CuContext context;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    Bench(Subject subject) {
        this.subject = subject;
        this.driver = subject.driver();
        this.context = driver.primaryCtxRetain(0);
        driver.ctxSetCurrent(context);
    }

    Driver driver() {
        return driver;
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    Answer ask(Runnable call) {
        return askFor(() -> {
            call.run();
            return "";
        });
    }

    Answer askFor(Supplier<?> call) {
        try {
            return Answer.success(String.valueOf(call.get()));
        } catch (DriverException refusal) {
            return Answer.refused(refusal);
        }
    }

    // ---- contexts ---------------------------------------------------------------------------------------------

    CuContext context() {
        return context;
    }

    /** The calling thread has no context until the step is over. */
    void withoutContext() {
        driver.ctxSetCurrent(new CuContext(0));
    }

    /** Gives back every reference to the first device's context; tells how many there were. */
    int releaseContext() {
        int released = 0;
        while (driver.live().byKind().getOrDefault("context", 0L) > 0) {
            driver.primaryCtxRelease(0);
            released++;
        }
        return released;
    }

    /** Takes as many references again, and makes the context current. */
    void retainContext(int references) {
        for (int i = 0; i < references; i++) {
            driver.ctxSetCurrent(driver.primaryCtxRetain(0));
        }
    }

    /** The second device's context, not made current. */
    CuContext secondContext() {
        CuContext second = driver.primaryCtxRetain(1);
        undo.push(() -> driver.primaryCtxRelease(1));
        return second;
    }

    // ---- plain memory -----------------------------------------------------------------------------------------

    long plain(long bytes) {
        long pointer = driver.memAlloc(bytes);
        undo.push(() -> driver.memFree(pointer));
        return pointer;
    }

    long freedPlain(long bytes) {
        long pointer = driver.memAlloc(bytes);
        driver.memFree(pointer);
        return pointer;
    }

    HostMapped mappedHost(long bytes) {
        HostMapped memory = driver.memHostAlloc(bytes);
        undo.push(() -> driver.memFreeHost(memory));
        return memory;
    }

    static ByteBuffer bytes(int count) {
        return ByteBuffer.allocateDirect(count).order(ByteOrder.nativeOrder());
    }

    int word(long pointer) {
        ByteBuffer word = bytes(Integer.BYTES);
        driver.memcpyDtoH(word, pointer);
        return word.getInt(0);
    }

    // ---- virtual memory ---------------------------------------------------------------------------------------

    CuMemHandle handle(long bytes, ShareableType type) {
        return handle(bytes, new AllocationProperties(0, type));
    }

    CuMemHandle handle(long bytes, AllocationProperties properties) {
        CuMemHandle handle = driver.memCreate(bytes, properties);
        undo.push(() -> driver.memRelease(handle));
        return handle;
    }

    CuMemHandle handle() {
        return handle(GRAIN, ShareableType.POSIX_FD);
    }

    long reserved(long bytes) {
        return reserved(bytes, 0);
    }

    long reserved(long bytes, long alignment) {
        long address = driver.memAddressReserve(bytes, alignment);
        undo.push(() -> driver.memAddressFree(address, bytes));
        return address;
    }

    /** Maps memory that is unmapped at the end, also when the step has unmapped it already. */
    void map(long address, long bytes, CuMemHandle handle) {
        driver.memMap(address, bytes, handle);
        undo.push(() -> driver.memUnmap(address, bytes));
    }

    /** Memory of its own, mapped, that no device has access to. */
    long mapped(long bytes) {
        long address = reserved(bytes);
        map(address, bytes, handle(bytes, ShareableType.POSIX_FD));
        return address;
    }

    /** Memory of its own that the first device can use. */
    long accessible(long bytes) {
        long address = mapped(bytes);
        driver.memSetAccess(address, bytes, 0);
        return address;
    }

    /** A descriptor of memory, closed at the end. */
    ShareableHandle.PosixFd descriptor(CuMemHandle handle) {
        var exported = (ShareableHandle.PosixFd) driver.memExportToShareableHandle(handle, ShareableType.POSIX_FD);
        undo.push(() -> Descriptors.close(exported.fd()));
        return exported;
    }

    CuMemHandle imported(ShareableHandle shareable) {
        CuMemHandle handle = driver.memImportFromShareableHandle(shareable);
        undo.push(() -> driver.memRelease(handle));
        return handle;
    }

    // ---- other processes --------------------------------------------------------------------------------------

    /** A legacy IPC handle of a process that lives until the step is over. */
    byte[] foreignHandle(int device) {
        Subject.Exporter exporter = subject.exporter(device);
        undo.push(exporter::close);
        return exporter.handle();
    }

    /** A legacy IPC handle of a process that has ended. */
    byte[] orphanedHandle() {
        try (Subject.Exporter exporter = subject.exporter(0)) {
            return exporter.handle();
        }
    }

    long opened(byte[] handle) {
        long pointer = driver.ipcOpenMemHandle(handle);
        undo.push(() -> driver.ipcCloseMemHandle(pointer));
        return pointer;
    }

    // ---- streams, events and graphs ---------------------------------------------------------------------------

    CuStream stream() {
        CuStream stream = driver.streamCreate();
        undo.push(() -> driver.streamDestroy(stream));
        return stream;
    }

    CuStream destroyedStream() {
        CuStream stream = driver.streamCreate();
        driver.streamDestroy(stream);
        return stream;
    }

    CuEvent event() {
        CuEvent event = driver.eventCreate();
        undo.push(() -> driver.eventDestroy(event));
        return event;
    }

    CuEvent destroyedEvent() {
        CuEvent event = driver.eventCreate();
        driver.eventDestroy(event);
        return event;
    }

    CuEvent recorded(CuStream stream) {
        CuEvent event = event();
        driver.eventRecord(event, stream);
        return event;
    }

    void sync(CuStream stream) {
        if (!driver.streamSynchronize(stream, PATIENCE)) {
            throw new IllegalStateException("the stream does not drain");
        }
    }

    /** A stream whose capture is ended at the end, if the step does not. */
    CuStream capturing() {
        CuStream stream = stream();
        driver.streamBeginCapture(stream);
        undo.push(() -> driver.graphDestroy(driver.streamEndCapture(stream)));
        return stream;
    }

    CuGraph ended(CuStream stream) {
        CuGraph graph = driver.streamEndCapture(stream);
        undo.push(() -> driver.graphDestroy(graph));
        return graph;
    }

    /** A graph with one node, which fills a word. */
    CuGraph graph() {
        long word = plain(256);
        CuStream stream = capturing();
        driver.memsetD32Async(word, 1, 1, stream);
        return ended(stream);
    }

    CuGraphExec executable(CuGraph graph) {
        CuGraphExec exec = driver.graphInstantiate(graph);
        undo.push(() -> driver.graphExecDestroy(exec));
        return exec;
    }

    // ---- kernels ----------------------------------------------------------------------------------------------

    CuModule module() {
        CuModule module = driver.moduleLoad(IMAGE);
        undo.push(() -> driver.moduleUnload(module));
        return module;
    }

    CuFunction kernel(String name) {
        return driver.moduleGetFunction(module(), name);
    }

    static ByteBuffer params(long first, long second) {
        return bytes(2 * Long.BYTES).putLong(first).putLong(second).flip();
    }

    void launch(String kernel, CuStream stream, long first, long second) {
        driver.launchKernel(kernel(kernel), LaunchGeometry.SINGLE, stream, params(first, second));
    }

    /** Makes a stream wait until the step is over, at most some seconds. */
    void occupy(CuStream stream) {
        HostMapped word = mappedHost(64);
        launch(AWAIT, stream, word.devicePointer(), 1);
        undo.push(() -> {
            word.buffer().putInt(0, 1);
            sync(stream);
        });
    }

    /** Loses the context for good: a kernel stores where nothing is mapped. */
    void loseContext(CuStream stream) {
        CuFunction store = kernel(STORE);
        driver.launchKernel(store, LaunchGeometry.SINGLE, stream, params(WILD, 1));
        try {
            sync(stream);
        } catch (DriverException expected) {
            return;
        }
        throw new IllegalStateException("the context is still there");
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    /** At the end, after everything that is pushed later. */
    void atEnd(Runnable action) {
        undo.push(action);
    }

    /** Gives back what is still there; what the step has given back already refuses, which is no news. */
    @Override
    public void close() {
        quietly(() -> driver.ctxSetCurrent(context));
        while (!undo.isEmpty()) {
            quietly(undo.pop());
        }
        quietly(() -> driver.primaryCtxRelease(0));
        quietly(() -> driver.ctxSetCurrent(new CuContext(0)));
    }

    private static void quietly(Runnable action) {
        try {
            action.run();
        } catch (DriverException | IllegalStateException ignored) {
            // The live objects are counted when all is done.
        }
    }
}
