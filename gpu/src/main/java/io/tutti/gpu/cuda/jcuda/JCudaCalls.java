package io.tutti.gpu.cuda.jcuda;

import static io.tutti.gpu.cuda.jcuda.JCudaHandles.device;
import static io.tutti.gpu.cuda.jcuda.JCudaHandles.host;
import static io.tutti.gpu.cuda.jcuda.JCudaHandles.of;
import static io.tutti.gpu.cuda.jcuda.JCudaHandles.ordinal;
import static io.tutti.gpu.cuda.jcuda.JCudaHandles.stream;
import static io.tutti.gpu.cuda.jcuda.JCudaHandles.value;

import io.tutti.gpu.cuda.calls.CudaCalls;
import java.nio.charset.StandardCharsets;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUipcMemHandle;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** The calls that JCuda carries right; what it breaks or lacks is inherited from {@link RestOfCalls}. */
final class JCudaCalls extends RestOfCalls {

    private static final Pointer NO_EXTRA = new Pointer();

    JCudaCalls(CudaCalls rest) {
        super(rest);
    }

    // ---- driver and devices -----------------------------------------------------------------------------------

    @Override
    public int cuInit(int flags) {
        return Codes.of(() -> JCudaDriver.cuInit(flags));
    }

    @Override
    public int cuDriverGetVersion(int[] version) {
        return Codes.of(() -> JCudaDriver.cuDriverGetVersion(version));
    }

    @Override
    public int cuDeviceGetCount(int[] count) {
        return Codes.of(() -> JCudaDriver.cuDeviceGetCount(count));
    }

    @Override
    public int cuDeviceGet(int[] device, int ordinal) {
        CUdevice out = new CUdevice();
        int code = Codes.of(() -> JCudaDriver.cuDeviceGet(out, ordinal));
        device[0] = (int) value(out);
        return code;
    }

