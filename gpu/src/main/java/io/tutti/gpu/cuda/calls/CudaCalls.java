package io.tutti.gpu.cuda.calls;

/**
 * The CUDA driver calls that the runtime makes, each by the driver's own name without the version suffix of its symbol.
 * Every method returns the {@code CUresult} code and throws nothing; whoever calls decides what a code means.
 *
 * <p>Device pointers, sizes and handles are {@code long}s. An array is an output of one element, except {@code byte[]},
 * which is filled or read as a whole. A parameter named {@code …Address} points to a native struct of {@link
 * NativeStructs}. All methods are safe for any thread; the current context is the calling thread's.
 */
public interface CudaCalls {

    // ---- driver and devices -----------------------------------------------------------------------------------

    int cuInit(int flags);

    int cuDriverGetVersion(int[] version);

    int cuDeviceGetCount(int[] count);

    int cuDeviceGet(int[] device, int ordinal);

    int cuDeviceGetName(byte[] name, int length, int device);

    /** 16 bytes; of a MIG instance its own. */
    int cuDeviceGetUuid(byte[] uuid, int device);

    int cuDeviceGetPCIBusId(byte[] id, int length, int device);

    int cuDeviceTotalMem(long[] bytes, int device);

    int cuDeviceGetAttribute(int[] value, int attribute, int device);

    int cuDeviceCanAccessPeer(int[] canAccess, int device, int peerDevice);

    // ---- contexts ---------------------------------------------------------------------------------------------

    int cuDevicePrimaryCtxRetain(long[] context, int device);

    int cuDevicePrimaryCtxRelease(int device);

    int cuCtxSetCurrent(long context);

    int cuCtxGetCurrent(long[] context);

    int cuCtxGetDevice(int[] device);

    int cuCtxEnablePeerAccess(long peer, int flags);

    int cuMemGetInfo(long[] free, long[] total);

    // ---- plain memory -----------------------------------------------------------------------------------------

    int cuMemAlloc(long[] devicePointer, long bytes);

    int cuMemFree(long devicePointer);

    int cuMemHostAlloc(long[] hostAddress, long bytes, int flags);

    int cuMemHostGetDevicePointer(long[] devicePointer, long hostAddress, int flags);

    int cuMemFreeHost(long hostAddress);

    int cuMemcpyHtoDAsync(long destination, long hostAddress, long bytes, long stream);

    int cuMemcpyDtoHAsync(long hostAddress, long source, long bytes, long stream);

    int cuMemcpyDtoDAsync(long destination, long source, long bytes, long stream);

    int cuMemsetD32Async(long destination, int value, long count, long stream);

    // ---- virtual memory and multicast queries -----------------------------------------------------------------

    int cuMemGetAllocationGranularity(long[] bytes, long propertiesAddress, int option);

    int cuMemCreate(long[] handle, long bytes, long propertiesAddress, long flags);

    int cuMemRelease(long handle);

    int cuMemAddressReserve(long[] address, long bytes, long alignment, long wished, long flags);

    int cuMemAddressFree(long address, long bytes);

    int cuMemMap(long address, long bytes, long offset, long handle, long flags);

    int cuMemUnmap(long address, long bytes);

    int cuMemSetAccess(long address, long bytes, long accessAddress, long count);

    /** @param shareableAddress where the descriptor (4 bytes) or the fabric handle (64 bytes) is written */
    int cuMemExportToShareableHandle(long shareableAddress, long handle, int type, long flags);

    /** @param shareable a descriptor by value, or the address of a fabric handle */
    int cuMemImportFromShareableHandle(long[] handle, long shareable, int type);

    int cuMulticastGetGranularity(long[] bytes, long propertiesAddress, int option);

    // ---- legacy IPC: handles are 64 bytes ---------------------------------------------------------------------

    int cuIpcGetMemHandle(byte[] handle, long devicePointer);

    int cuIpcOpenMemHandle(long[] devicePointer, byte[] handle, int flags);

    int cuIpcCloseMemHandle(long devicePointer);

    // ---- streams and events -----------------------------------------------------------------------------------

    int cuStreamCreate(long[] stream, int flags);

    int cuStreamDestroy(long stream);

    int cuStreamQuery(long stream);

    int cuStreamWaitEvent(long stream, long event, int flags);

    int cuEventCreate(long[] event, int flags);

    int cuEventDestroy(long event);

    int cuEventRecord(long event, long stream);

    int cuEventQuery(long event);

    int cuEventElapsedTime(float[] milliseconds, long start, long end);

    // ---- modules and launches ---------------------------------------------------------------------------------

    /** @param image PTX text that ends with a zero byte */
    int cuModuleLoadData(long[] module, byte[] image);

    /** The same with a buffer for the assembler's words; {@code options} and {@code values} as in CUDA's manual. */
    int cuModuleLoadDataEx(long[] module, byte[] image, int count, int[] options, long[] values);

    int cuModuleUnload(long module);

    int cuModuleGetFunction(long[] function, long module, String kernel);

    int cuFuncGetAttribute(int[] value, int attribute, long function);

    int cuFuncSetAttribute(long function, int attribute, int value);

    /** A one-dimensional launch without attributes; {@code paramsAddress} points to a table of parameter pointers. */
    int cuLaunchKernel(long function, int grid, int block, int sharedBytes, long stream, long paramsAddress);

    int cuLaunchKernelEx(long configAddress, long function, long paramsAddress, long extra);

    // ---- graphs -----------------------------------------------------------------------------------------------

    int cuThreadExchangeStreamCaptureMode(int[] mode);

    int cuStreamIsCapturing(long stream, int[] status);

    int cuStreamBeginCapture(long stream, int mode);

    int cuStreamEndCapture(long stream, long[] graph);

    int cuGraphInstantiate(long[] exec, long graph, long flags);

    int cuGraphDestroy(long graph);

    int cuGraphExecDestroy(long exec);

    int cuGraphLaunch(long exec, long stream);
}
