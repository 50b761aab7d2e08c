package io.tutti.gpu.driver;

/** What {@code cuMemExportToShareableHandle} hands out. */
public sealed interface ShareableHandle {

    /**
     * A POSIX descriptor of this process.
     *
     * @param fd the descriptor; whoever holds this record owns it and closes it
     */
    record PosixFd(int fd) implements ShareableHandle {}

    /**
     * A fabric handle.
     *
     * @param bytes 64 opaque bytes, plain data
     */
    record Fabric(byte[] bytes) implements ShareableHandle {}
}
