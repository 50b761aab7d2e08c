package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.CuStream;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(90)
@EnabledOnOs(OS.LINUX)
class SharingBetweenProcessesTest {

    private static final long BYTES = 1 << 20;

    private final Machine machine = Machine.local(2);
    private final CuStream stream = machine.driver.streamCreate();
    private final List<Process> children = new ArrayList<>();

    @AfterEach
    void stop() {
        children.forEach(Process::destroyForcibly);
        machine.close();
    }

    private Process child(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SharingChild.class.getName()));
        command.addAll(List.of(args));
        Process child = new ProcessBuilder(command).inheritIO().start();
        children.add(child);
        return child;
    }

    private int exported(Machine.Mapped mapped) {
        return ((ShareableHandle.PosixFd)
                        machine.driver.memExportToShareableHandle(mapped.handle(), ShareableType.POSIX_FD))
                .fd();
    }

    private Process childOnDescriptor(Machine.Mapped mapped, int fd) throws IOException {
        Path path = Descriptors.path(ProcessHandle.current().pid(), fd);
        return child("fd", path.toString(), Long.toString(mapped.bytes()));
    }

    private void awaitGrowth(long address, int from) {
        long deadline = System.nanoTime() + Machine.PATIENCE;
        while (machine.read(address) <= from) {
            assertThat(System.nanoTime()).as("the child stores").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static void endsWell(Process child) throws InterruptedException {
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isZero();
    }

    @Test
    void aDescriptorCarriesMemoryIntoAnotherProcess() throws Exception {
        Machine.Mapped mapped = machine.virtual(0, BYTES, ShareableType.POSIX_FD);
        int fd = exported(mapped);
        Process child = childOnDescriptor(mapped, fd);
        awaitGrowth(mapped.address(), 0);
        Descriptors.close(fd);
        machine.launch(stream, 0, "store", mapped.address() + 4, 1);
        machine.sync(stream);
        endsWell(child);
    }

    @Test
    void aLegacyIpcHandleCarriesPlainMemoryIntoAnotherProcess() throws Exception {
        machine.zeroed(512, stream);
        long small = machine.zeroed(64, stream);
        Process child = child("ipc", HexFormat.of().formatHex(machine.driver.ipcGetMemHandle(small)));
        awaitGrowth(small, 0);
        machine.write(small + 4, 1);
        endsWell(child);
    }

    @Test
    void killingAPeerThatStoresLeavesTheSurvivorWhole() throws Exception {
        Machine.Mapped mapped = machine.virtual(0, BYTES, ShareableType.POSIX_FD);
        int fd = exported(mapped);
        Process child = childOnDescriptor(mapped, fd);
        awaitGrowth(mapped.address(), 0);
        child.destroyForcibly();
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        machine.launch(stream, 0, "store", mapped.address(), 123);
        machine.sync(stream);
        assertThat(machine.read(mapped.address())).isEqualTo(123);
        Descriptors.close(fd);
    }
}
