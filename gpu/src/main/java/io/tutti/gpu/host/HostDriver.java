package io.tutti.gpu.host;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.driver.HostMapped;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.LiveObjects;
import io.tutti.gpu.driver.MemoryInfo;
import io.tutti.gpu.driver.MulticastProperties;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.fault.DriverCall;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.host.fault.FaultRule;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The driver of an emulated process: each call by its name, first past the plan of faults, then to the part that knows its
 * rules. One instance stands for one process on one host of a {@link Topology}; two instances in one JVM treat each other
 * as different processes.
 *
 * <p>Everything that gives something back works also when the context is lost, and reports the sticky error afterwards, so
 * that an undo that goes on after such an answer leaves nothing behind.
 */
public final class HostDriver implements Driver {

    private static final int NO_RANK = -1;

    private final HostRuntime runtime;
    private final FaultPlan faults;
    private final int rank;

    private HostDriver(HostRuntime runtime, FaultPlan faults, int rank) {
        this.runtime = runtime;
        this.faults = faults;
        this.rank = rank;
    }

    HostDriver(HostRuntime runtime, FaultPlan faults) {
        this(runtime, faults, NO_RANK);
    }

    public static HostDriverBuilder builder() {
        return new HostDriverBuilder();
    }

    /**
     * The same driver as one rank calls it: rules of the fault plan that name the rank apply to calls through the answer
     * alone. Objects are shared, closing it does nothing; the driver that this was called on owns everything.
     */
    @Override
    public HostDriver actingAs(int actingRank) {
        return new HostDriver(runtime, faults, actingRank);
    }

    /** Views of one driver are equal, whichever rank they act as. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HostDriver driver && driver.runtime == runtime;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(runtime);
    }

    /** The name of the call for errors, unless a fault or a closed driver answers for it. */
    private String enter(DriverCall call) {
        runtime.process().checkOpen(call.name());
        FaultRule rule = faults.consult(call, rank);
        if (rule != null) {
            throw injected(call, rule);
        }
        return call.name();
    }

    private DriverException injected(DriverCall call, FaultRule rule) {
        runtime.loseCurrent(rule);
        return new DriverException(call.name(), rule.result(), "injected=true rule='" + rule + "'");
    }

    /** For queries, where an injected "not ready" is an ordinary answer: true when the call is to answer so. */
    private boolean answersNotReady(DriverCall call) {
        try {
            enter(call);
            return false;
        } catch (DriverException e) {
            if (e.result() == CuResult.CUDA_ERROR_NOT_READY) {
                return true;
            }
            throw e;
        }
    }

    @Override
    public String name() {
        return "host";
    }

    // ---- devices ----------------------------------------------------------------------------------------------

    @Override
    public int driverVersion() {
        enter(DriverCall.cuDriverGetVersion);
        return runtime.process().topology().driverVersion();
    }

    @Override
    public int deviceCount() {
        enter(DriverCall.cuDeviceGetCount);
        return runtime.process().devices().size();
    }

    @Override
    public DeviceIdentity deviceIdentity(int device) {
        enter(DriverCall.cuDeviceGetUuid);
        enter(DriverCall.cuDeviceGetPCIBusId);
        enter(DriverCall.cuDeviceTotalMem);
        return runtime.queries()
                .facts(enter(DriverCall.cuDeviceGetName), device)
                .identity();
    }

    @Override
    public int deviceAttribute(DeviceAttribute attribute, int device) {
        return runtime.queries().attribute(enter(DriverCall.cuDeviceGetAttribute), attribute, device);
    }

    @Override
    public boolean deviceCanAccessPeer(int device, int peerDevice) {
        return runtime.queries().canAccessPeer(enter(DriverCall.cuDeviceCanAccessPeer), device, peerDevice);
    }

    @Override
    public FabricInfo fabricInfo(int device) {
        return runtime.queries()
                .facts(enter(DriverCall.nvmlDeviceGetGpuFabricInfo), device)
                .fabric();
    }

    @Override
    public boolean imexChannel() {
        return runtime.process().hostFacts().imexChannel();
    }

    @Override
    public ConfidentialComputing confidentialComputing() {
        return runtime.process().hostFacts().confidential();
    }

    @Override
    public long peerBytesPerSecond(int device) {
        return runtime.process()
                .device("peerBytesPerSecond", device)
                .facts()
                .link()
                .promised();
    }

    @Override
    public long multicastGetGranularity(int devices, long bytes, ShareableType type) {
        return runtime.queries().multicastGranularity(enter(DriverCall.cuMulticastGetGranularity), devices, bytes);
    }

    @Override
    public CuMemHandle multicastCreate(MulticastProperties properties) {
        return runtime.multicast().create(enter(DriverCall.cuMulticastCreate), properties);
    }

    @Override
    public void multicastAddDevice(CuMemHandle multicast, int device) {
        runtime.multicast().addDevice(enter(DriverCall.cuMulticastAddDevice), multicast, device);
    }

