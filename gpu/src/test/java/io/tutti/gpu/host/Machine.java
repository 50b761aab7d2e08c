package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.MulticastSpan;
import io.tutti.gpu.host.execution.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A host driver for a test, with every context retained, and the few steps that most tests repeat. */
final class Machine implements AutoCloseable {

    static final long DEVICE_BYTES = 64L << 20;
    static final long PATIENCE = Duration.ofSeconds(20).toNanos();

    /** Adds its second parameter to the 32-bit word at its first; takes two longs. */
    static final HostKernel ADD = (memory, params) -> {
        Span span = memory.span(params.getLong(0), Integer.BYTES);
        int index = span.offset() / Integer.BYTES;
        span.window().ints().put(index, span.window().ints().get(index) + (int) params.getLong(8));
    };

    /** Waits until the 32-bit word at its first parameter is its second. */
    static final HostKernel AWAIT = (memory, params) -> {
        Span span = memory.span(params.getLong(0), Integer.BYTES);
        int expected = (int) params.getLong(8);
        for (int round = 0;
                (int) MemoryWindow.INT.getAcquire(span.window().bytes(), span.offset()) != expected;
                round++) {
            memory.relax(round);
        }
    };

    static final HostKernel STORE = (memory, params) -> {
        Span span = memory.span(params.getLong(0), Integer.BYTES);
        MemoryWindow.INT.setRelease(span.window().bytes(), span.offset(), (int) params.getLong(8));
    };

    /** Stores its second parameter through the multicast address at its first. */
    static final HostKernel SPREAD = (memory, params) -> {
        MulticastSpan all = new MulticastSpan();
        memory.multicast(params.getLong(0), Integer.BYTES, all);
        all.setRelease(0, (int) params.getLong(8));
    };

    static final Map<String, HostKernel> KERNELS = Map.of(
            "spread", SPREAD,
            "add", ADD,
            "await", AWAIT,
            "store", STORE,
            "nothing", (memory, params) -> {},
            "throw",
                    (memory, params) -> {
                        throw new IllegalStateException("broken on purpose");
                    });

    final HostDriver driver;
    private final int devices;
    private final Map<Integer, CuModule> modules = new TreeMap<>();

    Machine(HostDriver driver) {
        this.driver = driver;
        this.devices = driver.deviceCount();
        for (int device = devices - 1; device >= 0; device--) {
            use(device, driver.primaryCtxRetain(device));
            modules.put(device, driver.moduleLoad("tests"));
        }
    }

    static Machine local(int devices) {
        return new Machine(builder(devices).build());
    }

    static HostDriverBuilder builder(int devices) {
        return HostDriver.builder()
                .topology(Topology.local(devices, DEVICE_BYTES))
                .kernels("tests", KERNELS);
    }

    void use(int device) {
        use(device, new CuContext(device + 1L));
    }

    private void use(int device, CuContext context) {
        driver.ctxSetCurrent(context);
        assertThat(device).isBetween(0, devices - 1);
    }

    CuContext context(int device) {
        return new CuContext(device + 1L);
    }

    CuFunction kernel(int device, String name) {
        CuModule module = modules.get(device);
        assertThat(module).isNotNull();
        return driver.moduleGetFunction(module, name);
    }

    void launch(CuStream stream, int device, String name, long... params) {
        driver.launchKernel(kernel(device, name), LaunchGeometry.SINGLE, stream, struct(params));
    }

    static ByteBuffer struct(long... params) {
        ByteBuffer struct =
                ByteBuffer.allocateDirect(params.length * Long.BYTES).order(ByteOrder.nativeOrder());
        for (long param : params) {
            struct.putLong(param);
        }
        return struct.flip();
    }

    void sync(CuStream stream) {
        assertThat(driver.streamSynchronize(stream, PATIENCE)).isTrue();
    }

    int read(long address) {
        ByteBuffer word = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        driver.memcpyDtoH(word, address);
        return word.getInt(0);
    }

    void write(long address, int value) {
        ByteBuffer word = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        word.putInt(0, value);
        driver.memcpyHtoD(address, word);
    }

    /** Zeroed plain memory. */
    long zeroed(long bytes, CuStream stream) {
        long address = driver.memAlloc(bytes);
        driver.memsetD32Async(address, 0, bytes / Integer.BYTES, stream);
        sync(stream);
        return address;
    }

    /** Virtual memory created, reserved, mapped and accessible by its own device. */
    record Mapped(CuMemHandle handle, long address, long bytes) {}

    Mapped virtual(int device, long bytes, ShareableType type) {
        CuMemHandle handle = driver.memCreate(bytes, new AllocationProperties(device, type));
        return map(handle, bytes, device);
    }

    Mapped map(CuMemHandle handle, long bytes, int... accessors) {
        long address = driver.memAddressReserve(bytes, 0);
        driver.memMap(address, bytes, handle);
        for (int device : accessors) {
            driver.memSetAccess(address, bytes, device);
        }
        return new Mapped(handle, address, bytes);
    }

    void free(Mapped mapped) {
        driver.memUnmap(mapped.address, mapped.bytes);
        driver.memAddressFree(mapped.address, mapped.bytes);
        driver.memRelease(mapped.handle);
    }

    /** Gives back what this fixture took; a test that freed the rest then finds nothing live. */
    void tidy() {
        modules.values().forEach(driver::moduleUnload);
        modules.clear();
        for (int device = 0; device < devices; device++) {
            driver.primaryCtxRelease(device);
        }
    }

    @Override
    public void close() {
        driver.close();
    }
}
