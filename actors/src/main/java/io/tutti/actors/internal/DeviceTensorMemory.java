package io.tutti.actors.internal;

import io.tutti.actors.api.TensorMemory;
import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.ContextScope;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.op.DeviceTensor;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** One plain allocation of a rank's device. */
final class DeviceTensorMemory implements TensorMemory {

    private final Driver driver;
    private final CuContext context;
    private final DeviceTensor tensor;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DeviceTensorMemory(Driver driver, CuContext context, DeviceTensor tensor) {
        this.driver = driver;
        this.context = context;
        this.tensor = tensor;
    }

    static DeviceTensorMemory allocate(Driver driver, CuContext context, DType dtype, long tokens, long hidden) {
        if (tokens < 1 || hidden < 1) {
            throw usage("a tensor needs at least one row and one column: tokens=" + tokens + " hidden=" + hidden);
        }
        long bytes;
        try {
            bytes = new DeviceTensor(0, dtype, tokens, hidden).bytes();
        } catch (ArithmeticException e) {
            throw usage("a tensor's size does not fit into 63 bits: tokens=" + tokens + " hidden=" + hidden);
        }
        try (ContextScope here = ContextScope.enter(driver, context)) {
            DeviceTensor tensor = new DeviceTensor(driver.memAlloc(bytes), dtype, tokens, hidden);
            return new DeviceTensorMemory(driver, context, tensor);
        }
    }

    @Override
    public DeviceTensor tensor() {
        return tensor;
    }

    @Override
    public void write(long byteOffset, ByteBuffer source) {
        requireUsable(byteOffset, source.remaining());
        onDevice(() -> driver.memcpyHtoD(tensor.devicePointer() + byteOffset, source));
    }

    @Override
    public void read(long byteOffset, ByteBuffer destination) {
        requireUsable(byteOffset, destination.remaining());
        onDevice(() -> driver.memcpyDtoH(destination, tensor.devicePointer() + byteOffset));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            onDevice(() -> driver.memFree(tensor.devicePointer()));
        }
    }

    private void onDevice(Runnable step) {
        try (ContextScope here = ContextScope.enter(driver, context)) {
            step.run();
        }
    }

    private void requireUsable(long byteOffset, int bytes) {
        if (closed.get()) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.CLOSED,
                    "the tensor's memory was given back",
                    "Keep it open until the last copy is done."));
        }
        if (byteOffset < 0 || byteOffset > tensor.bytes() - bytes) {
            throw usage("a copy must stay within the tensor: byteOffset=" + byteOffset + " bytes=" + bytes
                    + " tensorBytes=" + tensor.bytes());
        }
    }

    private static TuttiException usage(String message) {
        return new TuttiException(ErrorInfo.of(ErrorCode.USAGE, message, "Correct the shape."));
    }
}
