package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_ASSERT;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_CONTAINED;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_CONTEXT_IS_DESTROYED;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_DEINITIALIZED;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_ECC_UNCORRECTABLE;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_HARDWARE_STACK_ERROR;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_ILLEGAL_ADDRESS;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_ILLEGAL_INSTRUCTION;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_INVALID_ADDRESS_SPACE;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_INVALID_CONTEXT;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_INVALID_PC;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_LAUNCH_FAILED;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_LAUNCH_TIMEOUT;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_MISALIGNED_ADDRESS;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_NOT_INITIALIZED;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_NVLINK_UNCORRECTABLE;
import static io.tutti.gpu.driver.CuResult.CUDA_ERROR_UNKNOWN;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The answers of one call, while the table is made. */
final class CallEntry {

    /** For what only a defect of the runtime or of an embedder's own calls can cause. */
    static final String REPORT = "Report it with the arguments shown.";

    static final String OTHER_KIND = "Nothing to do where another handle kind works.";

    static final String OTHER_PATH = "Nothing to do: a path without multicast is taken where one works.";

    /** What a kernel did before, which whatever call comes next reports. */
    private static final List<CuResult> LATE = List.of(
            CUDA_ERROR_ECC_UNCORRECTABLE,
            CUDA_ERROR_NVLINK_UNCORRECTABLE,
            CUDA_ERROR_CONTAINED,
            CUDA_ERROR_ILLEGAL_ADDRESS,
            CUDA_ERROR_LAUNCH_TIMEOUT,
            CUDA_ERROR_ASSERT,
            CUDA_ERROR_HARDWARE_STACK_ERROR,
            CUDA_ERROR_ILLEGAL_INSTRUCTION,
            CUDA_ERROR_MISALIGNED_ADDRESS,
            CUDA_ERROR_INVALID_ADDRESS_SPACE,
            CUDA_ERROR_INVALID_PC,
            CUDA_ERROR_LAUNCH_FAILED);

    private final String name;
    private final String purpose;
    private final Map<CuResult, Explanation> answers = new EnumMap<>(CuResult.class);

    private CallEntry(String name, String purpose) {
        this.name = name;
        this.purpose = purpose;
    }

    /**
     * A call that is added to the table.
     *
     * @param purpose what it is to do, to follow "to"
     */
    static CallEntry of(Map<String, Map<CuResult, Explanation>> table, String name, String purpose) {
        CallEntry call = new CallEntry(name, purpose);
        table.put(name, call.answers);
        return call;
    }

    CallEntry answers(CuResult result, String cause, String remedy) {
        answers.put(result, new Explanation(cause, remedy));
        return this;
    }

    /** Only the driver's own state can refuse it. */
    CallEntry started() {
        answers(
                CUDA_ERROR_NOT_INITIALIZED,
                "The driver was to " + purpose + " before cuInit had succeeded in this process.",
                "Start the runtime again, and see what cuInit answered; report it if cuInit succeeded.");
        return answers(
                CUDA_ERROR_DEINITIALIZED,
                "The driver was to " + purpose + " while it was shutting down, as it does when the process exits.",
                "Close the runtime before the process ends; nothing to do when it was ending anyway.");
    }

    /** It works on the calling thread's context, which may also carry an error of an earlier kernel. */
    CallEntry inContext() {
        started();
        answers(
                CUDA_ERROR_INVALID_CONTEXT,
                "The calling thread had no current context, or a foreign one, when the driver was to " + purpose + ".",
                "Set the rank's context on the thread first; report it when a thread of the runtime made the call.");
        answers(
                CUDA_ERROR_CONTEXT_IS_DESTROYED,
                "The device was reset or its context destroyed by somebody before the driver was to " + purpose + ".",
                "Find who resets the device (cudaDeviceReset, nvidia-smi); open the ranks again.");
        for (CuResult late : LATE) {
            answers(
                    late,
                    "Nothing is wrong with this call, which was to " + purpose
                            + ": it only reports what happened before. " + late.cause(),
                    late.remedy());
        }
        return answers(
                CUDA_ERROR_UNKNOWN,
                "The driver failed to " + purpose + " for a reason that it does not tell.",
                "Look at the kernel's log for Xid lines of this moment (dmesg); run nvidia-bug-report.sh if it repeats.");
    }

    String name() {
        return name;
    }
}
