package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.calls.CudaCalls;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.MemoryInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Primary contexts, which a process shares with every other user of the device, and which one is current on a thread. That
 * is set anew for every piece of work: an embedder's own code may set another on the same thread between two of ours, and
 * remembering would launch into the wrong one.
 */
final class ContextCalls {

    private final Session session;
    private final DeviceCalls devices;
    private final CopyLanes copies;
    private final Map<Integer, Integer> references = new HashMap<>(); // by ordinal, guarded by this

    ContextCalls(Session session, DeviceCalls devices, CopyLanes copies) {
        this.session = session;
        this.devices = devices;
        this.copies = copies;
    }

    synchronized CuContext retain(int ordinal) {
        long[] context = new long[1];
        int device = devices.handle(ordinal);
        session.checkRelaxed(
                "cuDevicePrimaryCtxRetain",
                () -> session.calls().cuDevicePrimaryCtxRetain(context, device),
                () -> "device=" + ordinal);
        references.merge(ordinal, 1, Integer::sum);
        session.added(Session.Kind.CONTEXT);
        copies.know(ordinal, context[0]);
        return new CuContext(context[0]);
    }

    synchronized void release(int ordinal) {
        int held = references.getOrDefault(ordinal, 0);
        if (held == 0) {
            throw Session.failure(
                    "cuDevicePrimaryCtxRelease",
                    CuResult.CUDA_ERROR_INVALID_CONTEXT.code(),
                    "device=" + ordinal + " retained=false");
        }
        if (held == 1) {
            copies.close(ordinal);
        }
        int device = devices.handle(ordinal);
        session.checkRelaxed(
                "cuDevicePrimaryCtxRelease",
                () -> session.calls().cuDevicePrimaryCtxRelease(device),
                () -> "device=" + ordinal);
        references.put(ordinal, held - 1);
        session.removed(Session.Kind.CONTEXT);
    }

    CuContext current() {
        long[] context = new long[1];
        session.check("cuCtxGetCurrent", session.calls().cuCtxGetCurrent(context), () -> "");
        return new CuContext(context[0]);
    }

    void setCurrent(CuContext context) {
        int code = session.calls().cuCtxSetCurrent(context.value());
        if (code != 0) {
            throw Session.failure("cuCtxSetCurrent", code, Session.hex("context", context.value()));
        }
    }

    void enablePeerAccess(CuContext peer) {
        int code = session.relaxed(() -> session.calls().cuCtxEnablePeerAccess(peer.value(), 0));
        if (code != CuResult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED.code()) {
            session.check("cuCtxEnablePeerAccess", code, () -> Session.hex("peer", peer.value()));
        }
    }

    MemoryInfo memoryInfo() {
        long[] free = new long[1];
        long[] total = new long[1];
        session.checkRelaxed("cuMemGetInfo", () -> session.calls().cuMemGetInfo(free, total), () -> "");
        return new MemoryInfo(free[0], total[0]);
    }

    /** The ordinal of the current context's device. */
    static int currentDevice(Session session, String call) {
        CudaCalls calls = session.calls();
        int[] device = new int[1];
        session.check("cuCtxGetDevice", calls.cuCtxGetDevice(device), () -> "for=" + call);
        return device[0];
    }
}
