package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.nvml.Nvml;
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
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real devices of this process. Every call goes to the part that knows its rules. Contexts are primary contexts, which
 * this process shares with every other user of the device; nothing of anybody else's is touched.
 */
public final class CudaDriver implements Driver {

    private static final Logger LOG = LoggerFactory.getLogger(CudaDriver.class);

    private final Session session;
    private final int driverVersion;
    private final int deviceCount;
    private final Nvml nvml;
    private final DeviceCalls devices;
    private final ContextCalls contexts;
    private final PlainCalls plain;
    private final VirtualCalls virtual;
    private final StreamCalls streams;
    private final ModuleCalls modules;
    private final AtomicBoolean closed = new AtomicBoolean();

    CudaDriver(Session session, int driverVersion, int deviceCount, Nvml nvml) {
        this.session = session;
        this.driverVersion = driverVersion;
        this.deviceCount = deviceCount;
        this.nvml = nvml;
        CopyLanes lanes = new CopyLanes(session);
        this.devices = new DeviceCalls(session, nvml);
        this.contexts = new ContextCalls(session, devices, lanes);
        this.plain = new PlainCalls(session, lanes);
        this.virtual = new VirtualCalls(session);
        this.streams = new StreamCalls(session);
        this.modules = new ModuleCalls(session, devices, driverVersion);
    }

    @Override
    public String name() {
        return "cuda";
    }

    // ---- devices ----------------------------------------------------------------------------------------------

    @Override
    public int driverVersion() {
        return driverVersion;
    }

    @Override
    public int deviceCount() {
        return deviceCount;
    }

    @Override
    public DeviceIdentity deviceIdentity(int device) {
        return devices.identity(device);
    }

    @Override
    public int deviceAttribute(DeviceAttribute attribute, int device) {
        return devices.attribute(attribute, device);
    }

    @Override
    public boolean deviceCanAccessPeer(int device, int peerDevice) {
        return devices.canAccessPeer(device, peerDevice);
    }

    @Override
    public FabricInfo fabricInfo(int device) {
        return devices.fabric(device);
    }

    @Override
    public boolean imexChannel() {
        return ImexChannels.openable();
    }

    @Override
    public ConfidentialComputing confidentialComputing() {
        return devices.confidentialComputing();
    }

    @Override
    public long peerBytesPerSecond(int device) {
        return devices.peerBytesPerSecond(device, deviceCount);
    }

    // ---- contexts ---------------------------------------------------------------------------------------------

    @Override
    public CuContext primaryCtxRetain(int device) {
        return contexts.retain(device);
    }

    @Override
    public void primaryCtxRelease(int device) {
        contexts.release(device);
    }

    @Override
    public CuContext ctxGetCurrent() {
        return contexts.current();
    }

    @Override
    public void ctxSetCurrent(CuContext context) {
        contexts.setCurrent(context);
    }

    @Override
    public void ctxEnablePeerAccess(CuContext peer) {
        contexts.enablePeerAccess(peer);
    }

    @Override
    public MemoryInfo memGetInfo() {
        return contexts.memoryInfo();
    }

    // ---- plain memory -----------------------------------------------------------------------------------------

    @Override
    public long memAlloc(long bytes) {
        return plain.allocate(bytes);
    }

    @Override
    public void memFree(long devicePointer) {
        plain.free(devicePointer);
    }

    @Override
    public HostMapped memHostAlloc(long bytes) {
        return plain.allocateHost(bytes);
    }

    @Override
    public void memFreeHost(HostMapped memory) {
        plain.freeHost(memory);
    }

    @Override
    public void memcpyHtoD(long destination, ByteBuffer source) {
        plain.toDevice(destination, source);
    }

    @Override
    public void memcpyDtoH(ByteBuffer destination, long source) {
        plain.toHost(destination, source);
    }

    @Override
    public void memcpyDtoDAsync(long destination, long source, long bytes, CuStream stream) {
        plain.copy(destination, source, bytes, stream);
    }

    @Override
    public void memsetD32Async(long destination, int value, long count, CuStream stream) {
        plain.fill(destination, value, count, stream);
    }

    // ---- virtual memory ---------------------------------------------------------------------------------------

    @Override
    public long memGetAllocationGranularity(AllocationProperties properties) {
        return virtual.granularity(properties);
    }

    @Override
    public CuMemHandle memCreate(long bytes, AllocationProperties properties) {
        return virtual.create(bytes, properties);
    }

    @Override
    public void memRelease(CuMemHandle handle) {
        virtual.release(handle);
    }

    @Override
    public long memAddressReserve(long bytes, long alignment) {
        return virtual.reserve(bytes, alignment);
    }

    @Override
    public void memAddressFree(long address, long bytes) {
        virtual.unreserve(address, bytes);
    }

    @Override
    public void memMap(long address, long bytes, CuMemHandle handle) {
        virtual.map(address, bytes, handle);
    }

    @Override
    public void memUnmap(long address, long bytes) {
        virtual.unmap(address, bytes);
    }

