package io.tutti.gpu;

/** How one rank's memory is made reachable for another, in the order in which kinds are tried for a pair of ranks. */
public enum HandleKind {
    /** Both ranks live in one process on one host: the mapping is shared. */
    IN_PROCESS("in-process"),
    /** A POSIX descriptor sent over a UNIX socket between processes of one host. */
    POSIX_FD("posix-fd"),
    /** An opaque 64-byte fabric handle; works across hosts of one NVLink clique with an IMEX channel. */
    FABRIC("fabric"),
    /** Legacy CUDA IPC: other process, same host, plain allocations only. */
    LEGACY_IPC("legacy-ipc");

    private final String wireName;

    HandleKind(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in settings, JSON and on the wire. */
    public String wireName() {
        return wireName;
    }
}
