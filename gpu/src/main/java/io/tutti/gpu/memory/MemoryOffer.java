package io.tutti.gpu.memory;

import io.tutti.gpu.HandleKind;
import java.util.Arrays;
import java.util.Objects;

/**
 * One rank's workspace, offered to its peers by one handle kind.
 *
 * @param rank the exporting rank
 * @param kind how it is reached
 * @param hostId the exporter's host, as in its facts
 * @param processId the exporter's process, as in its facts
 * @param bytes mapped size, a multiple of the allocation granularity
 * @param padBytes size of the signal pad at the workspace's start
 * @param epoch the epoch that the pad was initialised for
 * @param handle the kind's own bytes: in-process an address and an allocation id, legacy IPC and fabric the driver's
 *     64 opaque bytes, POSIX fd the socket's address and the one-time ticket
 */
public record MemoryOffer(
        int rank,
        HandleKind kind,
        String hostId,
        String processId,
        long bytes,
        long padBytes,
        long epoch,
        byte[] handle) {

    /** The same offer with its handle. */
    public MemoryOffer withHandle(byte[] newHandle) {
        return new MemoryOffer(rank, kind, hostId, processId, bytes, padBytes, epoch, newHandle);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemoryOffer o
                && rank == o.rank
                && kind == o.kind
                && hostId.equals(o.hostId)
                && processId.equals(o.processId)
                && bytes == o.bytes
                && padBytes == o.padBytes
                && epoch == o.epoch
                && Arrays.equals(handle, o.handle);
    }

    @Override
    public int hashCode() {
        return Objects.hash(rank, kind, hostId, processId, bytes, padBytes, epoch, Arrays.hashCode(handle));
    }

    @Override
    public String toString() {
        return "MemoryOffer[rank=" + rank + " kind=" + kind.wireName() + " host=" + hostId + " process=" + processId
                + " bytes=" + bytes + " padBytes=" + padBytes + " epoch=" + epoch + " handle=" + handle.length
                + " bytes]";
    }
}