    @Override
    public void memSetAccess(long address, long bytes, int device) {
        virtual.setAccess(address, bytes, device);
    }

    @Override
    public ShareableHandle memExportToShareableHandle(CuMemHandle handle, ShareableType type) {
        return virtual.export(handle, type);
    }

    @Override
    public CuMemHandle memImportFromShareableHandle(ShareableHandle handle) {
        return virtual.importHandle(handle);
    }

    // ---- legacy IPC -------------------------------------------------------------------------------------------

    @Override
    public byte[] ipcGetMemHandle(long devicePointer) {
        return plain.ipcHandle(devicePointer);
    }

    @Override
    public long ipcOpenMemHandle(byte[] handle) {
        return plain.ipcOpen(handle);
    }

    @Override
    public void ipcCloseMemHandle(long devicePointer) {
        plain.ipcClose(devicePointer);
    }

    // ---- multicast: this driver asks, and never makes an object ------------------------------------------------

    @Override
    public long multicastGetGranularity(int devices, long bytes, ShareableType type) {
        return virtual.multicastGranularity(devices, bytes, type);
    }

    @Override
    public CuMemHandle multicastCreate(MulticastProperties properties) {
        throw queriesOnly("cuMulticastCreate");
    }

    @Override
    public void multicastAddDevice(CuMemHandle multicast, int device) {
        throw queriesOnly("cuMulticastAddDevice");
    }

    @Override
    public void multicastBindMem(
            CuMemHandle multicast, long multicastOffset, CuMemHandle memory, long memoryOffset, long bytes) {
        throw queriesOnly("cuMulticastBindMem");
    }

    @Override
    public void multicastUnbind(CuMemHandle multicast, int device, long multicastOffset, long bytes) {
        throw queriesOnly("cuMulticastUnbind");
    }

    /** The answer in the driver's place, which is never called. */
    private static DriverException queriesOnly(String call) {
        return new DriverException(
                call, CuResult.CUDA_ERROR_NOT_SUPPORTED, "called=false build=queries multicast only");
    }

    // ---- streams and events -----------------------------------------------------------------------------------

    @Override
    public CuStream streamCreate() {
        return streams.create();
    }

    @Override
    public void streamDestroy(CuStream stream) {
        streams.destroy(stream);
    }

    @Override
    public boolean streamQuery(CuStream stream) {
        return streams.query(stream);
    }

    @Override
    public boolean streamSynchronize(CuStream stream, long timeoutNanos) {
        return streams.synchronize(stream, timeoutNanos);
    }

    @Override
    public void streamWaitEvent(CuStream stream, CuEvent event) {
        streams.await(stream, event);
    }

    @Override
    public CuEvent eventCreate() {
        return streams.createEvent();
    }

    @Override
    public void eventDestroy(CuEvent event) {
        streams.destroyEvent(event);
    }

    @Override
    public void eventRecord(CuEvent event, CuStream stream) {
        streams.record(event, stream);
    }

    @Override
    public boolean eventQuery(CuEvent event) {
        return streams.queryEvent(event);
    }

    @Override
    public float eventElapsedMillis(CuEvent start, CuEvent end) {
        return streams.elapsedMillis(start, end);
    }

    // ---- modules and launches ---------------------------------------------------------------------------------

    @Override
    public CuModule moduleLoad(String image) {
        return modules.load(image);
    }

    @Override
    public void moduleUnload(CuModule module) {
        modules.unload(module);
    }

    @Override
    public CuFunction moduleGetFunction(CuModule module, String kernel) {
        return modules.find(module, kernel);
    }

    @Override
    public void launchKernel(CuFunction function, LaunchGeometry geometry, CuStream stream, ByteBuffer params) {
        modules.launch(function, geometry, stream, params);
    }

    // ---- graphs -----------------------------------------------------------------------------------------------

    @Override
    public boolean streamIsCapturing(CuStream stream) {
        return streams.isCapturing(stream);
    }

    @Override
    public void streamBeginCapture(CuStream stream) {
        streams.beginCapture(stream);
    }

    @Override
    public CuGraph streamEndCapture(CuStream stream) {
        return streams.endCapture(stream);
    }

    @Override
    public CuGraphExec graphInstantiate(CuGraph graph) {
        return streams.instantiate(graph);
    }

    @Override
    public void graphDestroy(CuGraph graph) {
        streams.destroyGraph(graph);
    }

    @Override
    public void graphExecDestroy(CuGraphExec exec) {
        streams.destroyExec(exec);
    }

    @Override
    public void graphLaunch(CuGraphExec exec, CuStream stream) {
        streams.launch(exec, stream);
    }

    // ---- life -------------------------------------------------------------------------------------------------

    @Override
    public LiveObjects live() {
        return session.live();
    }

    /** Reports what was not given back; it stays with the process, since kernels may still use it. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            nvml.close();
            LiveObjects left = session.live();
            if (left.total() != 0) {
                LOG.warn("the CUDA driver is closed while objects are live: {}", left);
            }
        }
    }
}