    @Override
    public int cuDeviceGetPCIBusId(byte[] id, int length, int device) {
        String[] out = {""};
        int code = Codes.of(() -> JCudaDriver.cuDeviceGetPCIBusId(out, length, ordinal(device)));
        byte[] text = out[0].getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, id, 0, Math.min(text.length, id.length));
        return code;
    }

    @Override
    public int cuDeviceTotalMem(long[] bytes, int device) {
        return Codes.of(() -> JCudaDriver.cuDeviceTotalMem(bytes, ordinal(device)));
    }

    @Override
    public int cuDeviceGetAttribute(int[] value, int attribute, int device) {
        return Codes.of(() -> JCudaDriver.cuDeviceGetAttribute(value, attribute, ordinal(device)));
    }

    @Override
    public int cuDeviceCanAccessPeer(int[] canAccess, int device, int peerDevice) {
        return Codes.of(() -> JCudaDriver.cuDeviceCanAccessPeer(canAccess, ordinal(device), ordinal(peerDevice)));
    }

    // ---- contexts ---------------------------------------------------------------------------------------------

    @Override
    public int cuDevicePrimaryCtxRetain(long[] context, int device) {
        CUcontext out = new CUcontext();
        int code = Codes.of(() -> JCudaDriver.cuDevicePrimaryCtxRetain(out, ordinal(device)));
        context[0] = value(out);
        return code;
    }

    @Override
    public int cuDevicePrimaryCtxRelease(int device) {
        return Codes.of(() -> JCudaDriver.cuDevicePrimaryCtxRelease(ordinal(device)));
    }

    @Override
    public int cuCtxSetCurrent(long context) {
        return Codes.of(() -> JCudaDriver.cuCtxSetCurrent(of(new CUcontext(), context)));
    }

    @Override
    public int cuCtxGetCurrent(long[] context) {
        CUcontext out = new CUcontext();
        int code = Codes.of(() -> JCudaDriver.cuCtxGetCurrent(out));
        context[0] = value(out);
        return code;
    }

    @Override
    public int cuCtxGetDevice(int[] device) {
        CUdevice out = new CUdevice();
        int code = Codes.of(() -> JCudaDriver.cuCtxGetDevice(out));
        device[0] = (int) value(out);
        return code;
    }

    @Override
    public int cuCtxEnablePeerAccess(long peer, int flags) {
        return Codes.of(() -> JCudaDriver.cuCtxEnablePeerAccess(of(new CUcontext(), peer), flags));
    }

    @Override
    public int cuMemGetInfo(long[] free, long[] total) {
        return Codes.of(() -> JCudaDriver.cuMemGetInfo(free, total));
    }

    // ---- plain memory and legacy IPC --------------------------------------------------------------------------

    @Override
    public int cuMemAlloc(long[] devicePointer, long bytes) {
        CUdeviceptr out = new CUdeviceptr();
        int code = Codes.of(() -> JCudaDriver.cuMemAlloc(out, bytes));
        devicePointer[0] = value(out);
        return code;
    }

    @Override
    public int cuMemFree(long devicePointer) {
        return Codes.of(() -> JCudaDriver.cuMemFree(device(devicePointer)));
    }

    @Override
    public int cuMemHostGetDevicePointer(long[] devicePointer, long hostAddress, int flags) {
        CUdeviceptr out = new CUdeviceptr();
        int code = Codes.of(() -> JCudaDriver.cuMemHostGetDevicePointer(out, host(hostAddress), flags));
        devicePointer[0] = value(out);
        return code;
    }

    @Override
    public int cuMemFreeHost(long hostAddress) {
        return Codes.of(() -> JCudaDriver.cuMemFreeHost(host(hostAddress)));
    }

    @Override
    public int cuMemcpyHtoDAsync(long destination, long hostAddress, long bytes, long stream) {
        return Codes.of(
                () -> JCudaDriver.cuMemcpyHtoDAsync(device(destination), host(hostAddress), bytes, stream(stream)));
    }

    @Override
    public int cuMemcpyDtoHAsync(long hostAddress, long source, long bytes, long stream) {
        return Codes.of(() -> JCudaDriver.cuMemcpyDtoHAsync(host(hostAddress), device(source), bytes, stream(stream)));
    }

    @Override
    public int cuMemcpyDtoDAsync(long destination, long source, long bytes, long stream) {
        return Codes.of(
                () -> JCudaDriver.cuMemcpyDtoDAsync(device(destination), device(source), bytes, stream(stream)));
    }

    @Override
    public int cuMemsetD32Async(long destination, int value, long count, long stream) {
        return Codes.of(() -> JCudaDriver.cuMemsetD32Async(device(destination), value, count, stream(stream)));
    }

    @Override
    public int cuIpcGetMemHandle(byte[] handle, long devicePointer) {
        CUipcMemHandle out = new CUipcMemHandle();
        int code = Codes.of(() -> JCudaDriver.cuIpcGetMemHandle(out, device(devicePointer)));
        System.arraycopy(JCudaHandles.bytes(out), 0, handle, 0, handle.length);
        return code;
    }

    @Override
    public int cuIpcOpenMemHandle(long[] devicePointer, byte[] handle, int flags) {
        CUipcMemHandle in = new CUipcMemHandle();
        System.arraycopy(handle, 0, JCudaHandles.bytes(in), 0, handle.length);
        CUdeviceptr out = new CUdeviceptr();
        int code = Codes.of(() -> JCudaDriver.cuIpcOpenMemHandle(out, in, flags));
        devicePointer[0] = value(out);
        return code;
    }

    @Override
    public int cuIpcCloseMemHandle(long devicePointer) {
        return Codes.of(() -> JCudaDriver.cuIpcCloseMemHandle(device(devicePointer)));
    }

    // ---- streams and events -----------------------------------------------------------------------------------

    @Override
    public int cuStreamCreate(long[] stream, int flags) {
        CUstream out = new CUstream();
        int code = Codes.of(() -> JCudaDriver.cuStreamCreate(out, flags));
        stream[0] = value(out);
        return code;
    }

    @Override
    public int cuStreamDestroy(long stream) {
        return Codes.of(() -> JCudaDriver.cuStreamDestroy(stream(stream)));
    }

    @Override
    public int cuStreamQuery(long stream) {
        return Codes.of(() -> JCudaDriver.cuStreamQuery(stream(stream)));
    }

    @Override
    public int cuStreamWaitEvent(long stream, long event, int flags) {
        return Codes.of(() -> JCudaDriver.cuStreamWaitEvent(stream(stream), event(event), flags));
    }

    @Override
    public int cuEventCreate(long[] event, int flags) {
        CUevent out = new CUevent();
        int code = Codes.of(() -> JCudaDriver.cuEventCreate(out, flags));
        event[0] = value(out);
        return code;
    }

    @Override
    public int cuEventDestroy(long event) {
        return Codes.of(() -> JCudaDriver.cuEventDestroy(event(event)));
    }

    @Override
    public int cuEventRecord(long event, long stream) {
        return Codes.of(() -> JCudaDriver.cuEventRecord(event(event), stream(stream)));
    }

    @Override
    public int cuEventQuery(long event) {
        return Codes.of(() -> JCudaDriver.cuEventQuery(event(event)));
    }

    @Override
    public int cuEventElapsedTime(float[] milliseconds, long start, long end) {
        return Codes.of(() -> JCudaDriver.cuEventElapsedTime(milliseconds, event(start), event(end)));
    }

    private static CUevent event(long event) {
        return of(new CUevent(), event);
    }

    // ---- modules and launches ---------------------------------------------------------------------------------

    @Override
    public int cuModuleLoadData(long[] module, byte[] image) {
        CUmodule out = new CUmodule();
        int code = Codes.of(() -> JCudaDriver.cuModuleLoadData(out, image));
        module[0] = value(out);
        return code;
    }

    @Override
    public int cuModuleUnload(long module) {
        return Codes.of(() -> JCudaDriver.cuModuleUnload(of(new CUmodule(), module)));
    }

    @Override
    public int cuModuleGetFunction(long[] function, long module, String kernel) {
        CUfunction out = new CUfunction();
        int code = Codes.of(() -> JCudaDriver.cuModuleGetFunction(out, of(new CUmodule(), module), kernel));
        function[0] = value(out);
        return code;
    }

    @Override
    public int cuFuncGetAttribute(int[] value, int attribute, long function) {
        return Codes.of(() -> JCudaDriver.cuFuncGetAttribute(value, attribute, function(function)));
    }

    @Override
    public int cuFuncSetAttribute(long function, int attribute, int value) {
        return Codes.of(() -> JCudaDriver.cuFuncSetAttribute(function(function), attribute, value));
    }

    /** The table of parameters is passed by its address: JCuda would walk an array of its objects for microseconds. */
    @Override
    public int cuLaunchKernel(long function, int grid, int block, int sharedBytes, long stream, long paramsAddress) {
        return Codes.of(() -> JCudaDriver.cuLaunchKernel(
                function(function),
                grid,
                1,
                1,
                block,
                1,
                1,
                sharedBytes,
                stream(stream),
                host(paramsAddress),
                NO_EXTRA));
    }

    private static CUfunction function(long function) {
        return of(new CUfunction(), function);
    }

    // ---- graphs -----------------------------------------------------------------------------------------------

    @Override
    public int cuThreadExchangeStreamCaptureMode(int[] mode) {
        return Codes.of(() -> JCudaDriver.cuThreadExchangeStreamCaptureMode(mode));
    }

    @Override
    public int cuStreamIsCapturing(long stream, int[] status) {
        return Codes.of(() -> JCudaDriver.cuStreamIsCapturing(stream(stream), status));
    }

    @Override
    public int cuStreamBeginCapture(long stream, int mode) {
        return Codes.of(() -> JCudaDriver.cuStreamBeginCapture(stream(stream), mode));
    }

    @Override
    public int cuStreamEndCapture(long stream, long[] graph) {
        CUgraph out = new CUgraph();
        int code = Codes.of(() -> JCudaDriver.cuStreamEndCapture(stream(stream), out));
        graph[0] = value(out);
        return code;
    }

    @Override
    public int cuGraphInstantiate(long[] exec, long graph, long flags) {
        CUgraphExec out = new CUgraphExec();
        int code = Codes.of(() -> JCudaDriver.cuGraphInstantiate(out, of(new CUgraph(), graph), flags));
        exec[0] = value(out);
        return code;
    }

    @Override
    public int cuGraphDestroy(long graph) {
        return Codes.of(() -> JCudaDriver.cuGraphDestroy(of(new CUgraph(), graph)));
    }

    @Override
    public int cuGraphExecDestroy(long exec) {
        return Codes.of(() -> JCudaDriver.cuGraphExecDestroy(of(new CUgraphExec(), exec)));
    }

    @Override
    public int cuGraphLaunch(long exec, long stream) {
        return Codes.of(() -> JCudaDriver.cuGraphLaunch(of(new CUgraphExec(), exec), stream(stream)));
    }
}