    @Override
    public void multicastBindMem(
            CuMemHandle multicast, long multicastOffset, CuMemHandle memory, long memoryOffset, long bytes) {
        runtime.multicast()
                .bind(enter(DriverCall.cuMulticastBindMem), multicast, multicastOffset, memory, memoryOffset, bytes);
    }

    @Override
    public void multicastUnbind(CuMemHandle multicast, int device, long multicastOffset, long bytes) {
        runtime.multicast().unbind(enter(DriverCall.cuMulticastUnbind), multicast, device, multicastOffset, bytes);
    }

    // ---- contexts ---------------------------------------------------------------------------------------------

    @Override
    public CuContext primaryCtxRetain(int device) {
        return runtime.plain().retain(enter(DriverCall.cuDevicePrimaryCtxRetain), device);
    }

    @Override
    public void primaryCtxRelease(int device) {
        runtime.plain().release(enter(DriverCall.cuDevicePrimaryCtxRelease), device);
    }

    @Override
    public CuContext ctxGetCurrent() {
        enter(DriverCall.cuCtxGetCurrent);
        return runtime.plain().current();
    }

    @Override
    public void ctxSetCurrent(CuContext context) {
        runtime.plain().setCurrent(enter(DriverCall.cuCtxSetCurrent), context);
    }

    @Override
    public void ctxEnablePeerAccess(CuContext peer) {
        runtime.plain().enablePeerAccess(enter(DriverCall.cuCtxEnablePeerAccess), peer);
    }

    @Override
    public MemoryInfo memGetInfo() {
        return runtime.plain().info(enter(DriverCall.cuMemGetInfo));
    }

    // ---- plain memory -----------------------------------------------------------------------------------------

    @Override
    public long memAlloc(long bytes) {
        return runtime.plain().allocate(enter(DriverCall.cuMemAlloc), bytes);
    }

    @Override
    public void memFree(long devicePointer) {
        runtime.plain().free(enter(DriverCall.cuMemFree), devicePointer);
    }

    @Override
    public HostMapped memHostAlloc(long bytes) {
        return runtime.plain().allocateHost(enter(DriverCall.cuMemHostAlloc), bytes);
    }

    @Override
    public void memFreeHost(HostMapped memory) {
        runtime.plain().freeHost(enter(DriverCall.cuMemFreeHost), memory);
    }

    @Override
    public void memcpyHtoD(long destination, ByteBuffer source) {
        runtime.plain().toDevice(enter(DriverCall.cuMemcpyHtoD), destination, source);
    }

    @Override
    public void memcpyDtoH(ByteBuffer destination, long source) {
        runtime.plain().toHost(enter(DriverCall.cuMemcpyDtoH), destination, source);
    }

    @Override
    public void memcpyDtoDAsync(long destination, long source, long bytes, CuStream stream) {
        runtime.streams().copy(enter(DriverCall.cuMemcpyDtoDAsync), destination, source, bytes, stream);
    }

    @Override
    public void memsetD32Async(long destination, int value, long count, CuStream stream) {
        runtime.streams().fill(enter(DriverCall.cuMemsetD32Async), destination, value, count, stream);
    }

    // ---- virtual memory ---------------------------------------------------------------------------------------

    @Override
    public long memGetAllocationGranularity(AllocationProperties properties) {
        return runtime.virtual().granularity(enter(DriverCall.cuMemGetAllocationGranularity), properties);
    }

    @Override
    public CuMemHandle memCreate(long bytes, AllocationProperties properties) {
        return runtime.virtual().create(enter(DriverCall.cuMemCreate), bytes, properties);
    }

    @Override
    public void memRelease(CuMemHandle handle) {
        runtime.virtual().release(enter(DriverCall.cuMemRelease), handle);
    }

    @Override
    public long memAddressReserve(long bytes, long alignment) {
        return runtime.virtual().reserve(enter(DriverCall.cuMemAddressReserve), bytes, alignment);
    }

    @Override
    public void memAddressFree(long address, long bytes) {
        runtime.virtual().unreserve(enter(DriverCall.cuMemAddressFree), address, bytes);
    }

    @Override
    public void memMap(long address, long bytes, CuMemHandle handle) {
        String call = enter(DriverCall.cuMemMap);
        runtime.multicast().awaitTeam(call, handle);
        runtime.virtual().map(call, address, bytes, handle);
    }

    @Override
    public void memUnmap(long address, long bytes) {
        runtime.virtual().unmap(enter(DriverCall.cuMemUnmap), address, bytes);
    }

    @Override
    public void memSetAccess(long address, long bytes, int device) {
        runtime.virtual().setAccess(enter(DriverCall.cuMemSetAccess), address, bytes, device);
    }

    @Override
    public ShareableHandle memExportToShareableHandle(CuMemHandle handle, ShareableType type) {
        return runtime.sharing().export(enter(DriverCall.cuMemExportToShareableHandle), handle, type);
    }

    @Override
    public CuMemHandle memImportFromShareableHandle(ShareableHandle handle) {
        return runtime.sharing().importHandle(enter(DriverCall.cuMemImportFromShareableHandle), handle);
    }

