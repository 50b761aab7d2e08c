package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.*;

import java.util.Map;

/** Plain memory, copies and virtual memory of one process. */
final class MemoryAnswers {

    private static final String LESS =
            "Free device memory (nvidia-smi shows who has it), or lower tutti.workspace.size.";
    private static final String CAPTURE = "Make the call outside the capture.";

    private MemoryAnswers() {}

    static void add(Map<String, Map<CuResult, Explanation>> table) {
        plain(table);
        copies(table);
        physical(table);
        mappings(table);
    }

    private static void plain(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMemAlloc", "allocate plain device memory")
                .inContext()
                .answers(CUDA_ERROR_INVALID_VALUE, "The size of the plain memory is 0.", CallEntry.REPORT)
                .answers(CUDA_ERROR_OUT_OF_MEMORY, "The device has no piece of plain memory of that size left.", LESS)
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "Plain memory cannot be allocated while a stream is being captured.",
                        CAPTURE);
        CallEntry.of(table, "cuMemFree", "free plain device memory")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The pointer is not the base of plain memory that is still allocated: freed twice, or not from"
                                + " cuMemAlloc.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                        "Plain memory cannot be freed while a stream is being captured.",
                        CAPTURE);
        CallEntry.of(table, "cuMemHostAlloc", "pin host memory and map it for devices")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The size of the pinned memory is 0, or its flags are unknown.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The host may not lock that much memory, or has none left.",
                        "Raise the locked-memory limit (ulimit -l) and the container's memory limit.")
                .answers(
                        CUDA_ERROR_OPERATING_SYSTEM,
                        "The operating system refused to lock or map the pages.",
                        "Look at ulimit -l, at the container's seccomp profile and at dmesg.");
        CallEntry.of(table, "cuMemFreeHost", "free pinned host memory")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The address is not pinned memory of this process that is still allocated.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuMemHostGetDevicePointer", "tell where devices see pinned host memory")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The address is not pinned memory that was mapped for devices.",
                        CallEntry.REPORT);
    }

    private static void copies(Map<String, Map<CuResult, Explanation>> table) {
        copy(table, "cuMemcpyHtoD", "copy from host to device memory");
        copy(table, "cuMemcpyDtoH", "copy from device to host memory");
        enqueued(copy(table, "cuMemcpyDtoDAsync", "enqueue a copy between device memories"), "copy");
        enqueued(
                CallEntry.of(table, "cuMemsetD32Async", "enqueue a fill of device memory")
                        .inContext()
                        .answers(
                                CUDA_ERROR_INVALID_VALUE,
                                "The range to fill is not within one allocation, or its address is no multiple of 4.",
                                CallEntry.REPORT),
                "fill");
    }

    private static CallEntry copy(Map<String, Map<CuResult, Explanation>> table, String name, String purpose) {
        return CallEntry.of(table, name, purpose)
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "A range is not within memory that is allocated or mapped here when the driver was to "
                                + purpose + ".",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                        "To " + purpose
                                + " would wait for the legacy default stream while another stream is being captured.",
                        "Capture in mode RELAXED, or copy on a stream of one's own.");
    }

    private static void enqueued(CallEntry call, String what) {
        call.answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The stream of the " + what + " was destroyed, or belongs to another device's context.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        "The stream's capture was spoilt before the " + what + " could join it.",
                        "End the capture and capture again; the error before this one says what spoilt it.");
    }

    private static void physical(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMemGetAllocationGranularity", "tell the granularity of shareable memory")
                .started()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The properties for which the granularity was asked contradict each other.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "No visible device has the ordinal in the properties.",
                        "Check CUDA_VISIBLE_DEVICES, which numbers devices anew.")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device has no virtual memory management, as in some virtual machines.",
                        "Allow the handle kind legacy-ipc or in-process, which take plain memory.")
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "The granularity for fabric handles is told only to a process that may open an IMEX channel.",
                        "Pass an IMEX channel (/dev/nvidia-caps-imex-channels) to the process. "
                                + CallEntry.OTHER_KIND);
        CallEntry.of(table, "cuMemCreate", "allocate shareable device memory")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The size is no multiple of the allocation granularity, or the properties contradict each other.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device has not that many whole granules left for shareable memory.",
                        LESS)
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "No visible device has the ordinal on which shareable memory was asked for.",
                        "Check CUDA_VISIBLE_DEVICES, which numbers devices anew.")
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "Memory for fabric handles needs an IMEX channel that this process may open, whatever the device's"
                                + " attribute says.",
                        "Pass an IMEX channel (/dev/nvidia-caps-imex-channels) to the process or container. "
                                + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device makes no memory for this handle kind, or has no virtual memory management.",
                        CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The fabric's daemons (fabric manager, IMEX) are not ready to give memory that other hosts may map.",
                        "See nvidia-imex-ctl -N and nvidia-fabricmanager; ranks try again a few times together.");
        CallEntry.of(table, "cuMemRelease", "drop a reference to shareable memory")
                .started()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The handle of the memory is none, or was released before.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device has no virtual memory management, so that there is nothing to release.",
                        CallEntry.REPORT);
    }

    private static void mappings(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMemAddressReserve", "reserve a range of addresses")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The range's size is no multiple of the granularity, or its alignment no power of two.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The process has no free range of addresses that large.",
                        "Raise the process's address-space limit (ulimit -v); report it where there is none.")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device has no virtual memory management, so that no addresses are reserved.",
                        "Allow the handle kind legacy-ipc or in-process, which take plain memory.");
        CallEntry.of(table, "cuMemAddressFree", "free a range of addresses")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The range was not reserved like that, or something is still mapped in it.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device has no virtual memory management, so that no addresses were reserved.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuMemMap", "map memory at reserved addresses")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The addresses are not reserved or not free, or address, size or offset is no multiple of the"
                                + " granularity.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The memory is on a device that this context cannot map.",
                        "Place the ranks on devices that are peers, or of one NVLink clique.")
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device or the host has no room for the tables of one more mapping.",
                        LESS)
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "The process may not map this memory: it is another host's, and the IMEX channel does not allow it.",
                        "Give all processes a channel of one IMEX domain. " + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device has no virtual memory management, or cannot map memory of this kind.",
                        CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_TIMEOUT,
                        "Some device of the multicast object's team was not added; hardware would have waited without a"
                                + " limit.",
                        "Add every device of the team before the object is mapped.");
        CallEntry.of(table, "cuMemUnmap", "unmap memory")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The range is not exactly one or several whole mappings.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device has no virtual memory management, so that nothing is mapped.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuMemSetAccess", "let a device read and write mapped memory")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The range is not wholly mapped, or its size is no multiple of the granularity.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The device that is to get access has no path to the memory: no peer, or another NVLink clique.",
                        "Place the ranks on devices that are peers; nvidia-smi topo -p2p rw shows them.")
                .answers(
                        CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                        "There is no peer path from the device to the memory's device.",
                        "Place the ranks on devices that are peers, or allow a path that needs none.")
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY, "The device has no room for the page tables that access needs.", LESS)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device cannot give access to mapped memory one by one.",
                        CallEntry.OTHER_KIND);
    }
}
