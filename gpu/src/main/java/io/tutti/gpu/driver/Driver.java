package io.tutti.gpu.driver;

import java.nio.ByteBuffer;

/**
 * The only door to hardware: a narrow Java image of the CUDA driver calls that the runtime makes. Everything above it
 * runs unchanged on the {@code cuda} and on the {@code host} driver.
 *
 * <p>Each method stands for the driver call that its Javadoc names. A call that does not answer {@code CUDA_SUCCESS}
 * throws {@link DriverException} with that call's name and the {@link CuResult}; queries for which "not ready" is an
 * ordinary answer return a boolean instead. Device pointers and sizes are 64-bit; device pointers are plain
 * {@code long}s, every other object is an opaque handle record.
 *
 * <p>Threads: all methods may be called from any thread. Calls that need a current context (memory, streams, events,
 * modules, launches) use the calling thread's, see {@link #ctxSetCurrent}. None of the methods waits for device work
 * except the three synchronising ones, which take a deadline where hardware allows it.
 *
 * <p>Ownership: every create, alloc, reserve, map, import and retain has its counterpart here, and {@link #live()}
 * counts what was not given back.
 */
public interface Driver extends AutoCloseable {

    /** {@code host} or {@code cuda}. */
    String name();

    // ---- devices ----------------------------------------------------------------------------------------------

    /** {@code cuDriverGetVersion}, for example 13000. */
    int driverVersion();

    /** {@code cuDeviceGetCount}. */
    int deviceCount();

    /** {@code cuDeviceGetName}, {@code cuDeviceGetUuid}, {@code cuDeviceGetPCIBusId}, {@code cuDeviceTotalMem}. */
    DeviceIdentity deviceIdentity(int device);

    /** {@code cuDeviceGetAttribute}. */
    int deviceAttribute(DeviceAttribute attribute, int device);

    /** {@code cuDeviceCanAccessPeer}. */
    boolean deviceCanAccessPeer(int device, int peerDevice);

    /** {@code nvmlDeviceGetGpuFabricInfo}: which NVLink domain the device belongs to. */
    FabricInfo fabricInfo(int device);

    /** Whether this process may open an IMEX channel, without which fabric handles are not permitted. */
    boolean imexChannel();

    /** {@code nvmlSystemGetConfComputeState}: whether devices compute confidentially. */
    ConfidentialComputing confidentialComputing();

    /**
     * What the link from a device to the slowest of its peers promises, in bytes a second and one direction, from the links'
     * number and kind; 0 where nothing is promised.
     */
    long peerBytesPerSecond(int device);

    // ---- contexts ---------------------------------------------------------------------------------------------

    /** {@code cuDevicePrimaryCtxRetain}. */
    CuContext primaryCtxRetain(int device);

    /** {@code cuDevicePrimaryCtxRelease}. */
    void primaryCtxRelease(int device);

    /** {@code cuCtxGetCurrent} for the calling thread; a context of value 0 where there is none. */
    CuContext ctxGetCurrent();

    /** {@code cuCtxSetCurrent} for the calling thread; a context of value 0 for none. */
    void ctxSetCurrent(CuContext context);

    /** {@code cuCtxEnablePeerAccess} from the current context to {@code peer}; enabling twice is no error. */
    void ctxEnablePeerAccess(CuContext peer);

    /** {@code cuMemGetInfo} of the current context's device. */
    MemoryInfo memGetInfo();

    // ---- plain memory -----------------------------------------------------------------------------------------

    /** {@code cuMemAlloc}; aligned to 256 bytes, contents undefined. */
    long memAlloc(long bytes);

    /** {@code cuMemFree}. */
    void memFree(long devicePointer);

    /** {@code cuMemHostAlloc} with portable and device-map flags, zero-filled. */
    HostMapped memHostAlloc(long bytes);

    /** {@code cuMemFreeHost}; the buffer must not be touched afterwards. */
    void memFreeHost(HostMapped memory);

