package io.tutti.gpu.driver;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The driver's answers, the only place that knows their codes and remedies. The constants carry CUDA's own names, so
 * that {@link #name()} is what an operator finds in NVIDIA's manual.
 */
public enum CuResult {
    CUDA_SUCCESS(0, "Nothing to do."),
    CUDA_ERROR_INVALID_VALUE(
            1, "A size, alignment or pointer does not suit this call; report it with the arguments shown."),
    CUDA_ERROR_OUT_OF_MEMORY(2, "Free device memory or lower tutti.workspace.size."),
    CUDA_ERROR_NOT_INITIALIZED(3, "Initialise the driver before any other call."),
    CUDA_ERROR_DEINITIALIZED(4, "The driver is shutting down; start a new process."),
    CUDA_ERROR_STUB_LIBRARY(
            34, "A stub of libcuda was loaded; put the driver's own library first on the library path."),
    CUDA_ERROR_DEVICE_UNAVAILABLE(46, "Another process holds the device exclusively; see its compute mode."),
    CUDA_ERROR_NO_DEVICE(100, "Check CUDA_VISIBLE_DEVICES and that the driver is loaded."),
    CUDA_ERROR_INVALID_DEVICE(101, "Check the device ordinal against CUDA_VISIBLE_DEVICES."),
    CUDA_ERROR_DEVICE_NOT_LICENSED(102, "The virtual GPU has no licence; see the host's licence server."),
    CUDA_ERROR_INVALID_IMAGE(200, "The kernel image is damaged; build or install again."),
    CUDA_ERROR_INVALID_CONTEXT(
            201,
            "Set the rank's context on the calling thread; legacy IPC handles cannot be opened in their own process."),
    CUDA_ERROR_NO_BINARY_FOR_GPU(
            209, "This build has no kernel image for the GPU; see the supported compute capabilities."),
    CUDA_ERROR_ECC_UNCORRECTABLE(214, "Take the GPU out of service."),
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED(
            217, "The two devices have no peer path; place the ranks on devices that are peers."),
    CUDA_ERROR_INVALID_PTX(218, "The kernel image does not assemble on this driver; update the driver."),
    CUDA_ERROR_NVLINK_UNCORRECTABLE(220, "Take the GPU out of service and inspect its links."),
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND(
            221, "The driver's assembler is missing (libnvidia-ptxjitcompiler.so.1); install a complete driver."),
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION(222, "The driver is older than the kernel image; update the driver."),
    CUDA_ERROR_JIT_COMPILATION_DISABLED(223, "Assembling kernels is switched off; unset CUDA_DISABLE_PTX_JIT."),
    CUDA_ERROR_CONTAINED(226, "The context is lost; replace the process."),
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED(303, "A part of the driver did not start; install a complete driver."),
    CUDA_ERROR_OPERATING_SYSTEM(
            304, "The operating system refused; look at limits, permissions of /dev/nvidia* and the kernel's log."),
    CUDA_ERROR_INVALID_HANDLE(
            400, "The handle is stale, closed or from another host; use a handle kind that reaches the peer."),
    CUDA_ERROR_ILLEGAL_STATE(401, "A service that the call needs is not running (for multicast: the fabric manager)."),
    CUDA_ERROR_NOT_FOUND(500, "The named symbol is not in the kernel image; the build is inconsistent."),
    CUDA_ERROR_NOT_READY(600, "Queued work is not done yet; ask again."),
    CUDA_ERROR_ILLEGAL_ADDRESS(700, "A kernel touched unmapped memory and the context is lost; replace the process."),
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES(
            701, "The launch asks for more registers, shared memory or threads than a multiprocessor has; report it."),
    CUDA_ERROR_LAUNCH_TIMEOUT(702, "The context is lost; replace the process."),
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED(704, "Nothing to do."),
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED(705, "Enable peer access between the two contexts first; report it."),
    CUDA_ERROR_CONTEXT_IS_DESTROYED(709, "Somebody reset the device or destroyed the context; open the ranks again."),
    CUDA_ERROR_ASSERT(710, "A kernel's assertion failed and the context is lost; replace the process."),
    CUDA_ERROR_TOO_MANY_PEERS(
            711, "The device has no room for another peer; put fewer peers of it into one communicator."),
    CUDA_ERROR_HARDWARE_STACK_ERROR(714, "The context is lost; replace the process."),
    CUDA_ERROR_ILLEGAL_INSTRUCTION(
            715, "A kernel met an instruction that it cannot run and the context is lost; replace the process."),
    CUDA_ERROR_MISALIGNED_ADDRESS(
            716, "A kernel used a misaligned pointer and the context is lost; replace the process."),
    CUDA_ERROR_INVALID_ADDRESS_SPACE(
            717, "A kernel used a pointer of the wrong kind and the context is lost; replace the process."),
    CUDA_ERROR_INVALID_PC(718, "A kernel jumped astray and the context is lost; replace the process."),
    CUDA_ERROR_LAUNCH_FAILED(719, "A kernel failed and the context is lost; replace the process."),
    CUDA_ERROR_NOT_PERMITTED(
            800, "Policy or a missing IMEX channel forbids it; nothing to do where another way works."),
    CUDA_ERROR_NOT_SUPPORTED(801, "Hardware, driver or platform lacks it; nothing to do where another way works."),
    CUDA_ERROR_SYSTEM_NOT_READY(
            802, "The fabric manager or its daemons are not ready; see to them, and start again once they are."),
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH(803, "Install a libcuda that matches the kernel driver."),
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE(
            804, "The compatibility package does not serve this GPU; update the kernel driver instead."),
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED(900, "The call is not allowed while the stream is being captured."),
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED(901, "End the capture and capture again."),
    CUDA_ERROR_STREAM_CAPTURE_MERGE(902, "Two captures would become one; do not wait for another capture's event."),
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED(903, "The capture did not begin on this stream; end it where it began."),
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED(904, "A stream forked from the capture was not joined; wait for its event."),
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION(905, "The call would tie the capture to work outside it."),
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT(906, "The call waits for the legacy default stream, which a capture forbids."),
    CUDA_ERROR_CAPTURED_EVENT(907, "The event was recorded in a capture; it cannot be asked outside it."),
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD(908, "End the capture on the thread that began it."),
    CUDA_ERROR_UNKNOWN(999, "Unknown to the driver; a closed descriptor gives this.");

    private static final Map<Integer, CuResult> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(CuResult::code, Function.identity()));

    private final int code;
    private final String remedy;

    CuResult(int code, String remedy) {
        this.code = code;
        this.remedy = remedy;
    }

    public int code() {
        return code;
    }

    /** The constant for a driver's code; {@link #CUDA_ERROR_UNKNOWN} for one that is not listed. */
    public static CuResult ofCode(int code) {
        return BY_CODE.getOrDefault(code, CUDA_ERROR_UNKNOWN);
    }

    /** What to do when {@code call} answers this. */
    public String advice(String call) {
        return remedy;
    }
}
