package io.tutti.gpu.rank;

import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.abi.StatusRecord;
import io.tutti.gpu.abi.Words;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.HostMapped;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The host-mapped ring of status records of one rank; read by any thread. */
final class StatusRing implements AutoCloseable {

    /** Kernels that may be in flight; a power of two. */
    static final int RECORDS = 4096;

    private final Driver driver;
    private final HostMapped memory;

    StatusRing(Driver driver) {
        this.driver = driver;
        this.memory = driver.memHostAlloc((long) RECORDS * StatusRecord.SIZE);
    }

    long devicePointer() {
        return memory.devicePointer();
    }

    /** How kernel {@code number} left, or null when it has not yet. */
    @Nullable
    LaunchOutcome read(long number) {
        ByteBuffer buffer = memory.buffer();
        int at = (int) (number % RECORDS) * StatusRecord.SIZE;
        long published = Words.getLongAcquire(buffer, at + StatusRecord.PUBLISHED);
        if (!StatusRecord.publishes(published, number)) {
            return null;
        }
        return new LaunchOutcome(
                buffer.getLong(at + StatusRecord.EPOCH),
                buffer.getLong(at + StatusRecord.SEQUENCE),
                StatusCode.ofCode(buffer.getInt(at + StatusRecord.CODE)),
                buffer.getInt(at + StatusRecord.NAMED_RANK),
                StatusRecord.nanos(published));
    }

    @Override
    public void close() {
        driver.memFreeHost(memory);
    }
}
