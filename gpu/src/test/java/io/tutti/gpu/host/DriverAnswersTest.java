package io.tutti.gpu.host;

import static io.tutti.gpu.host.TestTopologies.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a real pair of H200 without an IMEX channel answered, call by call. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class DriverAnswersTest {

    private static final long TIB = 1L << 40;

    private Machine machine;

    @BeforeEach
    void start() {
        machine = new Machine(HostDriver.builder()
                .topology(TestTopologies.h200Pair(TIB))
                .kernels("tests", Machine.KERNELS)
                .build());
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    private static AllocationProperties memory(int device, ShareableType type) {
        return new AllocationProperties(device, type);
    }

    private static Arguments row(String call, int code, Consumer<Machine> action) {
        return Arguments.of(call, code, action);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                row(
                        "create with a fabric handle and no IMEX channel",
                        800,
                        m -> m.driver.memCreate(2 * MIB, memory(0, ShareableType.FABRIC))),
                row("create 400 GiB", 2, m -> m.driver.memCreate(400L << 30, memory(0, ShareableType.POSIX_FD))),
                row("create 2 TiB", 2, m -> m.driver.memCreate(2 * TIB, memory(0, ShareableType.NONE))),
                row("create 1,000 bytes", 1, m -> m.driver.memCreate(1_000, memory(0, ShareableType.POSIX_FD))),
                row("create nothing", 1, m -> m.driver.memCreate(0, memory(0, ShareableType.NONE))),
                row("create on device 77", 101, m -> m.driver.memCreate(2 * MIB, memory(77, ShareableType.NONE))),
                row(
                        "import 64 junk bytes as a fabric handle",
                        801,
                        m -> m.driver.memImportFromShareableHandle(new ShareableHandle.Fabric(new byte[64]))),
                row(
                        "import a closed descriptor",
                        999,
                        m -> m.driver.memImportFromShareableHandle(new ShareableHandle.PosixFd(closedDescriptor(m)))),
                row(
                        "import a descriptor of something else",
                        999,
                        m -> m.driver.memImportFromShareableHandle(new ShareableHandle.PosixFd(0))),
                row("open 64 junk bytes by legacy IPC", 1, m -> m.driver.ipcOpenMemHandle(new byte[64])),
                row(
                        "open a handle by legacy IPC in its own process",
                        201,
                        m -> m.driver.ipcOpenMemHandle(m.driver.ipcGetMemHandle(m.driver.memAlloc(1024)))),
                row(
                        "legacy IPC of virtual memory",
                        1,
                        m -> m.driver.ipcGetMemHandle(
                                m.virtual(0, 2 * MIB, ShareableType.POSIX_FD).address())),
                row(
                        "export what was created for nobody",
                        1,
                        m -> m.driver.memExportToShareableHandle(
                                m.driver.memCreate(2 * MIB, memory(0, ShareableType.NONE)), ShareableType.POSIX_FD)),
                row(
                        "map at an address that is not reserved",
                        1,
                        m -> m.driver.memMap(
                                2 * MIB, 2 * MIB, m.driver.memCreate(2 * MIB, memory(0, ShareableType.NONE)))),
                row("allocate nothing", 1, m -> m.driver.memAlloc(0)),
                row("allocate more than there is", 2, m -> m.driver.memAlloc(2 * TIB)),
                row("free twice", 1, m -> {
                    long pointer = m.driver.memAlloc(8);
                    m.driver.memFree(pointer);
                    m.driver.memFree(pointer);
                }),
                row(
                        "attribute of device 77",
                        101,
                        m -> m.driver.deviceAttribute(DeviceAttribute.MULTICAST_SUPPORTED, 77)),
                row("peer access to itself", 217, m -> m.driver.ctxEnablePeerAccess(m.context(0))),
                row("an image that is not shipped", 500, m -> m.driver.moduleLoad("nothing like it")),
                row("a kernel that is not in the image", 500, m -> m.kernel(0, "nothing like it")),
                row("release a context once too often", 201, m -> {
                    m.driver.primaryCtxRelease(1);
                    m.driver.primaryCtxRelease(1);
                }));
    }

    private static int closedDescriptor(Machine machine) {
        CuMemHandle handle = machine.driver.memCreate(2 * MIB, memory(0, ShareableType.POSIX_FD));
        var exported =
                (ShareableHandle.PosixFd) machine.driver.memExportToShareableHandle(handle, ShareableType.POSIX_FD);
        assertThat(Descriptors.close(exported.fd())).isTrue();
        return exported.fd();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("refusals")
    void refuses(String call, int code, Consumer<Machine> action) {
        DriverException failure = Answers.refused(code, () -> action.accept(machine));
        assertThat(failure.call()).as(call).matches("cu[A-Z][A-Za-z0-9]+");
        assertThat(failure.getMessage()).contains("=");
    }

    @Test
    void attributesPromiseMoreThanIsPermitted() {
        assertThat(machine.driver.deviceAttribute(DeviceAttribute.HANDLE_TYPE_FABRIC_SUPPORTED, 0))
                .isOne();
        assertThat(machine.driver.deviceAttribute(DeviceAttribute.MULTICAST_SUPPORTED, 1))
                .isOne();
        assertThat(machine.driver.deviceAttribute(DeviceAttribute.MULTIPROCESSOR_COUNT, 1))
                .isEqualTo(132);
        assertThat(machine.driver.driverVersion()).isEqualTo(13_000);
        assertThat(machine.driver.deviceIdentity(1).name()).isEqualTo("NVIDIA H200");
    }

    @Test
    void granularitiesAreTwoMebibytesAlsoForOneDevice() {
        assertThat(machine.driver.memGetAllocationGranularity(memory(0, ShareableType.POSIX_FD)))
                .isEqualTo(2 * MIB);
        for (int devices = 1; devices <= 2; devices++) {
            assertThat(machine.driver.multicastGetGranularity(devices, MIB, ShareableType.POSIX_FD))
                    .isEqualTo(2 * MIB);
        }
    }

    @Test
    void theRefusalOfTooMuchMemoryNamesTheFigures() {
        DriverException failure =
                Answers.refused(2, () -> machine.driver.memCreate(400L << 30, memory(0, ShareableType.POSIX_FD)));
        assertThat(failure.getMessage()).contains("bytes=" + (400L << 30)).contains("memAvailable=");
        failure = Answers.refused(2, () -> machine.driver.memAlloc(2 * TIB));
        assertThat(failure.getMessage()).contains("usedBytes=0").contains("totalBytes=" + TIB);
        assertThat(machine.driver.memGetInfo().freeBytes()).isEqualTo(TIB);
    }

    @Test
    void theLocalMachineHasDescriptorsButNoFabricAndNoMulticast() {
        try (Machine local = Machine.local(2)) {
            assertThat(local.driver.deviceAttribute(DeviceAttribute.HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0))
                    .isOne();
            assertThat(local.driver.deviceAttribute(DeviceAttribute.HANDLE_TYPE_FABRIC_SUPPORTED, 0))
                    .isZero();
            Answers.refused(801, () -> local.driver.multicastGetGranularity(2, MIB, ShareableType.POSIX_FD));
            Answers.refused(801, () -> local.driver.memCreate(MIB, memory(0, ShareableType.FABRIC)));
            assertThat(local.driver.deviceCanAccessPeer(0, 1)).isTrue();
            assertThat(local.driver.deviceCanAccessPeer(0, 0)).isFalse();
        }
    }

    @Test
    void aThreadWithoutAContextIsTold() throws InterruptedException {
        Thread other = new Thread(() -> {
            Answers.refused(201, () -> machine.driver.memAlloc(8));
            Answers.refused(201, () -> machine.driver.streamCreate());
            Answers.refused(201, () -> machine.driver.memGetInfo());
            Answers.refused(201, () -> machine.driver.moduleLoad("tests"));
            Answers.refused(201, () -> machine.driver.ctxEnablePeerAccess(machine.context(1)));
        });
        Throwable[] failure = new Throwable[1];
        other.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        other.start();
        other.join(10_000);
        assertThat(failure[0]).isNull();
        assertThat(other.isAlive()).isFalse();
    }

    @Test
    void devicesWithoutAPeerPathRefuseToBeMapped() {
        try (Machine islands = new Machine(HostDriver.builder()
                .topology(TestTopologies.islands())
                .kernels("tests", Machine.KERNELS)
                .build())) {
            Machine.Mapped mapped = islands.virtual(0, 2 * MIB, ShareableType.NONE);
            Answers.refused(217, () -> islands.driver.memSetAccess(mapped.address(), mapped.bytes(), 1));
            Answers.refused(217, () -> islands.driver.ctxEnablePeerAccess(islands.context(1)));
            Answers.refused(801, () -> islands.driver.memCreate(2 * MIB, memory(0, ShareableType.POSIX_FD)));
            Answers.refused(801, () -> islands.driver.ipcGetMemHandle(islands.driver.memAlloc(8)));
            Answers.refused(801, () -> islands.driver.multicastGetGranularity(1, MIB, ShareableType.POSIX_FD));
        }
    }

    @Test
    void aClosedDriverAnswersThatItIsClosed() {
        machine.close();
        machine.close();
        Answers.refused(4, () -> machine.driver.deviceCount());
    }
}
