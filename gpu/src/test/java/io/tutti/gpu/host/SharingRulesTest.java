package io.tutti.gpu.host;

import static io.tutti.gpu.host.TestTopologies.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two drivers of one JVM are two processes to each other. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class SharingRulesTest {

    private static Machine on(Topology topology, int host) {
        return new Machine(HostDriver.builder()
                .topology(topology)
                .host(host)
                .kernels("tests", Machine.KERNELS)
                .build());
    }

    private static int export(Machine machine, Machine.Mapped mapped) {
        return ((ShareableHandle.PosixFd)
                        machine.driver.memExportToShareableHandle(mapped.handle(), ShareableType.POSIX_FD))
                .fd();
    }

    private static CuMemHandle importFd(Machine machine, int fd) {
        return machine.driver.memImportFromShareableHandle(new ShareableHandle.PosixFd(fd));
    }

    @Test
    void aDescriptorIsTheSameMemoryForBoth() {
        try (Machine exporter = Machine.local(2);
                Machine importer = Machine.local(2)) {
            Machine.Mapped mapped = exporter.virtual(0, MIB, ShareableType.POSIX_FD);
            int fd = export(exporter, mapped);
            Machine.Mapped mirror = importer.map(importFd(importer, fd), MIB, 0, 1);
            Descriptors.close(fd);
            exporter.write(mapped.address() + MIB - 4, 1234);
            assertThat(importer.read(mirror.address() + MIB - 4)).isEqualTo(1234);

            importer.use(1);
            CuStream stream = importer.driver.streamCreate();
            exporter.free(mapped);
            importer.launch(stream, 1, "add", mirror.address() + MIB - 4, 1);
            importer.sync(stream);
            assertThat(importer.read(mirror.address() + MIB - 4)).isEqualTo(1235);
            importer.free(mirror);
            assertThat(importer.driver.live().byKind()).containsEntry("handle", 0L);
        }
    }

    @Test
    void nobodyCanShrinkOrGrowSharedMemory() throws IOException {
        try (Machine machine = Machine.local(1)) {
            int fd = export(machine, machine.virtual(0, MIB, ShareableType.POSIX_FD));
            Path path = Descriptors.path(ProcessHandle.current().pid(), fd);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                assertThatThrownBy(() -> channel.truncate(0)).isInstanceOf(IOException.class);
                assertThat(channel.size()).isEqualTo(MIB);
            }
            Descriptors.close(fd);
        }
    }

    @Test
    void aDescriptorDoesNotCrossToAnotherHost() {
        Topology topology = TestTopologies.fabric(true, TestTopologies.CLUSTER);
        try (Machine here = on(topology, 0);
                Machine there = on(topology, 1)) {
            int fd = export(here, here.virtual(0, 2 * MIB, ShareableType.POSIX_FD));
            Answers.refused(999, () -> importFd(there, fd));
            Descriptors.close(fd);
        }
    }

    @Test
    void legacyIpcWorksOnItsHostAndAnswers400OnAnother() {
        Topology topology = TestTopologies.fabric(true, TestTopologies.CLUSTER);
        try (Machine exporter = on(topology, 0);
                Machine importer = on(topology, 0);
                Machine elsewhere = on(topology, 1)) {
            CuStream stream = exporter.driver.streamCreate();
            long plain = exporter.zeroed(64, stream);
            exporter.write(plain + 60, 99);
            byte[] handle = exporter.driver.ipcGetMemHandle(plain);
            assertThat(handle).hasSize(64);
            Answers.refused(201, () -> exporter.driver.ipcOpenMemHandle(handle));
            Answers.refused(400, () -> elsewhere.driver.ipcOpenMemHandle(handle));

            importer.use(1);
            long opened = importer.driver.ipcOpenMemHandle(handle);
            assertThat(importer.driver.ipcOpenMemHandle(handle)).isEqualTo(opened);
            assertThat(importer.read(opened + 60)).isEqualTo(99);
            assertThat(importer.driver.live().byKind()).containsEntry("ipc", 2L);
            importer.driver.ipcCloseMemHandle(opened);
            importer.driver.ipcCloseMemHandle(opened);
            Answers.refused(1, () -> importer.driver.ipcCloseMemHandle(opened));

            exporter.driver.memFree(plain);
            exporter.tidy();
            Answers.refused(400, () -> importer.driver.ipcOpenMemHandle(handle));
            byte[] broken = handle.clone();
            broken[20] ^= 1;
            Answers.refused(1, () -> importer.driver.ipcOpenMemHandle(broken));
        }
    }

    @Test
    void legacyIpcNeedsAPeerPathAndWorksWithoutSharedMemoryInOneJvm() {
        HostDriverBuilder buffers = Machine.builder(1).memory(HostDriverBuilder.Memory.BUFFERS);
        try (Machine exporter = new Machine(buffers.build());
                Machine importer = new Machine(buffers.build())) {
            CuStream stream = exporter.driver.streamCreate();
            long plain = exporter.zeroed(64, stream);
            long opened = importer.driver.ipcOpenMemHandle(exporter.driver.ipcGetMemHandle(plain));
            exporter.write(plain, 3);
            assertThat(importer.read(opened)).isEqualTo(3);
            importer.driver.ipcCloseMemHandle(opened);
        }
    }

    private static ShareableHandle fabricHandle(Machine machine) {
        CuMemHandle handle = machine.driver.memCreate(2 * MIB, new AllocationProperties(0, ShareableType.FABRIC));
        Machine.Mapped mapped = machine.map(handle, 2 * MIB, 0);
        machine.write(mapped.address(), 17);
        return machine.driver.memExportToShareableHandle(handle, ShareableType.FABRIC);
    }

    @Test
    void aFabricHandleCrossesHostsOfOneClique() {
        Topology topology = TestTopologies.fabric(true, TestTopologies.CLUSTER);
        try (Machine here = on(topology, 0);
                Machine there = on(topology, 1)) {
            ShareableHandle handle = fabricHandle(here);
            assertThat(((ShareableHandle.Fabric) handle).bytes()).hasSize(64);
            Machine.Mapped mapped = there.map(there.driver.memImportFromShareableHandle(handle), 2 * MIB, 0, 1);
            assertThat(there.read(mapped.address())).isEqualTo(17);
        }
    }

    @Test
    void memoryForBothIsExportedAsOneOrTheOther() {
        try (Machine machine = on(TestTopologies.fabric(true, TestTopologies.CLUSTER), 0)) {
            ShareableType both = ShareableType.POSIX_FD.and(ShareableType.FABRIC);
            assertThat(both.code()).isEqualTo(9);
            Machine.Mapped mapped = machine.virtual(0, 2 * MIB, both);
            Descriptors.close(export(machine, mapped));
            assertThat(machine.driver.memExportToShareableHandle(mapped.handle(), ShareableType.FABRIC))
                    .isInstanceOf(ShareableHandle.Fabric.class);
            Answers.refused(1, () -> machine.driver.memExportToShareableHandle(mapped.handle(), both));
        }
        try (Machine machine = on(TestTopologies.h200Pair(64 * MIB), 0)) {
            ShareableType both = ShareableType.FABRIC.and(ShareableType.POSIX_FD);
            Answers.refused(800, () -> machine.driver.memCreate(2 * MIB, new AllocationProperties(0, both)));
        }
    }

    @Test
    void aFabricHandleNeedsAnImexChannelAndTheSameClique() {
        try (Machine here = on(TestTopologies.fabric(false, TestTopologies.CLUSTER), 0);
                Machine there = on(TestTopologies.fabric(false, TestTopologies.CLUSTER), 1)) {
            ShareableHandle handle = fabricHandle(here);
            Answers.refused(800, () -> there.driver.memImportFromShareableHandle(handle));
            Answers.refused(
                    800, () -> there.driver.memCreate(2 * MIB, new AllocationProperties(0, ShareableType.FABRIC)));
        }
        String other = "11111111-2222-3333-4444-555555555555";
        try (Machine here = on(TestTopologies.fabric(true, other), 0);
                Machine there = on(TestTopologies.fabric(true, other), 1)) {
            ShareableHandle handle = fabricHandle(here);
            Answers.refused(800, () -> there.driver.memImportFromShareableHandle(handle));
        }
    }

    @Test
    void nothingOfTheMemoryIsLeftInTheProcess() throws IOException {
        long descriptors = descriptors();
        long maps = maps();
        for (int round = 0; round < 3; round++) {
            try (Machine exporter = Machine.local(2);
                    Machine importer = Machine.local(2)) {
                CuStream stream = exporter.driver.streamCreate();
                long plain = exporter.zeroed(64, stream);
                Machine.Mapped mapped = exporter.virtual(0, MIB, ShareableType.POSIX_FD);
                int fd = export(exporter, mapped);
                Machine.Mapped mirror = importer.map(importFd(importer, fd), MIB, 1);
                Descriptors.close(fd);
                assertThat(descriptors()).isEqualTo(descriptors + 3);
                assertThat(maps()).isEqualTo(maps + 3);
                importer.free(mirror);
                exporter.free(mapped);
                exporter.driver.memFree(plain);
                exporter.driver.streamDestroy(stream);
                exporter.tidy();
                assertThat(descriptors()).isEqualTo(descriptors);
                assertThat(maps()).isEqualTo(maps);
            }
            try (Machine careless = Machine.local(1)) {
                careless.driver.memAlloc(64);
                careless.driver.memAlloc(8 * MIB);
                careless.virtual(0, MIB, ShareableType.NONE);
            }
            assertThat(descriptors()).isEqualTo(descriptors);
            assertThat(maps()).isEqualTo(maps);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(SharingRulesTest::isOurs).count();
        }
    }

    private static boolean isOurs(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("memfd:tutti");
        } catch (IOException e) {
            return false;
        }
    }

    private static long maps() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("memfd:tutti"))
                .count();
    }
}
