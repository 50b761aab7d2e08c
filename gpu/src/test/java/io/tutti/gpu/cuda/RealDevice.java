package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The machine's first device with the kernels of {@code probes}, and the few steps that most tests repeat. */
final class RealDevice implements AutoCloseable {

    static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    final CudaDriver driver;
    final CuContext context;
    final CuStream stream;
    private final CuModule module;
    private final Map<String, CuFunction> functions = new HashMap<>();

    private RealDevice(CudaDriver driver) {
        this.driver = driver;
        this.context = driver.primaryCtxRetain(0);
        driver.ctxSetCurrent(context);
        this.stream = driver.streamCreate();
        this.module = driver.moduleLoad("probes");
    }

    /** Opens it, or skips the test where there is none. */
    static RealDevice open(CudaBinding binding) {
        CudaAvailability answer = Cuda.open(binding, "probes");
        String why = answer instanceof CudaAvailability.Unusable unusable
                ? "SKIPPED: " + unusable.why().describe()
                : "";
        Assumptions.assumeTrue(why.isEmpty(), why);
        return new RealDevice(((CudaAvailability.Usable) answer).driver());
    }

    CuFunction kernel(String name) {
        return functions.computeIfAbsent(name, kernel -> driver.moduleGetFunction(module, "probe_" + kernel));
    }

    void launch(String kernel, long address, long value) {
        launch(kernel, LaunchGeometry.SINGLE, stream, address, value);
    }

    void launch(String kernel, LaunchGeometry geometry, CuStream on, long address, long value) {
        driver.launchKernel(kernel(kernel), geometry, on, params(address, value));
    }

    static ByteBuffer params(long address, long value) {
        ByteBuffer params = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        return params.putLong(address).putLong(value).flip();
    }

    void sync() {
        assertThat(driver.streamSynchronize(stream, PATIENCE))
                .as("the stream drains")
                .isTrue();
    }

    int read(long address) {
        ByteBuffer word = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        driver.memcpyDtoH(word, address);
        return word.getInt(0);
    }

    void write(long address, int value) {
        ByteBuffer word = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        driver.memcpyHtoD(address, word.putInt(0, value));
    }

    /** Zeroed plain memory. */
    long plain(long bytes) {
        long address = driver.memAlloc(bytes);
        driver.memsetD32Async(address, 0, bytes / Integer.BYTES, stream);
        sync();
        return address;
    }

    /** Virtual memory, mapped and accessible. */
    record Mapped(CuMemHandle handle, long address, long bytes) {}

    Mapped virtual(ShareableType type) {
        AllocationProperties properties = new AllocationProperties(0, type);
        long bytes = driver.memGetAllocationGranularity(properties);
        return map(driver.memCreate(bytes, properties), bytes);
    }

    Mapped map(CuMemHandle handle, long bytes) {
        long address = driver.memAddressReserve(bytes, 0);
        driver.memMap(address, bytes, handle);
        driver.memSetAccess(address, bytes, 0);
        return new Mapped(handle, address, bytes);
    }

    void free(Mapped mapped) {
        driver.memUnmap(mapped.address, mapped.bytes);
        driver.memAddressFree(mapped.address, mapped.bytes);
        driver.memRelease(mapped.handle);
    }

    /** Gives everything back and requires that nothing is left. */
    @Override
    public void close() {
        driver.moduleUnload(module);
        driver.streamDestroy(stream);
        driver.primaryCtxRelease(0);
        assertThat(driver.live().total()).as(() -> "live " + driver.live()).isZero();
        driver.close();
    }
}
