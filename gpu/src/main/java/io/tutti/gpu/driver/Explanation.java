package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_ILLEGAL_STATE;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_INVALID_CONTEXT;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_INVALID_DEVICE;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_INVALID_HANDLE;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_INVALID_VALUE;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_NOT_PERMITTED;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_NOT_SUPPORTED;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_OUT_OF_MEMORY;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_SYSTEM_NOT_READY;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_TIMEOUT;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_UNKNOWN;

import java.util.HashMap;
import java.util.Map;

/**
 * What a driver's answer means at the call that gave it, and what to do. Errors and {@code tutti explain} say the same,
 * since both ask here: a few answers mean something of their own at a call, all others what {@link CuResult} says.
 *
 * @param cause why the driver answers so
 * @param remedy what an operator can do; never empty
 */
public record Explanation(String cause, String remedy) {

    private record At(String call, CuResult result) {}

    private static final String OTHER_KIND = "Nothing to do where another handle kind works.";
    private static final Map<At, Explanation> SPECIAL = special();

    /** The explanation; of any call, also one that is not listed anywhere. */
    public static Explanation of(String call, CuResult result) {
        Explanation special = SPECIAL.get(new At(call, result));
        return special == null ? new Explanation(result.cause(), result.remedy()) : special;
    }

    /** Whether the answer means something of its own at that call. */
    public static boolean isSpecial(String call, CuResult result) {
        return SPECIAL.containsKey(new At(call, result));
    }

    private static Map<At, Explanation> special() {
        Map<At, Explanation> all = new HashMap<>();
        memory(all);
        legacyIpc(all);
        multicast(all);
        streams(all);
        return Map.copyOf(all);
    }

    private static void memory(Map<At, Explanation> all) {
        put(
                all,
                "cuMemCreate",
                CUDA_ERROR_NOT_PERMITTED,
                "Memory for fabric handles needs an IMEX channel that this process may open, whatever the device's attribute"
                        + " says.",
                "Pass an IMEX channel (/dev/nvidia-caps-imex-channels) to the process or container. " + OTHER_KIND);
        put(
                all,
                "cuMemCreate",
                CUDA_ERROR_INVALID_VALUE,
                "The size is no multiple of the allocation granularity, or the properties contradict each other.",
                "Report it with the arguments shown.");
        put(
                all,
                "cuMemExportToShareableHandle",
                CUDA_ERROR_NOT_PERMITTED,
                "The process may not open the IMEX channel that a fabric handle needs.",
                "Pass an IMEX channel to the process or container. " + OTHER_KIND);
        put(
                all,
                "cuMemImportFromShareableHandle",
                CUDA_ERROR_NOT_PERMITTED,
                "The exporter is in another NVLink clique, or this host has no IMEX channel in the exporter's domain.",
                "Check that nvidia-imex runs on both hosts in one domain, and their cliques. " + OTHER_KIND);
        put(
                all,
                "cuMemImportFromShareableHandle",
                CUDA_ERROR_NOT_SUPPORTED,
                "These bytes are no fabric handle of a driver that this one understands.",
                "Use the same driver version on all hosts. " + OTHER_KIND);
        put(
                all,
                "cuMemImportFromShareableHandle",
                CUDA_ERROR_UNKNOWN,
                "The descriptor is closed, or is of something else than shared device memory.",
                "Keep the exporter alive until every importer has mapped its memory. " + OTHER_KIND);
    }

    private static void legacyIpc(Map<At, Explanation> all) {
        put(
                all,
                "cuIpcOpenMemHandle",
                CUDA_ERROR_INVALID_HANDLE,
                "Legacy IPC handles work on the host that made them: this one is from another host, or its memory is gone.",
                "Use fabric handles across hosts, or ranks on one host.");
        put(
                all,
                "cuIpcOpenMemHandle",
                CUDA_ERROR_INVALID_CONTEXT,
                "A legacy IPC handle cannot be opened in the process that made it.",
                "Use in-process handles between ranks of one process.");
        put(
                all,
                "cuIpcOpenMemHandle",
                CUDA_ERROR_INVALID_VALUE,
                "These bytes are no legacy IPC handle.",
                "Use the same driver version in all containers of the host. " + OTHER_KIND);
        put(
                all,
                "cuIpcOpenMemHandle",
                CUDA_ERROR_INVALID_DEVICE,
                "The exporter's device is not visible to this process, as in containers with different devices.",
                "Make all devices of the communicator visible to each of its processes. " + OTHER_KIND);
        put(
                all,
                "cuIpcGetMemHandle",
                CUDA_ERROR_INVALID_VALUE,
                "The pointer is not the base of a plain allocation; memory made by cuMemCreate or a pool has no such handle.",
                "Report it with the arguments shown.");
    }

    /** The first thing that is asked of a stream that a user passes. */
    private static void streams(Map<At, Explanation> all) {
        put(
                all,
                "cuStreamIsCapturing",
                CUDA_ERROR_INVALID_HANDLE,
                "The stream was destroyed, or the number is none of a stream.",
                "Pass a stream that is alive and of the rank's device.");
    }

