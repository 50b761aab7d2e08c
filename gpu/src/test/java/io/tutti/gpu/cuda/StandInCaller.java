package io.tutti.gpu.cuda;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.HostMapped;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.MulticastProperties;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Makes calls to the CUDA driver in a process of its own and prints what they answer. */
final class StandInCaller {

    private static final int MIB = 1 << 20;

    private StandInCaller() {}

    public static void main(String[] arguments) {
        CudaBinding binding = CudaBinding.valueOf(arguments[0]);
        if (!(Cuda.open(binding, "standin") instanceof CudaAvailability.Usable usable)) {
            CudaAvailability.Unusable unusable = (CudaAvailability.Unusable) Cuda.open(binding, "standin");
            System.out.println("unusable: " + unusable.why().describe());
            return;
        }
        try (CudaDriver driver = usable.driver()) {
            if (arguments.length > 1) {
                fail(driver, arguments[1]);
            } else {
                everything(driver);
            }
        }
        System.out.println("temporary=" + System.getProperty("java.io.tmpdir"));
    }

    private static void fail(Driver driver, String image) {
        try {
            driver.ctxSetCurrent(driver.primaryCtxRetain(0));
            driver.moduleLoad(image);
            driver.memCreate(2 * MIB, new AllocationProperties(0, ShareableType.FABRIC));
            System.out.println("no failure");
        } catch (DriverException e) {
            System.out.println("failure: " + e.info().describe());
        }
    }

    private static void everything(Driver driver) {
        System.out.println(
                "driver=" + driver.name() + " version=" + driver.driverVersion() + " devices=" + driver.deviceCount());
        System.out.println("identity=" + driver.deviceIdentity(1));
        System.out.println("peer=" + driver.deviceCanAccessPeer(0, 1));
        System.out.println("fabric=" + driver.fabricInfo(0));
        CuContext context = driver.primaryCtxRetain(1);
        driver.ctxSetCurrent(context);
        driver.ctxEnablePeerAccess(context);
        System.out.println("info=" + driver.memGetInfo());
        memory(driver);
        virtual(driver);
        work(driver);
        System.out.println("before=" + driver.live());
        driver.primaryCtxRelease(1);
        System.out.println("live=" + driver.live().total());
    }

    private static void memory(Driver driver) {
        long plain = driver.memAlloc(3 * MIB);
        byte[] bytes = new byte[3 * MIB];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / 4096);
        }
        driver.memcpyHtoD(plain, ByteBuffer.wrap(bytes));
        ByteBuffer direct = ByteBuffer.allocateDirect(3 * MIB - 16);
        driver.memcpyDtoH(direct, plain + 16);
        ByteBuffer heap = ByteBuffer.allocate(3 * MIB);
        driver.memcpyDtoH(heap, plain);
        System.out.println("copied=" + Arrays.equals(bytes, heap.array()) + " "
                + direct.equals(ByteBuffer.wrap(bytes, 16, bytes.length - 16)));
        byte[] handle = driver.ipcGetMemHandle(plain);
        long opened = driver.ipcOpenMemHandle(handle);
        driver.ipcCloseMemHandle(opened);
        driver.memFree(plain);
        HostMapped mapped = driver.memHostAlloc(256);
        System.out.println("mapped=" + mapped.buffer().remaining() + " "
                + mapped.buffer().order() + " " + mapped.buffer().getLong(0) + " " + (mapped.devicePointer() >>> 44));
        driver.memFreeHost(mapped);
    }

    private static void virtual(Driver driver) {
        AllocationProperties properties = new AllocationProperties(1, ShareableType.POSIX_FD);
        long granularity = driver.memGetAllocationGranularity(properties);
        CuMemHandle handle = driver.memCreate(granularity, properties);
        long address = driver.memAddressReserve(granularity, 0);
        driver.memMap(address, granularity, handle);
        driver.memSetAccess(address, granularity, 1);
        ShareableHandle fd = driver.memExportToShareableHandle(handle, ShareableType.POSIX_FD);
        ShareableHandle fabric = driver.memExportToShareableHandle(handle, ShareableType.FABRIC);
        System.out.println("exported=" + fd + " " + ((ShareableHandle.Fabric) fabric).bytes()[63]);
        driver.memRelease(driver.memImportFromShareableHandle(fd));
        driver.memRelease(driver.memImportFromShareableHandle(fabric));
        System.out.println("multicast=" + driver.multicastGetGranularity(2, granularity, ShareableType.FABRIC));
        multicast(driver, handle, granularity);
        driver.memUnmap(address, granularity);
        driver.memAddressFree(address, granularity);
        driver.memRelease(handle);
    }

    private static void multicast(Driver driver, CuMemHandle memory, long bytes) {
        refused(() -> driver.multicastCreate(new MulticastProperties(2, bytes, ShareableType.POSIX_FD)));
        refused(() -> driver.multicastAddDevice(memory, 1));
        refused(() -> driver.multicastBindMem(memory, 0, memory, 0, bytes));
        refused(() -> driver.multicastUnbind(memory, 1, 0, bytes));
    }

    private static void refused(Runnable call) {
        try {
            call.run();
        } catch (DriverException e) {
            System.out.println(e.call() + "=" + e.result());
        }
    }

    private static void work(Driver driver) {
        CuStream stream = driver.streamCreate();
        CuEvent event = driver.eventCreate();
        driver.eventRecord(event, stream);
        driver.streamWaitEvent(stream, event);
        System.out.println("idle=" + driver.streamQuery(stream) + " " + driver.eventQuery(event) + " "
                + driver.streamSynchronize(stream, 1_000_000) + " " + driver.eventElapsedMillis(event, event));
        CuModule module = driver.moduleLoad("standin");
        CuFunction function = driver.moduleGetFunction(module, "kernel");
        ByteBuffer params = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());
        params.putLong(-1).putLong(0x1122334455667788L).putLong(0x0102030405060708L);
        params.position(8);
        driver.launchKernel(function, LaunchGeometry.SINGLE, stream, params);
        driver.launchKernel(function, new LaunchGeometry(132, 1024, 4, 100_000, true), stream, params);
        driver.launchKernel(function, new LaunchGeometry(32, 512, 16, 100_000, false), stream, params);
        driver.memsetD32Async(0x7000, 0x80000000, 5, stream);
        driver.memcpyDtoDAsync(0x8000, 0x9000, 16, stream);
        driver.streamBeginCapture(stream);
        CuGraph graph = driver.streamEndCapture(stream);
        CuGraphExec exec = driver.graphInstantiate(graph);
        driver.graphDestroy(graph);
        driver.graphLaunch(exec, stream);
        driver.graphExecDestroy(exec);
        driver.moduleUnload(module);
        driver.eventDestroy(event);
        driver.streamDestroy(stream);
    }
}
