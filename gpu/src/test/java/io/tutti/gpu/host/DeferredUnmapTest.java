package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.HostMapped;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Memory goes under the feet of kernels that hold it; a mistake here ends the test's JVM. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class DeferredUnmapTest {

    /** Resolves its first parameter, says so at its second, and stores to the first until its third is set. */
    private static final HostKernel HOLD = (memory, params) -> {
        Span held = memory.span(params.getLong(0), Integer.BYTES);
        Span started = memory.span(params.getLong(8), Integer.BYTES);
        Span end = memory.span(params.getLong(16), Integer.BYTES);
        MemoryWindow.INT.setRelease(started.window().bytes(), started.offset(), 1);
        for (int round = 0; (int) MemoryWindow.INT.getAcquire(end.window().bytes(), end.offset()) == 0; round++) {
            held.window().ints().put(held.offset() / Integer.BYTES, round);
            memory.relax(round);
        }
    };

    private static long maps() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("memfd:tutti"))
                .count();
    }

    @Test
    void aKernelKeepsTheMemoryThatItHasResolvedUntilItEnds() throws IOException {
        HostDriver driver = HostDriver.builder()
                .topology(Topology.local(1, Machine.DEVICE_BYTES))
                .kernels("hold", Map.of("hold", HOLD))
                .kernels("tests", Machine.KERNELS)
                .build();
        long before = maps();
        try (Machine machine = new Machine(driver)) {
            CuStream stream = driver.streamCreate();
            HostMapped words = driver.memHostAlloc(64);
            Machine.Mapped mapped = machine.virtual(0, 1 << 20, ShareableType.NONE);
            driver.launchKernel(
                    driver.moduleGetFunction(driver.moduleLoad("hold"), "hold"),
                    LaunchGeometry.SINGLE,
                    stream,
                    Machine.struct(mapped.address(), words.devicePointer(), words.devicePointer() + 4));
            long deadline = System.nanoTime() + Machine.PATIENCE;
            while ((int) MemoryWindow.INT.getAcquire(words.buffer(), 0) == 0) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.onSpinWait();
            }

            machine.free(mapped);
            assertThat(driver.live().byKind()).containsEntry("mapping", 0L).containsEntry("handle", 0L);
            assertThat(maps()).isEqualTo(before + 1);
            MemoryWindow.INT.setRelease(words.buffer(), 4, 1);
            machine.sync(stream);
            // The stream is idle a moment before its thread has left the kernel's memory.
            while (maps() > before) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.onSpinWait();
            }
            driver.memFreeHost(words);
        }
    }

    @Test
    void threadsThatMapAndUnmapAroundRunningStreamsDoNoHarm() throws Exception {
        try (Machine machine = Machine.local(3)) {
            ExecutorService threads = Executors.newFixedThreadPool(3);
            List<Future<?>> all = new ArrayList<>();
            for (int device = 0; device < 3; device++) {
                int self = device;
                all.add(threads.submit(() -> churn(machine, self)));
            }
            for (Future<?> one : all) {
                one.get(40, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertThat(machine.driver.live().byKind())
                    .containsEntry("memory", 0L)
                    .containsEntry("mapping", 0L)
                    .containsEntry("reservation", 0L)
                    .containsEntry("handle", 0L)
                    .containsEntry("stream", 0L);
        }
    }

    /** Device 2 frees without waiting, so that it loses its context to its own kernels; the others must not notice. */
    private static void churn(Machine machine, int device) {
        HostDriver driver = machine.driver;
        machine.use(device);
        SplittableRandom random = new SplittableRandom(100 + device);
        boolean careless = device == 2;
        CuStream stream = driver.streamCreate();
        int lost = 0;
        for (int round = 0; round < 150; round++) {
            long granularity = 64 << 10;
            long bytes = granularity * (1 + random.nextInt(8));
            List<Runnable> undo = new ArrayList<>();
            try {
                CuMemHandle handle = driver.memCreate(bytes, new AllocationProperties(device, ShareableType.NONE));
                undo.add(0, () -> driver.memRelease(handle));
                long address = driver.memAddressReserve(bytes, 0);
                undo.add(0, () -> driver.memAddressFree(address, bytes));
                driver.memMap(address, bytes, handle);
                undo.add(0, () -> driver.memUnmap(address, bytes));
                driver.memSetAccess(address, bytes, device);
                long plain = driver.memAlloc(1 + random.nextInt(10_000));
                undo.add(0, () -> driver.memFree(plain));
                driver.memsetD32Async(address, round, bytes / Integer.BYTES, stream);
                machine.launch(stream, device, "add", address + bytes - 4, 1);
                if (!careless) {
                    machine.sync(stream);
                    assertThat(machine.read(address + bytes - 4)).isEqualTo(round + 1);
                }
            } catch (DriverException e) {
                lost++;
            }
            for (Runnable step : undo) {
                try {
                    step.run();
                } catch (DriverException e) {
                    lost++;
                }
            }
        }
        try {
            driver.streamDestroy(stream);
        } catch (DriverException e) {
            lost++;
        }
        if (!careless) {
            assertThat(lost).isZero();
        }
    }
}