    /** {@code cuMemcpyHtoD}: copies the source's remaining bytes; the source's position does not move. */
    void memcpyHtoD(long destination, ByteBuffer source);

    /** {@code cuMemcpyDtoH}: fills the destination's remaining bytes; its position does not move. */
    void memcpyDtoH(ByteBuffer destination, long source);

    /** {@code cuMemcpyDtoDAsync}. */
    void memcpyDtoDAsync(long destination, long source, long bytes, CuStream stream);

    /** {@code cuMemsetD32Async}: {@code count} 32-bit words from a 4-byte-aligned address. */
    void memsetD32Async(long destination, int value, long count, CuStream stream);

    // ---- virtual memory ---------------------------------------------------------------------------------------

    /** {@code cuMemGetAllocationGranularity}, the recommended granularity for these properties. */
    long memGetAllocationGranularity(AllocationProperties properties);

    /** {@code cuMemCreate}: physical memory; {@code bytes} is a multiple of the granularity. */
    CuMemHandle memCreate(long bytes, AllocationProperties properties);

    /** {@code cuMemRelease}: drops this reference; mappings keep the memory alive. */
    void memRelease(CuMemHandle handle);

    /** {@code cuMemAddressReserve}. */
    long memAddressReserve(long bytes, long alignment);

    /** {@code cuMemAddressFree}. */
    void memAddressFree(long address, long bytes);

    /** {@code cuMemMap} of the whole handle at {@code address}. */
    void memMap(long address, long bytes, CuMemHandle handle);

    /** {@code cuMemUnmap}. */
    void memUnmap(long address, long bytes);

    /** {@code cuMemSetAccess}, read and write for {@code device}. */
    void memSetAccess(long address, long bytes, int device);

    /** {@code cuMemExportToShareableHandle}: for {@link ShareableType#POSIX_FD} the caller owns the descriptor. */
    ShareableHandle memExportToShareableHandle(CuMemHandle handle, ShareableType type);

    /** {@code cuMemImportFromShareableHandle}: does not consume a descriptor. */
    CuMemHandle memImportFromShareableHandle(ShareableHandle handle);

    // ---- legacy IPC -------------------------------------------------------------------------------------------

    /** {@code cuIpcGetMemHandle}: 64 opaque bytes for a base pointer of plain memory. */
    byte[] ipcGetMemHandle(long devicePointer);

    /** {@code cuIpcOpenMemHandle} with lazy peer access. */
    long ipcOpenMemHandle(byte[] handle);

    /** {@code cuIpcCloseMemHandle}. */
    void ipcCloseMemHandle(long devicePointer);

    // ---- multicast --------------------------------------------------------------------------------------------

    /** {@code cuMulticastGetGranularity}, recommended, for {@code devices} members and at least {@code bytes}. */
    long multicastGetGranularity(int devices, long bytes, ShareableType type);

    /**
     * {@code cuMulticastCreate}: an object that spreads stores to a team of devices. Its handle is exported, imported,
     * mapped and released like one of memory; a store of a kernel through the mapping reaches what each device has bound.
     *
     * <p>This call and the three below exist on the {@code host} driver. The {@code cuda} driver refuses them with {@link
     * CuResult#CUDA_ERROR_NOT_SUPPORTED}, whatever the hardware can.
     */
    CuMemHandle multicastCreate(MulticastProperties properties);

    /** {@code cuMulticastAddDevice}: {@code device} joins the team, for as long as the object lives. */
    void multicastAddDevice(CuMemHandle multicast, int device);

    /**
     * {@code cuMulticastBindMem}: what is stored to {@code bytes} bytes from {@code multicastOffset} on arrives in {@code
     * memory}, whose device belongs to the team, from {@code memoryOffset} on. This and {@link #memMap} of the object block
     * until the whole team has been added, so ranks agree on that first; the host driver gives up after a while and answers
     * {@link CuResult#CUDA_ERROR_TIMEOUT}.
     */
    void multicastBindMem(
            CuMemHandle multicast, long multicastOffset, CuMemHandle memory, long memoryOffset, long bytes);

