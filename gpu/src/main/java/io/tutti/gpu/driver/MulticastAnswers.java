package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.*;

import java.util.Map;

/** Multicast objects of NVSwitch fabrics. */
final class MulticastAnswers {

    private static final String MANAGER =
            "Start nvidia-fabricmanager; until then a path without multicast is taken where one works.";
    private static final String SLOTS =
            "The switches' multicast slots, which everybody on the fabric shares, are used up.";

    private MulticastAnswers() {}

    static void add(Map<String, Map<CuResult, Explanation>> table) {
        query(table);
        team(table);
        binding(table);
    }

    private static void query(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMulticastGetGranularity", "tell the granularity of multicast objects")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The number of devices or the size for which the multicast granularity was asked is 0 or too large.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "A device of this process takes no part in multicast.",
                        CallEntry.OTHER_PATH)
                .answers(CUDA_ERROR_OUT_OF_MEMORY, SLOTS, "End other users of multicast, or allow a path without it.")
                .answers(
                        CUDA_ERROR_ILLEGAL_STATE,
                        "The fabric manager, which sets the switches up, is not running.",
                        MANAGER)
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "A policy of the system, or a missing IMEX channel, keeps multicast from this process.",
                        CallEntry.OTHER_PATH)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device has no NVSwitch that could multicast: a PCIe card, a bridge pair, a single GPU or a MIG"
                                + " slice.",
                        CallEntry.OTHER_PATH)
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The fabric manager is still setting the switches up, and until then multicast is not to be had.",
                        "Wait for nvidia-fabricmanager; ranks ask again a few times together.");
    }

    private static void team(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMulticastCreate", "make a multicast object")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The size is no multiple of the multicast granularity, or the team is larger than the NVLink domain.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        SLOTS,
                        "End other users of multicast, such as NCCL with NVLS, or allow a path without it.")
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "A multicast object for fabric handles needs an IMEX channel that this process may open.",
                        "Pass an IMEX channel (/dev/nvidia-caps-imex-channels) to the process or container. "
                                + CallEntry.OTHER_KIND)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The driver makes no multicast objects here: the hardware has no switch for them, or this build only"
                                + " asks.",
                        CallEntry.OTHER_PATH)
                .answers(
                        CUDA_ERROR_ILLEGAL_STATE,
                        "No multicast object can be made while the fabric manager is not running.",
                        MANAGER)
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "No multicast object can be made before the fabric manager has set the switches up.",
                        "Wait for nvidia-fabricmanager; ranks try again a few times together.");
        CallEntry.of(table, "cuMulticastAddDevice", "add a device to a multicast team")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The device belongs to the team already, or the team is complete.",
                        "Two ranks use one device, or the ranks do not agree on their number; report it with the arguments"
                                + " shown.")
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The device is not visible here, or is not in the clique of those that were added before.",
                        "Check the cliques of all ranks (preflight shows them); until then a path without multicast is taken.")
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device has no multicast slot left for one more team.",
                        "End other users of multicast on it, or allow a path without it.")
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "The process may not add this device: its IMEX channel is of another domain than the object's.",
                        "Give all processes a channel of one IMEX domain.")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device cannot be part of a multicast team.",
                        CallEntry.OTHER_PATH)
                .answers(
                        CUDA_ERROR_ILLEGAL_STATE,
                        "No device joins a team while the fabric manager is not running.",
                        MANAGER)
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The device's switch ports are not set up for multicast yet.",
                        "Wait for nvidia-fabricmanager; ranks try again a few times together.");
    }

    private static void binding(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuMulticastBindMem", "bind memory to a multicast object")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The fabric manager is stale: it does not know the device as it is since its last reset. Or a size or"
                                + " offset is no multiple of the multicast granularity.",
                        "Restart nvidia-fabricmanager on the host; until then a path without multicast is taken where one"
                                + " works.")
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The memory is on a device that was not added to the team.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        SLOTS,
                        "End other users of multicast, such as NCCL with NVLS, or allow a path without it.")
                .answers(
                        CUDA_ERROR_ILLEGAL_STATE,
                        "The fabric manager, which sets the switches up, is not running.",
                        MANAGER)
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "The memory was not made so that this multicast object may carry it, or a policy forbids it.",
                        CallEntry.OTHER_PATH)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The hardware carries no memory of this kind by multicast.",
                        CallEntry.OTHER_PATH)
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The fabric manager is still setting the switches up.",
                        "Wait until nvidia-fabricmanager is ready; it is tried again a few times.")
                .answers(
                        CUDA_ERROR_TIMEOUT,
                        "Some device of the team was not added; hardware would have waited without a limit.",
                        "Add every device of the team before anything is bound.");
        CallEntry.of(table, "cuMulticastUnbind", "unbind memory from a multicast object")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "Nothing is bound there for the device in exactly this size.",
                        "Unbind what was bound, as it was bound; report it with the arguments shown.")
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The device from which memory was to be unbound is none of the team.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device takes no part in multicast, so that nothing is bound.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_ILLEGAL_STATE,
                        "Memory cannot be unbound in order while the fabric manager is not running.",
                        "Start nvidia-fabricmanager; the slots come back when the process ends.");
    }
}
