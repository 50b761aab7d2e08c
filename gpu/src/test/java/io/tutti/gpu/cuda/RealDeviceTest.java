package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tutti.gpu.cuda.calls.CudaCalls;
import io.tutti.gpu.cuda.jna.JnaBinding;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.HostMapped;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The driver on a real device, by either binding; every test gives everything back. */
@Tag("gpu")
@Timeout(60)
class RealDeviceTest {

    private static final int GEOMETRY_WORDS = 4;

    private static void on(CudaBinding binding, Consumer<RealDevice> work) {
        try (RealDevice device = RealDevice.open(binding)) {
            work.accept(device);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void theDeviceSaysWhatItIs(CudaBinding binding) {
        on(binding, device -> {
            DeviceIdentity identity = device.driver.deviceIdentity(0);
            assertThat(identity.name()).isNotBlank();
            assertThat(identity.uuid()).matches("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
            assertThat(identity.pciBusId()).matches("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.0");
            assertThat(device.driver.memGetInfo().totalBytes()).isPositive().isLessThanOrEqualTo(identity.totalBytes());
            assertThat(device.driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, 0))
                    .isGreaterThanOrEqualTo(8);
            System.out.println(binding + ": " + identity + " driver=" + device.driver.driverVersion() + " fabric="
                    + device.driver.fabricInfo(0));
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void bytesGoThereAndBack(CudaBinding binding) {
        on(binding, device -> {
            byte[] bytes = new byte[(5 << 20) + 12];
            new SplittableRandom(7).nextBytes(bytes);
            long plain = device.driver.memAlloc(bytes.length);
            long twin = device.driver.memAlloc(bytes.length);
            device.driver.memcpyHtoD(plain, ByteBuffer.wrap(bytes));
            device.driver.memcpyDtoDAsync(twin, plain, bytes.length, device.stream);
            device.sync();
            ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
            device.driver.memcpyDtoH(direct, twin);
            assertThat(direct).isEqualTo(ByteBuffer.wrap(bytes));
            ByteBuffer heap = ByteBuffer.allocate(bytes.length);
            device.driver.memcpyDtoH(heap, twin);
            assertThat(heap.array()).isEqualTo(bytes);
            device.driver.memFree(plain);
            device.driver.memFree(twin);
        });
    }

    /** What the copy call promises and plain {@code cuMemcpy} does not. */
    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void aKernelSeesWhatWasCopiedBeforeItsLaunch(CudaBinding binding) {
        on(binding, device -> {
            long words = device.plain(1 << 12);
            for (int round = 1; round <= 500; round++) {
                device.write(words, round);
                device.launch("add", words, 1);
                device.sync();
                assertThat(device.read(words)).isEqualTo(round + 1);
            }
            device.driver.memFree(words);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void aKernelAndTheHostShareMappedMemory(CudaBinding binding) {
        on(binding, device -> {
            HostMapped mapped = device.driver.memHostAlloc(64);
            device.launch("await", mapped.devicePointer(), 41);
            assertThat(device.driver.streamSynchronize(device.stream, TimeUnit.MILLISECONDS.toNanos(20)))
                    .as("it waits")
                    .isFalse();
            assertThat(device.driver.streamQuery(device.stream)).isFalse();
            mapped.buffer().putInt(0, 41);
            device.sync();
            assertThat(mapped.buffer().getInt(0)).isEqualTo(42);
            device.driver.memFreeHost(mapped);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void launchesHaveTheirGeometry(CudaBinding binding) {
        on(binding, device -> {
            boolean clusters = device.driver.deviceAttribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, 0) >= 9;
            long words = device.plain(GEOMETRY_WORDS * Integer.BYTES);
            geometry(device, new LaunchGeometry(132, 256, 1, 1024, false), words, 1);
            geometry(device, new LaunchGeometry(32, 1024, clusters ? 4 : 1, 0, true), words, clusters ? 4 : 1);
            geometry(device, new LaunchGeometry(16, 64, clusters ? 16 : 1, 100_000, false), words, clusters ? 16 : 1);
            device.driver.memFree(words);
        });
    }

    private static void geometry(RealDevice device, LaunchGeometry geometry, long words, int cluster) {
        device.launch("geometry", geometry, device.stream, words, 0);
        device.sync();
        ByteBuffer seen =
                ByteBuffer.allocateDirect(GEOMETRY_WORDS * Integer.BYTES).order(ByteOrder.nativeOrder());
        device.driver.memcpyDtoH(seen, words);
        assertThat(new int[] {seen.getInt(0), seen.getInt(4), seen.getInt(8), seen.getInt(12)})
                .containsExactly(geometry.gridBlocks(), geometry.blockThreads(), cluster, geometry.sharedBytes());
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void aGraphIsCapturedOnceAndReplayed(CudaBinding binding) {
        on(binding, device -> {
            long word = device.plain(4);
            device.driver.streamBeginCapture(device.stream);
            for (int i = 0; i < 100; i++) {
                device.launch("add", new LaunchGeometry(1, 1, 1, 0, i > 0), device.stream, word, 1);
            }
            CuGraph graph = device.driver.streamEndCapture(device.stream);
            CuGraphExec exec = device.driver.graphInstantiate(graph);
            device.driver.graphDestroy(graph);
            assertThat(device.read(word)).as("capturing runs nothing").isZero();
            CuEvent start = device.driver.eventCreate();
            CuEvent end = device.driver.eventCreate();
            device.driver.eventRecord(start, device.stream);
            for (int i = 0; i < 10; i++) {
                device.driver.graphLaunch(exec, device.stream);
            }
            device.driver.eventRecord(end, device.stream);
            device.sync();
            assertThat(device.read(word)).isEqualTo(1000);
            assertThat(device.driver.eventQuery(end)).isTrue();
            assertThat(device.driver.eventElapsedMillis(start, end)).isPositive();
            System.out.printf(
                    "%s: %.2f µs a kernel in a graph%n", binding, device.driver.eventElapsedMillis(start, end));
            device.driver.eventDestroy(start);
            device.driver.eventDestroy(end);
            device.driver.graphExecDestroy(exec);
            device.driver.memFree(word);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void virtualMemoryIsMappedTwice(CudaBinding binding) {
        on(binding, device -> {
            RealDevice.Mapped one = device.virtual(ShareableType.POSIX_FD);
            long second = device.driver.memAddressReserve(one.bytes(), 0);
            device.driver.memMap(second, one.bytes(), one.handle());
            device.driver.memSetAccess(second, one.bytes(), 0);
            device.launch("store", one.address() + 64, 77);
            device.sync();
            assertThat(device.read(second + 64)).isEqualTo(77);
            device.driver.memUnmap(second, one.bytes());
            device.driver.memAddressFree(second, one.bytes());
            device.free(one);
        });
    }

    /** A capture of mode GLOBAL forbids others many calls; ours must neither fail nor spoil it. */
    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void aUsersGlobalCaptureSurvivesOurCalls(CudaBinding binding) {
        on(binding, device -> {
            CudaCalls user = JnaBinding.bind();
            CuStream theirs = device.driver.streamCreate();
            long word = device.plain(4);
            assertThat(user.cuStreamBeginCapture(theirs.value(), 0)).isZero();
            device.launch("add", LaunchGeometry.SINGLE, theirs, word, 1);
            CompletableFuture<Void> ours = CompletableFuture.runAsync(() -> {
                device.driver.ctxSetCurrent(device.context);
                long plain = device.plain(1 << 16);
                device.write(plain, 5);
                assertThat(device.read(plain)).isEqualTo(5);
                device.free(device.virtual(ShareableType.NONE));
                device.driver.memFree(plain);
            });
            ours.orTimeout(20, TimeUnit.SECONDS).join();
            CuGraph graph = device.driver.streamEndCapture(theirs);
            CuGraphExec exec = device.driver.graphInstantiate(graph);
            device.driver.graphLaunch(exec, device.stream);
            device.sync();
            assertThat(device.read(word)).isEqualTo(1);
            device.driver.graphExecDestroy(exec);
            device.driver.graphDestroy(graph);
            device.driver.memFree(word);
            device.driver.streamDestroy(theirs);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void whatALaunchCosts(CudaBinding binding) {
        on(binding, device -> {
            long word = device.plain(4);
            ByteBuffer params = RealDevice.params(word, 1);
            LaunchGeometry programmatic = new LaunchGeometry(1, 1, 1, 0, true);
            int total = 0;
            for (LaunchGeometry geometry : new LaunchGeometry[] {LaunchGeometry.SINGLE, programmatic}) {
                double best = Double.MAX_VALUE;
                for (int burst = 0; burst < 40; burst++) {
                    long start = System.nanoTime();
                    for (int i = 0; i < 200; i++) {
                        device.driver.launchKernel(device.kernel("add"), geometry, device.stream, params);
                    }
                    best = Math.min(best, (System.nanoTime() - start) / 200e3);
                    total += 200;
                    device.sync();
                }
                System.out.printf(
                        "%s: %.2f µs a %s launch%n", binding, best, geometry.programmatic() ? "programmatic" : "plain");
            }
            long start = System.nanoTime();
            for (int i = 0; i < 10_000; i++) {
                device.driver.ctxSetCurrent(device.context);
            }
            System.out.printf("%s: %.2f µs to set the context%n", binding, (System.nanoTime() - start) / 1e7);
            assertThat((double) device.read(word)).isEqualTo(total, within(0.0));
            device.driver.memFree(word);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void aKernelThatIsNotThereIsNamed(CudaBinding binding) {
        on(
                binding,
                device -> assertThat(RealRefusalsTest.failure(() -> device.kernel("nothing")))
                        .extracting(
                                DriverException::call,
                                failure -> failure.result().code())
                        .containsExactly("cuModuleGetFunction", 500));
    }
}
