package io.tutti.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.MulticastProperties;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.posix.Descriptors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each topology says, asked of the driver that emulates it: two drivers of one JVM are two processes. */
@EnabledOnOs(OS.LINUX)
class TopologyRulesTest {

    private static final long SIZE = 2L << 20;

    private final List<HostDriver> drivers = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        drivers.forEach(HostDriver::close);
    }

    private HostDriver on(String topology, int host) {
        return on(Topologies.load(topology, OptionalLong.of(64L << 20)), host);
    }

    private HostDriver on(Topology topology, int host) {
        HostDriver driver = HostDriver.builder().topology(topology).host(host).build();
        drivers.add(driver);
        driver.ctxSetCurrent(driver.primaryCtxRetain(0));
        return driver;
    }

    private static CuMemHandle create(HostDriver driver, ShareableType type) {
        return driver.memCreate(SIZE, new AllocationProperties(0, type));
    }

    private static ShareableHandle export(HostDriver driver, ShareableType type) {
        return driver.memExportToShareableHandle(create(driver, type), type);
    }

    private static byte[] ipcHandle(HostDriver driver) {
        return driver.ipcGetMemHandle(driver.memAlloc(SIZE));
    }

    private static CuResult refusal(Runnable call) {
        DriverException refused = catchThrowableOfType(DriverException.class, call::run);
        return refused == null ? CuResult.CUDA_SUCCESS : refused.result();
    }

    @ParameterizedTest
    @CsvSource({
        "h200-2, 1, 1, CUDA_ERROR_NOT_PERMITTED, CUDA_SUCCESS",
        "h200-8, 1, 1, CUDA_SUCCESS, CUDA_SUCCESS",
        "h200-8-no-imex, 1, 1, CUDA_ERROR_NOT_PERMITTED, CUDA_SUCCESS",
        "h200-2x8, 1, 1, CUDA_ERROR_NOT_PERMITTED, CUDA_SUCCESS",
        "gb200-nvl72-2x4, 1, 1, CUDA_SUCCESS, CUDA_SUCCESS",
        "gb200-nvl72-18x4, 1, 1, CUDA_SUCCESS, CUDA_SUCCESS",
        "h100-nvl-2, 0, 1, CUDA_ERROR_NOT_SUPPORTED, CUDA_SUCCESS",
        "pcie-4, 0, 0, CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED",
        "single, 0, 0, CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED",
        "mig, 0, 0, CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED"
    })
    void attributesPromiseAndCallsDecide(
            String topology, int fabricAttribute, int multicastAttribute, CuResult fabric, CuResult multicast) {
        HostDriver driver = on(topology, 0);
        assertThat(driver.deviceAttribute(DeviceAttribute.HANDLE_TYPE_FABRIC_SUPPORTED, 0))
                .isEqualTo(fabricAttribute);
        assertThat(driver.deviceAttribute(DeviceAttribute.MULTICAST_SUPPORTED, 0))
                .isEqualTo(multicastAttribute);
        assertThat(refusal(() -> create(driver, ShareableType.FABRIC))).isEqualTo(fabric);
        assertThat(refusal(() -> driver.multicastGetGranularity(1, SIZE, ShareableType.POSIX_FD)))
                .isEqualTo(multicast);
    }

    @ParameterizedTest
    @CsvSource({"h200-2", "h200-8", "h100-nvl-2", "pcie-4", "gb200-nvl72-2x4"})
    void devicesOfOneHostArePeersAndShareDescriptorsAndLegacyIpc(String topology) throws IOException {
        HostDriver one = on(topology, 0);
        byte[] ipc = ipcHandle(one);
        ShareableHandle.PosixFd descriptor = (ShareableHandle.PosixFd) export(one, ShareableType.POSIX_FD);
        assertThat(one.deviceCanAccessPeer(0, 1)).isTrue();
        assertThat(refusal(() -> one.ipcOpenMemHandle(ipc))).isEqualTo(CuResult.CUDA_ERROR_INVALID_CONTEXT);

        HostDriver other = on(topology, 0);
        assertThat(refusal(() -> other.ipcOpenMemHandle(ipc))).isEqualTo(CuResult.CUDA_SUCCESS);
        assertThat(refusal(() -> other.memImportFromShareableHandle(descriptor)))
                .isEqualTo(CuResult.CUDA_SUCCESS);
        Descriptors.close(descriptor.fd());
    }

    @Test
    void slicesHaveNoPeersAndNoLegacyIpc() {
        HostDriver driver = on("mig", 0);
        assertThat(driver.deviceCanAccessPeer(0, 1)).isFalse();
        assertThat(driver.deviceCanAccessPeer(1, 0)).isFalse();
        assertThat(driver.deviceIdentity(1).uuid()).startsWith("MIG-");
        assertThat(refusal(() -> ipcHandle(driver))).isEqualTo(CuResult.CUDA_ERROR_NOT_SUPPORTED);
    }

    @ParameterizedTest
    @CsvSource({"gb200-nvl72-2x4", "h200-2x8"})
    void legacyIpcAndDescriptorsDoNotCrossHosts(String topology) throws IOException {
        HostDriver exporter = on(topology, 0);
        byte[] ipc = ipcHandle(exporter);
        ShareableHandle.PosixFd descriptor = (ShareableHandle.PosixFd) export(exporter, ShareableType.POSIX_FD);

        HostDriver elsewhere = on(topology, 1);
        assertThat(refusal(() -> elsewhere.ipcOpenMemHandle(ipc))).isEqualTo(CuResult.CUDA_ERROR_INVALID_HANDLE);
        assertThat(refusal(() -> elsewhere.memImportFromShareableHandle(descriptor)))
                .isEqualTo(CuResult.CUDA_ERROR_UNKNOWN);
        Descriptors.close(descriptor.fd());
    }

    @Test
    void fabricHandlesCrossTheHostsOfOneClique() {
        ShareableHandle handle = export(on("gb200-nvl72-2x4", 0), ShareableType.FABRIC);
        HostDriver other = on("gb200-nvl72-2x4", 1);
        assertThat(refusal(() -> other.memImportFromShareableHandle(handle))).isEqualTo(CuResult.CUDA_SUCCESS);
    }

    @ParameterizedTest
    @CsvSource({"imex-channel = false", "fabric.clique = 2", "fabric.cluster = 5ca1ab1e-0b5e-4c0d-9b1d-6b2002004702"})
    void whatOneHostLacksStopsFabricHandlesThere(String difference) throws IOException {
        Path file = Files.writeString(
                folder.resolve("differing.conf"),
                "include classpath(\"" + Topologies.FOLDER + "gb200-nvl72-2x4.conf\")\nhosts = [${tray}, ${tray} { "
                        + difference + " }]");
        Topology topology = Topologies.load(file.toString(), OptionalLong.of(64L << 20));
        ShareableHandle handle = export(on(topology, 0), ShareableType.FABRIC);
        HostDriver other = on(topology, 1);
        assertThat(refusal(() -> other.memImportFromShareableHandle(handle)))
                .isEqualTo(CuResult.CUDA_ERROR_NOT_PERMITTED);
    }

    /** A machine that differs from a built-in one in its hosts' multicast alone; its name is its own, so are its slots. */
    private Topology differing(String topology, String hosts) throws IOException {
        Path file = Files.writeString(
                folder.resolve("differing-" + UUID.randomUUID() + ".conf"),
                "include classpath(\"" + Topologies.FOLDER + topology + ".conf\")\n" + hosts);
        return Topologies.load(file.toString(), OptionalLong.of(64L << 20));
    }

    private static CuMemHandle team(HostDriver driver, int... devices) {
        CuMemHandle object =
                driver.multicastCreate(new MulticastProperties(devices.length, SIZE, ShareableType.POSIX_FD));
        for (int device : devices) {
            driver.multicastAddDevice(object, device);
        }
        return object;
    }

    private static void bind(HostDriver driver, CuMemHandle object, int device) {
        CuMemHandle memory = driver.memCreate(SIZE, new AllocationProperties(device, ShareableType.POSIX_FD));
        driver.multicastBindMem(object, 0, memory, 0, SIZE);
    }

    @ParameterizedTest
    @CsvSource({
        "h200-2, CUDA_SUCCESS",
        "h200-8, CUDA_SUCCESS",
        "h200-2x8, CUDA_SUCCESS",
        "gb200-nvl72-2x4, CUDA_SUCCESS",
        "h100-nvl-2, CUDA_SUCCESS",
        "pcie-4, CUDA_ERROR_NOT_SUPPORTED",
        "single, CUDA_ERROR_NOT_SUPPORTED",
        "mig, CUDA_ERROR_NOT_SUPPORTED"
    })
    void aMulticastObjectIsMadeWhereTheQuerySucceeds(String topology, CuResult answer) {
        HostDriver driver = on(topology, 0);
        assertThat(refusal(() -> team(driver, 0))).isEqualTo(answer);
    }

    @ParameterizedTest
    @CsvSource({"h200-8, true", "h200-2, true", "gb200-nvl72-2x4, true", "h100-nvl-2, false"})
    void aStoreIsSpreadWhereThereAreSwitches(String topology, boolean spread) {
        assertThat(Topologies.load(topology, OptionalLong.empty()).hosts())
                .allMatch(host -> (host.multicast().stores() == Topology.Stores.EVERY_MEMBER) == spread);
    }

    @ParameterizedTest
    @CsvSource({
        "stale, CUDA_ERROR_INVALID_VALUE",
        "stopped, CUDA_ERROR_ILLEGAL_STATE",
        "starting, CUDA_ERROR_SYSTEM_NOT_READY",
        "running, CUDA_SUCCESS"
    })
    void bindingMeetsTheFabricManagerAsItIs(String manager, CuResult answer) throws IOException {
        HostDriver driver = on(
                differing(
                        "h200-2",
                        "hosts = [{ multicast.fabric-manager = " + manager + ", devices = [${h200}, ${h200}] }]"),
                0);
        CuMemHandle object = team(driver, 0, 1);
        assertThat(refusal(() -> bind(driver, object, 0))).isEqualTo(answer);
    }

    @Test
    void allProcessesOfAFabricShareItsSlots() throws IOException {
        Topology oneSlot = differing(
                "gb200-nvl72-2x4",
                "tray { multicast { slots = 1 }, devices = [${gb200}] }\nhosts = [${tray}, ${tray}]");
        HostDriver here = on(oneSlot, 0);
        HostDriver there = on(oneSlot, 1);
        CuMemHandle first = team(here, 0);
        bind(here, first, 0);
        CuMemHandle second = team(there, 0);
        assertThat(refusal(() -> bind(there, second, 0))).isEqualTo(CuResult.CUDA_ERROR_OUT_OF_MEMORY);
        here.memRelease(first);
        assertThat(refusal(() -> bind(there, second, 0))).isEqualTo(CuResult.CUDA_SUCCESS);
    }

    @Test
    void hostsWithoutAFabricBetweenThemHaveSwitchesOfTheirOwn() throws IOException {
        Topology oneSlot = differing(
                "h200-2x8", "node { multicast { slots = 1 }, devices = [${h200}] }\nhosts = [${node}, ${node}]");
        HostDriver here = on(oneSlot, 0);
        HostDriver there = on(oneSlot, 1);
        bind(here, team(here, 0), 0);
        assertThat(refusal(() -> bind(there, team(there, 0), 0))).isEqualTo(CuResult.CUDA_SUCCESS);
        assertThat(refusal(() -> here.multicastCreate(new MulticastProperties(2, SIZE, ShareableType.POSIX_FD))))
                .isEqualTo(CuResult.CUDA_ERROR_INVALID_VALUE);
    }

    @Test
    void sizesOfMulticastObjectsAreMultiplesOfTheirOwnGranularity() throws IOException {
        HostDriver driver =
                on(differing("h200-2", "hosts = [{ multicast.granularity = 4 MiB, devices = [${h200}, ${h200}] }]"), 0);
        assertThat(driver.multicastGetGranularity(2, SIZE, ShareableType.POSIX_FD))
                .isEqualTo(2 * SIZE);
        assertThat(refusal(() -> team(driver, 0))).isEqualTo(CuResult.CUDA_ERROR_INVALID_VALUE);
    }

    @Test
    void sizesAreMultiplesOfTheGranularityAndFitTheDevice() {
        HostDriver driver = on("h200-2", 0);
        AllocationProperties properties = new AllocationProperties(0, ShareableType.POSIX_FD);
        assertThat(driver.memGetAllocationGranularity(properties)).isEqualTo(SIZE);
        assertThat(refusal(() -> driver.memCreate(1000, properties))).isEqualTo(CuResult.CUDA_ERROR_INVALID_VALUE);
        assertThat(refusal(() -> driver.memCreate(128L << 20, properties)))
                .isEqualTo(CuResult.CUDA_ERROR_OUT_OF_MEMORY);
    }
}
