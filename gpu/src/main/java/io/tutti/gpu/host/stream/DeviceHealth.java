package io.tutti.gpu.host.stream;

import io.tutti.gpu.driver.CuResult;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether a device's context still works in this process. The first sticky error stays for good. Thread-safe. */
public final class DeviceHealth {

    /**
     * @param result the sticky result
     * @param details which kernel or copy it was, as {@code name=value} pairs
     */
    public record Failure(CuResult result, String details) {}

    private final int ordinal;
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

    public DeviceHealth(int ordinal) {
        this.ordinal = ordinal;
    }

    public int ordinal() {
        return ordinal;
    }

    public void fail(CuResult result, String details) {
        failure.compareAndSet(null, new Failure(result, details));
    }

    public @Nullable Failure failure() {
        return failure.get();
    }

    boolean lost() {
        return failure.get() != null;
    }
}
