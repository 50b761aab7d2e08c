package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.*;

import java.util.Map;

/** Handles that cross processes and hosts. */
final class SharingAnswers {

    private SharingAnswers() {}

    static void add(Map<String, Map<CuResult, Explanation>> table) {
        export(table);
        importing(table);
        legacyIpc(table);
    }

    private static void export(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMemExportToShareableHandle", "export memory as a handle for others")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The memory was not made for this handle kind, or is an import itself.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The memory that was to be exported is released already.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OPERATING_SYSTEM,
                        "The operating system gave no descriptor for the memory.",
                        "Raise the limit of open files (ulimit -n). " + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The host has no memory or no descriptor left for one more export.",
                        "Raise the limit of open files (ulimit -n) and the container's memory limit.")
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "The process may not open the IMEX channel that a fabric handle needs.",
                        "Pass an IMEX channel to the process or container. " + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device or the driver exports no handles of this kind.",
                        CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The IMEX daemon is not ready to answer for a fabric handle.",
                        "See nvidia-imex-ctl -N on every host; ranks try again a few times together.");
    }

    private static void importing(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMemImportFromShareableHandle", "import a peer's memory by its handle")
                .inContext()
                .answers(CUDA_ERROR_INVALID_VALUE, "The handle is of another kind than was said.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The exporter has released the memory, has ended, or lives on another host than the handle kind"
                                + " reaches.",
                        "Keep the exporter alive until every importer has mapped its memory. " + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The exporter's device is not visible to this process, or is in another clique.",
                        "Make all devices of the communicator visible to each of its processes. "
                                + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The host or the device has no room for one more import.",
                        "Free memory on both; raise the limit of open files (ulimit -n).")
                .answers(
                        CUDA_ERROR_OPERATING_SYSTEM,
                        "The operating system did not let the driver take the descriptor.",
                        "Look at the container's seccomp profile and at ulimit -n. " + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "The exporter is in another NVLink clique, or this host has no IMEX channel in the exporter's domain.",
                        "Check that nvidia-imex runs on both hosts in one domain, and their cliques. "
                                + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "These bytes are no fabric handle of a driver that this one understands.",
                        "Use the same driver version on all hosts. " + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The IMEX daemons of the two hosts have not found each other yet.",
                        "See nvidia-imex-ctl -N on every host; ranks try again a few times together.")
                .answers(
                        CUDA_ERROR_UNKNOWN,
                        "The descriptor is closed, or is of something else than shared device memory.",
                        "Keep the exporter alive until every importer has mapped its memory. " + CallEntry.OTHER_KIND);
    }

    private static void legacyIpc(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuIpcGetMemHandle", "make a legacy IPC handle")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The pointer is not the base of a plain allocation; memory made by cuMemCreate or a pool has no such"
                                + " handle.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The memory for which a legacy IPC handle was asked is freed already.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The host has no room to export one more piece of memory by legacy IPC.",
                        "Raise the container's memory limit and /dev/shm (--shm-size).")
                .answers(
                        CUDA_ERROR_OPERATING_SYSTEM,
                        "The operating system did not let the driver export memory by legacy IPC.",
                        "Give the container --ipc=host, or use another handle kind.")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device, a MIG slice, or the environment (vGPU, WSL) has no legacy IPC.",
                        CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "A policy of the system forbids legacy IPC to this process.",
                        CallEntry.OTHER_KIND);
        CallEntry.of(table, "cuIpcOpenMemHandle", "open a peer's legacy IPC handle")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_CONTEXT,
                        "A legacy IPC handle cannot be opened in the process that made it.",
                        "Use in-process handles between ranks of one process.")
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "These bytes are no legacy IPC handle.",
                        "Use the same driver version in all containers of the host. " + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "Legacy IPC handles work on the host that made them: this one is from another host, or its memory is"
                                + " gone.",
                        "Use fabric handles across hosts, or ranks on one host.")
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The exporter's device is not visible to this process, as in containers with different devices.",
                        "Make all devices of the communicator visible to each of its processes. "
                                + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device has no room to map what the legacy IPC handle names.",
                        "Free device memory, or lower tutti.workspace.size.")
                .answers(
                        CUDA_ERROR_TOO_MANY_PEERS,
                        "Opening the handle would need one more peer than the device's hardware can reach.",
                        "Put fewer of that device's peers into one communicator.")
                .answers(
                        CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                        "The handle's device is no peer of this one, so that its memory cannot be opened here.",
                        "Place the ranks on devices that are peers.")
                .answers(
                        CUDA_ERROR_OPERATING_SYSTEM,
                        "The operating system does not let this process open the exporter's memory: another namespace of"
                                + " process ids or IPC.",
                        "Give the containers one namespace (--ipc, --pid), or use another handle kind.")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The environment has no legacy IPC, although the exporter's has.",
                        CallEntry.OTHER_KIND);
        CallEntry.of(table, "cuIpcCloseMemHandle", "close a peer's legacy IPC memory")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The pointer is none that cuIpcOpenMemHandle gave, or was closed before.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The memory behind the opened handle is gone, with its exporter.",
                        "Nothing to do when the exporter has ended; else report it.")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The environment has no legacy IPC, so that nothing is open.",
                        CallEntry.REPORT);
    }
}