    /** {@code cuMulticastUnbind} of exactly what was bound there for {@code device}. */
    void multicastUnbind(CuMemHandle multicast, int device, long multicastOffset, long bytes);

    // ---- streams and events -----------------------------------------------------------------------------------

    /** {@code cuStreamCreate}, non-blocking. */
    CuStream streamCreate();

    /** {@code cuStreamDestroy}: queued work still runs. */
    void streamDestroy(CuStream stream);

    /** {@code cuStreamQuery}: true when all queued work is done; throws a sticky error. */
    boolean streamQuery(CuStream stream);

    /**
     * Waits until all queued work is done, by {@code cuStreamQuery} with back-off, at most {@code timeoutNanos}.
     *
     * @return false when the time ran out first
     */
    boolean streamSynchronize(CuStream stream, long timeoutNanos);

    /** {@code cuStreamWaitEvent}. */
    void streamWaitEvent(CuStream stream, CuEvent event);

    /** {@code cuEventCreate}, with timing. */
    CuEvent eventCreate();

    /** {@code cuEventDestroy}. */
    void eventDestroy(CuEvent event);

    /** {@code cuEventRecord}. */
    void eventRecord(CuEvent event, CuStream stream);

    /** {@code cuEventQuery}. */
    boolean eventQuery(CuEvent event);

    /** {@code cuEventElapsedTime}, milliseconds between two completed events. */
    float eventElapsedMillis(CuEvent start, CuEvent end);

    // ---- modules and launches ---------------------------------------------------------------------------------

    /** {@code cuModuleLoadData} of the named kernel image that this driver ships. */
    CuModule moduleLoad(String image);

    /** {@code cuModuleUnload}. */
    void moduleUnload(CuModule module);

    /** {@code cuModuleGetFunction}. */
    CuFunction moduleGetFunction(CuModule module, String kernel);

    /**
     * {@code cuLaunchKernelEx} of a kernel with one by-value struct parameter.
     *
     * @param params a direct buffer in native byte order; the bytes from position to limit are the struct, copied
     *     before the call returns; the position does not move
     */
    void launchKernel(CuFunction function, LaunchGeometry geometry, CuStream stream, ByteBuffer params);

    // ---- graphs -----------------------------------------------------------------------------------------------

    /** {@code cuStreamIsCapturing}: whether what is enqueued now is captured instead of run. */
    boolean streamIsCapturing(CuStream stream);

    /** {@code cuStreamBeginCapture}, mode RELAXED. */
    void streamBeginCapture(CuStream stream);

    /** {@code cuStreamEndCapture}. */
    CuGraph streamEndCapture(CuStream stream);

    /** {@code cuGraphInstantiate}. */
    CuGraphExec graphInstantiate(CuGraph graph);

    /** {@code cuGraphDestroy}. */
    void graphDestroy(CuGraph graph);

    /** {@code cuGraphExecDestroy}. */
    void graphExecDestroy(CuGraphExec exec);

    /** {@code cuGraphLaunch}: the parameters are those captured, by value. */
    void graphLaunch(CuGraphExec exec, CuStream stream);

    // ---- life -------------------------------------------------------------------------------------------------

    /**
     * The same driver as one rank calls it, so that what a call does can depend on the rank, for example a fault that is
     * to be injected. Equal to this driver and without a life of its own: closing it does nothing.
     */
    default Driver actingAs(int rank) {
        return this;
    }

    /** How many of each kind of object are live; all zero when everything was given back. */
    LiveObjects live();

    /** Stops the driver's own threads and frees its memory; idempotent. Live objects are reported, not freed silently. */
    @Override
    void close();
}
