package io.tutti.gpu.cuda.jna;

import com.sun.jna.Function;
import com.sun.jna.Structure;
import io.tutti.gpu.cuda.calls.CudaCalls;
import io.tutti.gpu.driver.CuResult;
import org.jspecify.annotations.Nullable;

/** The calls, bound directly by {@link JnaBinding}; a few need a turn in Java first. */
final class JnaCalls implements CudaCalls {

    /** A handle that travels by value. */
    @Structure.FieldOrder("bytes")
    public static final class IpcHandle extends Structure implements Structure.ByValue {
        public byte[] bytes = new byte[64];
    }

    private final @Nullable Function multicastGetGranularity;

    /** @param multicastGetGranularity null where the driver is older than multicast objects */
    JnaCalls(@Nullable Function multicastGetGranularity) {
        this.multicastGetGranularity = multicastGetGranularity;
    }

    @Override
    public int cuMulticastGetGranularity(long[] bytes, long propertiesAddress, int option) {
        return multicastGetGranularity == null
                ? CuResult.CUDA_ERROR_NOT_SUPPORTED.code()
                : multicastGetGranularity.invokeInt(new Object[] {bytes, propertiesAddress, option});
    }

    @Override
    public int cuIpcOpenMemHandle(long[] devicePointer, byte[] handle, int flags) {
        IpcHandle byValue = new IpcHandle();
        System.arraycopy(handle, 0, byValue.bytes, 0, byValue.bytes.length);
        return openIpcHandle(devicePointer, byValue, flags);
    }

    private native int openIpcHandle(long[] devicePointer, IpcHandle handle, int flags);

    @Override
    public int cuLaunchKernel(long function, int grid, int block, int sharedBytes, long stream, long paramsAddress) {
        return launchKernel(function, grid, 1, 1, block, 1, 1, sharedBytes, stream, paramsAddress, 0);
    }

    private native int launchKernel(
            long function,
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int sharedBytes,
            long stream,
            long paramsAddress,
            long extra);

    // ---- driver and devices -----------------------------------------------------------------------------------

    @Override
    public native int cuInit(int flags);

    @Override
    public native int cuDriverGetVersion(int[] version);

    @Override
    public native int cuDeviceGetCount(int[] count);

    @Override
    public native int cuDeviceGet(int[] device, int ordinal);

    @Override
    public native int cuDeviceGetName(byte[] name, int length, int device);

    @Override
    public native int cuDeviceGetUuid(byte[] uuid, int device);

    @Override
    public native int cuDeviceGetPCIBusId(byte[] id, int length, int device);

    @Override
    public native int cuDeviceTotalMem(long[] bytes, int device);

    @Override
    public native int cuDeviceGetAttribute(int[] value, int attribute, int device);

    @Override
    public native int cuDeviceCanAccessPeer(int[] canAccess, int device, int peerDevice);

    // ---- contexts ---------------------------------------------------------------------------------------------

    @Override
    public native int cuDevicePrimaryCtxRetain(long[] context, int device);

    @Override
    public native int cuDevicePrimaryCtxRelease(int device);

    @Override
    public native int cuCtxSetCurrent(long context);

    @Override
    public native int cuCtxGetCurrent(long[] context);

    @Override
    public native int cuCtxGetDevice(int[] device);

    @Override
    public native int cuCtxEnablePeerAccess(long peer, int flags);

    @Override
    public native int cuMemGetInfo(long[] free, long[] total);

    // ---- plain memory -----------------------------------------------------------------------------------------

    @Override
    public native int cuMemAlloc(long[] devicePointer, long bytes);

    @Override
    public native int cuMemFree(long devicePointer);

    @Override
    public native int cuMemHostAlloc(long[] hostAddress, long bytes, int flags);

    @Override
    public native int cuMemHostGetDevicePointer(long[] devicePointer, long hostAddress, int flags);

    @Override
    public native int cuMemFreeHost(long hostAddress);

    @Override
    public native int cuMemcpyHtoDAsync(long destination, long hostAddress, long bytes, long stream);

    @Override
    public native int cuMemcpyDtoHAsync(long hostAddress, long source, long bytes, long stream);

    @Override
    public native int cuMemcpyDtoDAsync(long destination, long source, long bytes, long stream);

    @Override
    public native int cuMemsetD32Async(long destination, int value, long count, long stream);

    // ---- virtual memory and multicast queries -----------------------------------------------------------------

    @Override
    public native int cuMemGetAllocationGranularity(long[] bytes, long propertiesAddress, int option);

    @Override
    public native int cuMemCreate(long[] handle, long bytes, long propertiesAddress, long flags);

    @Override
    public native int cuMemRelease(long handle);

    @Override
    public native int cuMemAddressReserve(long[] address, long bytes, long alignment, long wished, long flags);

    @Override
    public native int cuMemAddressFree(long address, long bytes);

    @Override
    public native int cuMemMap(long address, long bytes, long offset, long handle, long flags);

    @Override
    public native int cuMemUnmap(long address, long bytes);

    @Override
    public native int cuMemSetAccess(long address, long bytes, long accessAddress, long count);

    @Override
    public native int cuMemExportToShareableHandle(long shareableAddress, long handle, int type, long flags);

    @Override
    public native int cuMemImportFromShareableHandle(long[] handle, long shareable, int type);

    // ---- legacy IPC: handles are 64 bytes ---------------------------------------------------------------------

    @Override
    public native int cuIpcGetMemHandle(byte[] handle, long devicePointer);

    @Override
    public native int cuIpcCloseMemHandle(long devicePointer);

    // ---- streams and events -----------------------------------------------------------------------------------

    @Override
    public native int cuStreamCreate(long[] stream, int flags);

    @Override
    public native int cuStreamDestroy(long stream);

    @Override
    public native int cuStreamQuery(long stream);

    @Override
    public native int cuStreamWaitEvent(long stream, long event, int flags);

    @Override
    public native int cuEventCreate(long[] event, int flags);

    @Override
    public native int cuEventDestroy(long event);

    @Override
    public native int cuEventRecord(long event, long stream);

    @Override
    public native int cuEventQuery(long event);

    @Override
    public native int cuEventElapsedTime(float[] milliseconds, long start, long end);

    // ---- modules and launches ---------------------------------------------------------------------------------

    @Override
    public native int cuModuleLoadData(long[] module, byte[] image);

    @Override
    public native int cuModuleLoadDataEx(long[] module, byte[] image, int count, int[] options, long[] values);

    @Override
    public native int cuModuleUnload(long module);

    @Override
    public native int cuModuleGetFunction(long[] function, long module, String kernel);

    @Override
    public native int cuFuncGetAttribute(int[] value, int attribute, long function);

    @Override
    public native int cuFuncSetAttribute(long function, int attribute, int value);

    @Override
    public native int cuLaunchKernelEx(long configAddress, long function, long paramsAddress, long extra);

    // ---- graphs -----------------------------------------------------------------------------------------------

    @Override
    public native int cuThreadExchangeStreamCaptureMode(int[] mode);

    @Override
    public native int cuStreamIsCapturing(long stream, int[] status);

    @Override
    public native int cuStreamBeginCapture(long stream, int mode);

    @Override
    public native int cuStreamEndCapture(long stream, long[] graph);

    @Override
    public native int cuGraphInstantiate(long[] exec, long graph, long flags);

    @Override
    public native int cuGraphDestroy(long graph);

    @Override
    public native int cuGraphExecDestroy(long exec);

    @Override
    public native int cuGraphLaunch(long exec, long stream);
}
