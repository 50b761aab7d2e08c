package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.*;

import java.util.Map;

/** Kernel images, launches and graphs. */
final class KernelAnswers {

    private static final String ROOM = "Free device memory, or lower tutti.workspace.size.";

    private KernelAnswers() {}

    static void add(Map<String, Map<CuResult, Explanation>> table) {
        modules(table);
        launches(table);
        graphs(table);
    }

    private static void modules(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuModuleLoadData", "load the kernels")
                .inContext()
                .answers(CUDA_ERROR_INVALID_VALUE, "The kernel image is empty.", "Build or install again.")
                .answers(CUDA_ERROR_OUT_OF_MEMORY, "The device or the host has no room for the kernels' code.", ROOM)
                .answers(
                        CUDA_ERROR_INVALID_IMAGE,
                        "The kernel image in the jar is damaged.",
                        "Build or install again, and compare the jar's checksum.")
                .answers(
                        CUDA_ERROR_NO_BINARY_FOR_GPU,
                        "The kernel image is for newer GPUs than this one.",
                        "Use a GPU of compute capability 8.0 or newer.")
                .answers(
                        CUDA_ERROR_INVALID_PTX,
                        "The driver's assembler does not understand the kernels; its own words are among the arguments shown.",
                        "Update the driver; report it with these words when it is new.")
                .answers(
                        CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                        "The kernels are written in a newer PTX than this driver knows.",
                        "Update the driver to CUDA 11.8 (520) or newer, for compute capability 9.0 and above to the newest.")
                .answers(
                        CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                        "The kernels have to be assembled, and libnvidia-ptxjitcompiler.so.1 is not to be found.",
                        "Install the complete driver; pass that library to the container (capability compute).")
                .answers(
                        CUDA_ERROR_JIT_COMPILATION_DISABLED,
                        "The kernels have to be assembled, which CUDA_DISABLE_PTX_JIT forbids.",
                        "Unset CUDA_DISABLE_PTX_JIT.")
                .answers(
                        CUDA_ERROR_NOT_FOUND,
                        "The kernel image refers to something that the driver does not find.",
                        "Build or install again.")
                .answers(
                        CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
                        "A library of the driver that assembles kernels did not start.",
                        "Install the complete driver, all of one version.")
                .answers(
                        CUDA_ERROR_OPERATING_SYSTEM,
                        "The operating system refused what assembling kernels needs, such as executable memory or the cache's"
                                + " folder.",
                        "Look at the container's security profile, and at CUDA_CACHE_PATH.");
        CallEntry.of(table, "cuModuleUnload", "unload kernels")
                .inContext()
                .answers(CUDA_ERROR_INVALID_VALUE, "What was to be unloaded are no kernels.", CallEntry.REPORT)
                .answers(CUDA_ERROR_INVALID_HANDLE, "The kernels were unloaded before.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_NOT_PERMITTED,
                        "The kernels belong to a library that the driver manages itself.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuModuleGetFunction", "find a kernel by its name")
                .inContext()
                .answers(CUDA_ERROR_INVALID_VALUE, "The kernel that was asked for has no name.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The kernels among which one was asked for are unloaded.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_NOT_FOUND,
                        "The image has no kernel of that name: jar and image are of two builds.",
                        "Build or install again, everything at once.")
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "Kernels are loaded when they are first asked for, and the device has no room for this one.",
                        ROOM)
                .answers(
                        CUDA_ERROR_NO_BINARY_FOR_GPU,
                        "The image has this kernel for other GPUs only.",
                        "Use a GPU of compute capability 8.0 or newer.");
        CallEntry.of(table, "cuFuncGetAttribute", "tell what a kernel needs")
                .inContext()
                .answers(CUDA_ERROR_INVALID_HANDLE, "The kernel that was asked about is unloaded.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The driver does not know this property of kernels.",
                        "Update the driver to CUDA 11.8 (520) or newer.");
        CallEntry.of(table, "cuFuncSetAttribute", "give a kernel what it needs")
                .inContext()
                .answers(CUDA_ERROR_INVALID_HANDLE, "The kernel that was to be set up is unloaded.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The kernel asks for more shared memory or larger clusters than the device has.",
                        CallEntry.REPORT);
    }

    private static void launches(Map<String, Map<CuResult, Explanation>> table) {
        launch(table, "cuLaunchKernelEx", "launch a kernel")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The device or the driver has no clusters or programmatic launches.",
                        "Update the driver to CUDA 11.8 (520) or newer.");
        // The same call without attributes.
        table.put("cuLaunchKernel", table.getOrDefault("cuLaunchKernelEx", Map.of()));
    }

    private static CallEntry launch(Map<String, Map<CuResult, Explanation>> table, String name, String purpose) {
        return CallEntry.of(table, name, purpose)
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The launch's grid, block or cluster is outside what the device has.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The kernel is unloaded, or its stream destroyed or of another device.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_IMAGE,
                        "The kernel's code turned out damaged when it was launched.",
                        "Build or install again.")
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device has no room for the kernel's local memory or the launch itself.",
                        ROOM)
                .answers(
                        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                        "A block of the launch needs more registers, threads or shared memory than a multiprocessor has.",
                        "Report it with the arguments shown and the GPU's name.")
                .answers(
                        CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
                        "A part of the driver that the launch needs did not start.",
                        "Install the complete driver, all of one version.")
                .answers(
                        CUDA_ERROR_NOT_FOUND,
                        "The launched kernel is not in the image for this device.",
                        "Build or install again.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        "The stream's capture was spoilt before the launch could join it.",
                        "End the capture and capture again; the error before this one says what spoilt it.");
    }

    private static void graphs(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuGraphInstantiate", "make a graph ready to run")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The graph is none, was destroyed, or holds a node that cannot run.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device or the host has no room for the graph's nodes.",
                        "Capture fewer calls into one graph; free device memory.")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The graph holds a node that this driver cannot make ready.",
                        "Update the driver.");
        CallEntry.of(table, "cuGraphDestroy", "destroy a graph")
                .started()
                .answers(CUDA_ERROR_INVALID_VALUE, "The graph is none, or was destroyed before.", CallEntry.REPORT);
        CallEntry.of(table, "cuGraphExecDestroy", "destroy a graph that was ready to run")
                .started()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "What was ready to run is none, or was destroyed before.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuGraphLaunch", "run a graph")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The graph that is to run is none, or was destroyed.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_HANDLE,
                        "The stream for the graph was destroyed or is of another device.",
                        CallEntry.REPORT)
                .answers(CUDA_ERROR_OUT_OF_MEMORY, "The device has no room to upload the graph.", ROOM)
                .answers(
                        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                        "A kernel of the graph needs more than a multiprocessor has.",
                        "Report it with the arguments shown and the GPU's name.")
                .answers(
                        CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        "The stream's capture was spoilt before the graph could join it.",
                        "End the capture and capture again.");
    }
}
