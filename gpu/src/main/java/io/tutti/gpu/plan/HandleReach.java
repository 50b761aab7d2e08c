package io.tutti.gpu.plan;

import io.tutti.gpu.HandleKind;
import java.util.Arrays;
import java.util.List;

/** Which handle kinds can reach between ranks that are placed so; a fact of the kinds, not of a machine. */
final class HandleReach {

    private HandleReach() {}

    static boolean reaches(HandleKind kind, PairClass pairClass) {
        return switch (pairClass) {
            case SAME_PROCESS -> kind != HandleKind.LEGACY_IPC;
            case SAME_HOST -> kind != HandleKind.IN_PROCESS;
            case OTHER_HOST -> kind == HandleKind.FABRIC;
        };
    }

    /** Whether one workspace can be carried by both: legacy IPC takes plain memory, descriptors and fabric virtual memory. */
    static boolean together(HandleKind one, HandleKind other) {
        return (one == HandleKind.LEGACY_IPC) == (other == HandleKind.LEGACY_IPC)
                || one == HandleKind.IN_PROCESS
                || other == HandleKind.IN_PROCESS;
    }

    /** What a rank must have to offer its memory so, as the end of a sentence. */
    static String needs(HandleKind kind) {
        return switch (kind) {
            case IN_PROCESS -> "nothing but one process";
            case POSIX_FD -> "a driver that exports memory as file descriptors";
            case FABRIC ->
                "a device in a multi-node NVLink fabric and an IMEX channel (/dev/nvidia-caps-imex-channels) in every"
                        + " process";
            case LEGACY_IPC -> "a driver that opens legacy IPC handles";
        };
    }

    static List<HandleKind> reaching(PairClass pairClass) {
        return Arrays.stream(HandleKind.values())
                .filter(kind -> reaches(kind, pairClass))
                .toList();
    }
}