    private static void multicast(Map<At, Explanation> all) {
        put(
                all,
                "cuMulticastGetGranularity",
                CUDA_ERROR_NOT_SUPPORTED,
                "The device has no NVSwitch that could multicast: a PCIe card, a bridge pair, a single GPU or a MIG slice.",
                "Nothing to do: a path without multicast is taken where one works.");
        put(
                all,
                "cuMulticastGetGranularity",
                CUDA_ERROR_ILLEGAL_STATE,
                "The fabric manager, which sets the switches up, is not running.",
                "Start nvidia-fabricmanager; until then a path without multicast is taken where one works.");
        put(
                all,
                "cuMulticastGetGranularity",
                CUDA_ERROR_OUT_OF_MEMORY,
                "The switches' multicast slots, which everybody on the fabric shares, are used up.",
                "End other users of multicast, or allow a path without it.");
        multicastObjects(all);
    }

    private static void multicastObjects(Map<At, Explanation> all) {
        put(
                all,
                "cuMulticastCreate",
                CUDA_ERROR_INVALID_VALUE,
                "The size is no multiple of the multicast granularity, or the team is larger than the NVLink domain.",
                "Report it with the arguments shown.");
        put(
                all,
                "cuMulticastCreate",
                CUDA_ERROR_NOT_SUPPORTED,
                "The driver makes no multicast objects here: the hardware has no switch for them, or this build only asks.",
                "Nothing to do: a path without multicast is taken where one works.");
        put(
                all,
                "cuMulticastCreate",
                CUDA_ERROR_NOT_PERMITTED,
                "A multicast object for fabric handles needs an IMEX channel that this process may open.",
                "Pass an IMEX channel (/dev/nvidia-caps-imex-channels) to the process or container. " + OTHER_KIND);
        put(
                all,
                "cuMulticastCreate",
                CUDA_ERROR_OUT_OF_MEMORY,
                "The switches' multicast slots, which everybody on the fabric shares, are used up.",
                "End other users of multicast, such as NCCL with NVLS, or allow a path without it.");
        put(
                all,
                "cuMulticastAddDevice",
                CUDA_ERROR_INVALID_VALUE,
                "The device belongs to the team already, or the team is complete.",
                "Two ranks use one device, or the ranks do not agree on their number; report it with the arguments shown.");
        put(
                all,
                "cuMulticastAddDevice",
                CUDA_ERROR_INVALID_DEVICE,
                "The device is not visible here, or is not in the clique of those that were added before.",
                "Check the cliques of all ranks (preflight shows them); until then a path without multicast is taken.");
        put(
                all,
                "cuMulticastAddDevice",
                CUDA_ERROR_NOT_SUPPORTED,
                "The device cannot be part of a multicast team.",
                "Nothing to do: a path without multicast is taken where one works.");
        put(
                all,
                "cuMulticastBindMem",
                CUDA_ERROR_INVALID_VALUE,
                "The fabric manager is stale: it does not know the device as it is since its last reset. Or a size or offset"
                        + " is no multiple of the multicast granularity.",
                "Restart nvidia-fabricmanager on the host; until then a path without multicast is taken where one works.");
        put(
                all,
                "cuMulticastBindMem",
                CUDA_ERROR_INVALID_DEVICE,
                "The memory is on a device that was not added to the team.",
                "Report it with the arguments shown.");
        put(
                all,
                "cuMulticastBindMem",
                CUDA_ERROR_OUT_OF_MEMORY,
                "The switches' multicast slots, which everybody on the fabric shares, are used up.",
                "End other users of multicast, such as NCCL with NVLS, or allow a path without it.");
        put(
                all,
                "cuMulticastBindMem",
                CUDA_ERROR_ILLEGAL_STATE,
                "The fabric manager, which sets the switches up, is not running.",
                "Start nvidia-fabricmanager; until then a path without multicast is taken where one works.");
        put(
                all,
                "cuMulticastBindMem",
                CUDA_ERROR_SYSTEM_NOT_READY,
                "The fabric manager is still setting the switches up.",
                "Wait until nvidia-fabricmanager is ready; it is tried again a few times.");
        put(
                all,
                "cuMulticastBindMem",
                CUDA_ERROR_TIMEOUT,
                "Some device of the team was not added; hardware would have waited without a limit.",
                "Add every device of the team before anything is bound.");
        put(
                all,
                "cuMemMap",
                CUDA_ERROR_TIMEOUT,
                "Some device of the multicast object's team was not added; hardware would have waited without a limit.",
                "Add every device of the team before the object is mapped.");
        put(
                all,
                "cuMulticastUnbind",
                CUDA_ERROR_INVALID_VALUE,
                "Nothing is bound there for the device in exactly this size.",
                "Unbind what was bound, as it was bound; report it with the arguments shown.");
    }

    private static void put(Map<At, Explanation> all, String call, CuResult result, String cause, String remedy) {
        all.put(new At(call, result), new Explanation(cause, remedy));
    }
}
