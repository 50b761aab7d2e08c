package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.CudaCalls;
import io.tutti.gpu.cuda.calls.CudaFlags;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.LiveObjects;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What all parts of the driver share: the calls, the judging of their codes, and the count of live objects. */
final class Session {

    /** A kind of object that the driver hands out. */
    enum Kind {
        CONTEXT("context"),
        MEMORY("memory"),
        HOST_MEMORY("host-memory"),
        HANDLE("handle"),
        RESERVATION("reservation"),
        MAPPING("mapping"),
        IPC("ipc"),
        STREAM("stream"),
        EVENT("event"),
        MODULE("module"),
        GRAPH("graph"),
        GRAPH_EXEC("graph-exec");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    private final CudaCalls calls;
    private final Map<Kind, AtomicLong> live = new ConcurrentHashMap<>();

    Session(CudaCalls calls) {
        this.calls = calls;
        for (Kind kind : Kind.values()) {
            live.put(kind, new AtomicLong());
        }
    }

    CudaCalls calls() {
        return calls;
    }

    /**
     * Makes a call that a capture of mode GLOBAL on any thread would forbid, in mode RELAXED, and puts the thread's mode
     * back. So neither the runtime's threads nor its calls on a user's thread break a capture of the user's.
     */
    int relaxed(IntSupplier call) {
        int[] mode = {CudaFlags.CAPTURE_MODE_RELAXED};
        int code = calls.cuThreadExchangeStreamCaptureMode(mode);
        if (code != 0) {
            return code;
        }
        try {
            return call.getAsInt();
        } finally {
            calls.cuThreadExchangeStreamCaptureMode(mode);
        }
    }

    /** Throws unless the code is success. */
    void check(String call, int code, Supplier<String> details) {
        if (code != 0) {
            throw failure(call, code, details.get());
        }
    }

    /** The same of a call in relaxed mode. */
    void checkRelaxed(String call, IntSupplier made, Supplier<String> details) {
        check(call, relaxed(made), details);
    }

    /** An object was handed out. */
    void added(Kind kind) {
        count(kind).incrementAndGet();
    }

    /** An object was given back. */
    void removed(Kind kind) {
        count(kind).decrementAndGet();
    }

    private AtomicLong count(Kind kind) {
        return live.computeIfAbsent(kind, any -> new AtomicLong());
    }

    LiveObjects live() {
        Map<String, Long> byKind = new TreeMap<>();
        live.forEach((kind, count) -> byKind.put(kind.label, count.get()));
        return new LiveObjects(byKind);
    }

    static DriverException failure(String call, int code, String details) {
        CuResult result = CuResult.ofCode(code);
        String unknown = result.code() == code ? "" : (details.isEmpty() ? "" : " ") + "code=" + code;
        return new DriverException(call, result, details + unknown);
    }

    static String hex(String name, long value) {
        return name + "=0x" + Long.toHexString(value);
    }
}