    // ---- legacy IPC -------------------------------------------------------------------------------------------

    @Override
    public byte[] ipcGetMemHandle(long devicePointer) {
        return runtime.sharing().ipcHandle(enter(DriverCall.cuIpcGetMemHandle), devicePointer);
    }

    @Override
    public long ipcOpenMemHandle(byte[] handle) {
        return runtime.sharing().ipcOpen(enter(DriverCall.cuIpcOpenMemHandle), handle);
    }

    @Override
    public void ipcCloseMemHandle(long devicePointer) {
        runtime.sharing().ipcClose(enter(DriverCall.cuIpcCloseMemHandle), devicePointer);
    }

    // ---- streams and events -----------------------------------------------------------------------------------

    @Override
    public CuStream streamCreate() {
        return runtime.streams().create(enter(DriverCall.cuStreamCreate));
    }

    @Override
    public void streamDestroy(CuStream stream) {
        runtime.streams().destroy(enter(DriverCall.cuStreamDestroy), stream);
    }

    @Override
    public boolean streamQuery(CuStream stream) {
        return !answersNotReady(DriverCall.cuStreamQuery)
                && runtime.streams().query(DriverCall.cuStreamQuery.name(), stream);
    }

    @Override
    public boolean streamSynchronize(CuStream stream, long timeoutNanos) {
        return !answersNotReady(DriverCall.cuStreamSynchronize)
                && runtime.streams().synchronize(DriverCall.cuStreamSynchronize.name(), stream, timeoutNanos);
    }

    @Override
    public void streamWaitEvent(CuStream stream, CuEvent event) {
        runtime.streams().await(enter(DriverCall.cuStreamWaitEvent), stream, event);
    }

    @Override
    public CuEvent eventCreate() {
        return runtime.streams().createEvent(enter(DriverCall.cuEventCreate));
    }

    @Override
    public void eventDestroy(CuEvent event) {
        runtime.streams().destroyEvent(enter(DriverCall.cuEventDestroy), event);
    }

    @Override
    public void eventRecord(CuEvent event, CuStream stream) {
        runtime.streams().record(enter(DriverCall.cuEventRecord), event, stream);
    }

    @Override
    public boolean eventQuery(CuEvent event) {
        return !answersNotReady(DriverCall.cuEventQuery)
                && runtime.streams().queryEvent(DriverCall.cuEventQuery.name(), event);
    }

    @Override
    public float eventElapsedMillis(CuEvent start, CuEvent end) {
        return runtime.streams().elapsed(enter(DriverCall.cuEventElapsedTime), start, end);
    }

    // ---- modules and launches ---------------------------------------------------------------------------------

    @Override
    public CuModule moduleLoad(String image) {
        return runtime.modules().load(enter(DriverCall.cuModuleLoadData), image);
    }

    @Override
    public void moduleUnload(CuModule module) {
        runtime.modules().unload(enter(DriverCall.cuModuleUnload), module);
    }

    @Override
    public CuFunction moduleGetFunction(CuModule module, String kernel) {
        return runtime.modules().find(enter(DriverCall.cuModuleGetFunction), module, kernel);
    }

    @Override
    public void launchKernel(CuFunction function, LaunchGeometry geometry, CuStream stream, ByteBuffer params) {
        runtime.streams().launch(enter(DriverCall.cuLaunchKernelEx), function, geometry, stream, params);
    }

    // ---- graphs -----------------------------------------------------------------------------------------------

    @Override
    public boolean streamIsCapturing(CuStream stream) {
        return runtime.streams().isCapturing(enter(DriverCall.cuStreamIsCapturing), stream);
    }

    @Override
    public void streamBeginCapture(CuStream stream) {
        runtime.streams().beginCapture(enter(DriverCall.cuStreamBeginCapture), stream);
    }

    @Override
    public CuGraph streamEndCapture(CuStream stream) {
        return runtime.streams().endCapture(enter(DriverCall.cuStreamEndCapture), stream);
    }

    @Override
    public CuGraphExec graphInstantiate(CuGraph graph) {
        return runtime.streams().instantiate(enter(DriverCall.cuGraphInstantiate), graph);
    }

    @Override
    public void graphDestroy(CuGraph graph) {
        runtime.streams().destroyGraph(enter(DriverCall.cuGraphDestroy), graph);
    }

    @Override
    public void graphExecDestroy(CuGraphExec exec) {
        runtime.streams().destroyRun(enter(DriverCall.cuGraphExecDestroy), exec);
    }

    @Override
    public void graphLaunch(CuGraphExec exec, CuStream stream) {
        runtime.streams().launch(enter(DriverCall.cuGraphLaunch), exec, stream);
    }

    // ---- life -------------------------------------------------------------------------------------------------

    @Override
    public LiveObjects live() {
        return runtime.live();
    }

    /** Takes at most a few seconds, also when a kernel does not end; does nothing on a rank's view. */
    @Override
    public void close() {
        if (rank == NO_RANK) {
            runtime.close();
        }
    }
}
