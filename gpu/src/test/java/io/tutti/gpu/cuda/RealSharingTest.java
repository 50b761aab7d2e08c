package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes on one device. */
@Tag("gpu")
@Timeout(90)
class RealSharingTest {

    private final List<Process> children = new ArrayList<>();

    @AfterEach
    void stop() {
        children.forEach(Process::destroyForcibly);
    }

    private Process child(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RealSharingChild.class.getName()));
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command).inheritIO().start();
        children.add(child);
        return child;
    }

    private static void awaitGrowth(RealDevice device, long address) {
        long deadline = System.nanoTime() + RealDevice.PATIENCE;
        while (device.read(address) == 0) {
            assertThat(System.nanoTime()).as("the child stores").isLessThan(deadline);
        }
    }

    private static void endsWell(Process child) throws InterruptedException {
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isZero();
    }

    @Test
    void aDescriptorCarriesMemoryIntoAnotherProcess() throws Exception {
        try (RealDevice device = RealDevice.open(CudaBinding.AUTO)) {
            RealDevice.Mapped mapped = device.virtual(ShareableType.POSIX_FD);
            device.write(mapped.address(), 0);
            device.write(mapped.address() + 4, 0);
            int fd = ((ShareableHandle.PosixFd)
                            device.driver.memExportToShareableHandle(mapped.handle(), ShareableType.POSIX_FD))
                    .fd();
            // The driver's descriptor is no file that could be opened again by path, so the child takes it from us.
            Process child = child(
                    "fd",
                    Long.toString(ProcessHandle.current().pid()),
                    Integer.toString(fd),
                    Long.toString(mapped.bytes()));
            awaitGrowth(device, mapped.address());
            Descriptors.close(fd);
            device.write(mapped.address() + 4, 1);
            endsWell(child);
            device.free(mapped);
        }
    }

    @Test
    void aLegacyIpcHandleCarriesPlainMemoryIntoAnotherProcess() throws Exception {
        try (RealDevice device = RealDevice.open(CudaBinding.AUTO)) {
            long plain = device.plain(1 << 20);
            Process child = child("ipc", HexFormat.of().formatHex(device.driver.ipcGetMemHandle(plain)));
            awaitGrowth(device, plain);
            device.write(plain + 4, 1);
            endsWell(child);
            device.driver.memFree(plain);
        }
    }

    @Test
    void killingAPeerThatStoresLeavesTheSurvivorWhole() throws Exception {
        try (RealDevice device = RealDevice.open(CudaBinding.AUTO)) {
            RealDevice.Mapped mapped = device.virtual(ShareableType.POSIX_FD);
            device.write(mapped.address(), 0);
            device.write(mapped.address() + 4, 0);
            int fd = ((ShareableHandle.PosixFd)
                            device.driver.memExportToShareableHandle(mapped.handle(), ShareableType.POSIX_FD))
                    .fd();
            Process child = child(
                    "fd",
                    Long.toString(ProcessHandle.current().pid()),
                    Integer.toString(fd),
                    Long.toString(mapped.bytes()));
            awaitGrowth(device, mapped.address());
            child.destroyForcibly();
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
            device.launch("store", mapped.address(), 123);
            device.sync();
            assertThat(device.read(mapped.address())).isEqualTo(123);
            Descriptors.close(fd);
            device.free(mapped);
        }
    }
}
