package io.tutti.fidelity;

import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import java.util.Map;

/** The host driver on a topology; a second driver of the JVM is another process to it. */
final class HostSubject implements Subject {

    private static final HostKernel STORE = (memory, params) -> {
        Span span = memory.span(params.getLong(0), Integer.BYTES);
        MemoryWindow.INT.setRelease(span.window().bytes(), span.offset(), (int) params.getLong(8));
    };

    private static final HostKernel AWAIT = (memory, params) -> {
        Span span = memory.span(params.getLong(0), Integer.BYTES);
        int expected = (int) params.getLong(8);
        for (int round = 0;
                (int) MemoryWindow.INT.getAcquire(span.window().bytes(), span.offset()) != expected;
                round++) {
            memory.relax(round);
        }
    };

    private static final Map<String, HostKernel> KERNELS = Map.of(Bench.STORE, STORE, Bench.AWAIT, AWAIT);

    private final Topology topology;
    private final HostDriver driver;

    HostSubject(Topology topology) {
        this.topology = topology;
        this.driver = process();
    }

    private HostDriver process() {
        return HostDriver.builder()
                .topology(topology)
                .kernels(Bench.IMAGE, KERNELS)
                .build();
    }

    @Override
    public Driver driver() {
        return driver;
    }

    @Override
    public Exporter exporter(int device) {
        HostDriver other = process();
        CuContext context = other.primaryCtxRetain(device);
        other.ctxSetCurrent(context);
        long pointer = other.memAlloc(Bench.MIB);
        byte[] handle = other.ipcGetMemHandle(pointer);
        return new Exporter() {
            @Override
            public byte[] handle() {
                return handle;
            }

            @Override
            public void close() {
                other.memFree(pointer);
                other.primaryCtxRelease(device);
                other.close();
            }
        };
    }

    @Override
    public void close() {
        driver.close();
    }
}
