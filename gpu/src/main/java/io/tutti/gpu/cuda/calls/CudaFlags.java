package io.tutti.gpu.cuda.calls;

/** The flags and enumerators of {@code cuda.h} that the runtime passes, under CUDA's names without prefix. */
public final class CudaFlags {

    /** {@code CU_STREAM_NON_BLOCKING}: no implicit order with the legacy default stream. */
    public static final int STREAM_NON_BLOCKING = 1;

    /** {@code CU_EVENT_DEFAULT}: with timing. */
    public static final int EVENT_DEFAULT = 0;

    /** {@code CU_MEMHOSTALLOC_PORTABLE}: pinned for every context. */
    public static final int MEMHOSTALLOC_PORTABLE = 1;

    /** {@code CU_MEMHOSTALLOC_DEVICEMAP}. */
    public static final int MEMHOSTALLOC_DEVICEMAP = 2;

    /** {@code CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS}. */
    public static final int IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1;

    /** {@code CU_STREAM_CAPTURE_MODE_RELAXED}. */
    public static final int CAPTURE_MODE_RELAXED = 2;

    /** {@code CU_STREAM_CAPTURE_STATUS_NONE}. */
    public static final int CAPTURE_STATUS_NONE = 0;

    /** {@code CU_MEM_ALLOC_GRANULARITY_RECOMMENDED}; the multicast enumerator has the same value. */
    public static final int GRANULARITY_RECOMMENDED = 1;

    /** {@code CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK}. */
    public static final int FUNC_MAX_THREADS_PER_BLOCK = 0;

    /** {@code CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES}. */
    public static final int FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;

    /** {@code CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED}. */
    public static final int FUNC_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14;

    /** {@code CU_JIT_ERROR_LOG_BUFFER}. */
    public static final int JIT_ERROR_LOG_BUFFER = 5;

    /** {@code CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES}. */
    public static final int JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6;

    private CudaFlags() {}
}
