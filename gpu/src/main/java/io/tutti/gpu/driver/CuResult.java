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
    CUDA_SUCCESS(0, "The call did what was asked.", "Nothing to do."),
    CUDA_ERROR_INVALID_VALUE(
            1,
            "An argument is outside what the call accepts: a size that is no multiple of the granularity, a pointer of the wrong kind, a null.",
            "A size, alignment or pointer does not suit this call; report it with the arguments shown."),
    CUDA_ERROR_OUT_OF_MEMORY(
            2,
            "The device, or the host for pinned memory, has not enough memory left.",
            "Free device memory or lower tutti.workspace.size."),
    CUDA_ERROR_NOT_INITIALIZED(
            3,
            "cuInit has not been called in this process, or it failed.",
            "Initialise the driver before any other call."),
    CUDA_ERROR_DEINITIALIZED(
            4,
            "The driver is shutting down, as it does while the process exits.",
            "The driver is shutting down; start a new process."),
    CUDA_ERROR_STUB_LIBRARY(
            34,
            "The library that was loaded is the one that programs are linked with, not the driver.",
            "A stub of libcuda was loaded; put the driver's own library first on the library path."),
    CUDA_ERROR_DEVICE_UNAVAILABLE(
            46,
            "The device is in exclusive mode and somebody has it, or it is prohibited.",
            "Another process holds the device exclusively; see its compute mode."),
    CUDA_ERROR_NO_DEVICE(
            100,
            "The driver sees no device that this process may use.",
            "Check CUDA_VISIBLE_DEVICES and that the driver is loaded."),
    CUDA_ERROR_INVALID_DEVICE(
            101,
            "No visible device has this ordinal, or the call does not apply to this device.",
            "Check the device ordinal against CUDA_VISIBLE_DEVICES."),
    CUDA_ERROR_DEVICE_NOT_LICENSED(
            102,
            "A virtual GPU without a licence refuses to compute.",
            "The virtual GPU has no licence; see the host's licence server."),
    CUDA_ERROR_INVALID_IMAGE(
            200,
            "The kernel image is not one that the driver can read.",
            "The kernel image is damaged; build or install again."),
    CUDA_ERROR_INVALID_CONTEXT(
            201,
            "The calling thread has no context, or one that does not fit the call.",
            "Set the rank's context on the calling thread; legacy IPC handles cannot be opened in their own process."),
    CUDA_ERROR_NO_BINARY_FOR_GPU(
            209,
            "The kernel image holds nothing that this GPU can run.",
            "This build has no kernel image for the GPU; see the supported compute capabilities."),
    CUDA_ERROR_ECC_UNCORRECTABLE(
            214, "The device met a memory error that it could not correct.", "Take the GPU out of service."),
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED(
            217,
            "There is no peer path between the two devices: no link, another clique, or a MIG slice.",
            "The two devices have no peer path; place the ranks on devices that are peers."),
    CUDA_ERROR_INVALID_PTX(
            218,
            "The driver's assembler does not understand the kernel image.",
            "The kernel image does not assemble on this driver; update the driver."),
    CUDA_ERROR_NVLINK_UNCORRECTABLE(
            220,
            "An NVLink failed in a way that could not be corrected.",
            "Take the GPU out of service and inspect its links."),
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND(
            221,
            "The driver's assembler is a library of its own, and it is not there.",
            "The driver's assembler is missing (libnvidia-ptxjitcompiler.so.1); install a complete driver."),
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION(
            222,
            "The kernel image is written in a newer PTX than the driver knows.",
            "The driver is older than the kernel image; update the driver."),
    CUDA_ERROR_JIT_COMPILATION_DISABLED(
            223,
            "The environment forbids the driver to assemble PTX.",
            "Assembling kernels is switched off; unset CUDA_DISABLE_PTX_JIT."),
    CUDA_ERROR_CONTAINED(
            226,
            "The device met an error that ended the contexts on it, and no others.",
            "The context is lost; replace the process."),
    CUDA_ERROR_SHARED_OBJECT_INIT_FAILED(
            303,
            "A library that belongs to the driver could not be initialised.",
            "A part of the driver did not start; install a complete driver."),
    CUDA_ERROR_OPERATING_SYSTEM(
            304,
            "A system call that the driver needed was refused.",
            "The operating system refused; look at limits, permissions of /dev/nvidia* and the kernel's log."),
    CUDA_ERROR_INVALID_HANDLE(
            400,
            "The handle names nothing here: it is stale, was closed, or was made on another host.",
            "The handle is stale, closed or from another host; use a handle kind that reaches the peer."),
    CUDA_ERROR_ILLEGAL_STATE(
            401,
            "Something that the call needs is not in the state for it.",
            "A service that the call needs is not running (for multicast: the fabric manager)."),
    CUDA_ERROR_NOT_FOUND(
            500,
            "A name was not found: a kernel of an image, or a symbol.",
            "The named symbol is not in the kernel image; the build is inconsistent."),
    CUDA_ERROR_NOT_READY(
            600,
            "Work that was enqueued before has not finished yet; this is an answer, not a failure.",
            "Queued work is not done yet; ask again."),
    CUDA_ERROR_ILLEGAL_ADDRESS(
            700,
            "A kernel read or wrote where nothing is mapped, or what its device may not reach.",
            "A kernel touched unmapped memory and the context is lost; replace the process."),
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES(
            701,
            "The launch needs more of a multiprocessor than it has.",
            "The launch asks for more registers, shared memory or threads than a multiprocessor has; report it."),
    CUDA_ERROR_LAUNCH_TIMEOUT(
            702,
            "A kernel ran longer than the watchdog of a display device allows.",
            "The context is lost; replace the process."),
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED(
            704, "Peer access between the two contexts is on already.", "Nothing to do."),
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED(
            705,
            "Peer access between the two contexts was never switched on.",
            "Enable peer access between the two contexts first; report it."),
    CUDA_ERROR_CONTEXT_IS_DESTROYED(
            709,
            "The primary context was reset or destroyed under its users.",
            "Somebody reset the device or destroyed the context; open the ranks again."),
    CUDA_ERROR_ASSERT(
            710,
            "A kernel found an assertion false.",
            "A kernel's assertion failed and the context is lost; replace the process."),
    CUDA_ERROR_TOO_MANY_PEERS(
            711,
            "The device has no hardware left to reach one more peer.",
            "The device has no room for another peer; put fewer peers of it into one communicator."),
    CUDA_ERROR_HARDWARE_STACK_ERROR(
            714,
            "A kernel's call stack was damaged, or is larger than it may be.",
            "The context is lost; replace the process."),
    CUDA_ERROR_ILLEGAL_INSTRUCTION(
            715,
            "A kernel came to an instruction that the device does not have.",
            "A kernel met an instruction that it cannot run and the context is lost; replace the process."),
    CUDA_ERROR_MISALIGNED_ADDRESS(
            716,
            "A kernel read or wrote at an address that its width does not allow.",
            "A kernel used a misaligned pointer and the context is lost; replace the process."),
    CUDA_ERROR_INVALID_ADDRESS_SPACE(
            717,
            "A kernel used an address of one kind of memory for another.",
            "A kernel used a pointer of the wrong kind and the context is lost; replace the process."),
    CUDA_ERROR_INVALID_PC(
            718,
            "A kernel's program counter left its code.",
            "A kernel jumped astray and the context is lost; replace the process."),
    CUDA_ERROR_LAUNCH_FAILED(
            719,
            "A kernel failed while it ran, for a reason that the driver does not tell apart.",
            "A kernel failed and the context is lost; replace the process."),
    CUDA_ERROR_NOT_PERMITTED(
            800,
            "The device could do it, but this process may not: no IMEX channel, or a policy of the system.",
            "Policy or a missing IMEX channel forbids it; nothing to do where another way works."),
    CUDA_ERROR_NOT_SUPPORTED(
            801,
            "The device, the driver or the platform cannot do it.",
            "Hardware, driver or platform lacks it; nothing to do where another way works."),
    CUDA_ERROR_SYSTEM_NOT_READY(
            802,
            "Services that the device depends on are still starting.",
            "The fabric manager or its daemons are not ready; see to them, and start again once they are."),
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH(
            803,
            "libcuda and the kernel driver are of different versions.",
            "Install a libcuda that matches the kernel driver."),
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE(
            804,
            "A forward-compatibility libcuda was loaded on a device that it does not serve.",
            "The compatibility package does not serve this GPU; update the kernel driver instead."),
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED(
            900,
            "The call is one that a capture cannot hold.",
            "The call is not allowed while the stream is being captured."),
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED(
            901,
            "Something forbidden happened during the capture, which is worthless from then on.",
            "End the capture and capture again."),
    CUDA_ERROR_STREAM_CAPTURE_MERGE(
            902,
            "The stream would have joined two captures.",
            "Two captures would become one; do not wait for another capture's event."),
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED(
            903,
            "The capture was begun on another stream.",
            "The capture did not begin on this stream; end it where it began."),
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED(
            904,
            "Work that was forked off the capture was not joined to it again.",
            "A stream forked from the capture was not joined; wait for its event."),
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION(
            905, "The capture would depend on work outside it.", "The call would tie the capture to work outside it."),
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT(
            906,
            "The call depends on the legacy default stream.",
            "The call waits for the legacy default stream, which a capture forbids."),
    CUDA_ERROR_CAPTURED_EVENT(
            907,
            "The event belongs to a capture.",
            "The event was recorded in a capture; it cannot be asked outside it."),
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD(
            908,
            "The capture was begun by another thread, in a mode that ties it to that one.",
            "End the capture on the thread that began it."),
    CUDA_ERROR_TIMEOUT(
            909,
            "A wait that has a limit came to it.",
            "Something that the call waited for did not happen in time; see what the details name."),
    CUDA_ERROR_UNKNOWN(
            999,
            "The driver does not say; it answers so for a descriptor that is closed or belongs to something else.",
            "Unknown to the driver; a closed descriptor gives this.");

    private static final Map<Integer, CuResult> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(CuResult::code, Function.identity()));

    private final int code;
    private final String cause;
    private final String remedy;

    CuResult(int code, String cause, String remedy) {
        this.code = code;
        this.cause = cause;
        this.remedy = remedy;
    }

    public int code() {
        return code;
    }

    /** The constant for a driver's code; {@link #CUDA_ERROR_UNKNOWN} for one that is not listed. */
    public static CuResult ofCode(int code) {
        return BY_CODE.getOrDefault(code, CUDA_ERROR_UNKNOWN);
    }

    /** What it usually means. */
    public String cause() {
        return cause;
    }

    /** What to do about it at most calls. */
    public String remedy() {
        return remedy;
    }

    /** What to do when {@code call} answers this. */
    public String advice(String call) {
        return Explanation.of(call, this).remedy();
    }
}
