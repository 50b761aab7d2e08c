package io.tutti.gpu.host;

import static io.tutti.gpu.host.TestTopologies.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.MulticastProperties;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.posix.Descriptors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a multicast object takes, what it spreads, and what it refuses; two drivers of one JVM are two processes. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class MulticastRulesTest {

    private static final Topology.Multicast WORKING = Topology.Multicast.of(4 * MIB);
    private static final long SIZE = 4 * MIB;

    private final List<Machine> machines = new ArrayList<>();
    private final String name = "multicast-" + UUID.randomUUID();

    @AfterEach
    void close() {
        machines.forEach(Machine::close);
    }

    private Machine on(Topology topology, int host, String... faults) {
        Machine machine = new Machine(HostDriver.builder()
                .topology(topology)
                .host(host)
                .faults(FaultPlan.parse(List.of(faults)))
                .multicastPatience(Duration.ofMillis(50))
                .kernels("tests", Machine.KERNELS)
                .build());
        machines.add(machine);
        return machine;
    }

    private Machine switched() {
        return on(TestTopologies.switched(name, WORKING), 0);
    }

    private Machine switched(int slots, Topology.FabricManager manager, Topology.Stores stores) {
        return on(
                TestTopologies.switched(
                        name, new Topology.Multicast(CuResult.CUDA_SUCCESS, 4 * MIB, slots, manager, stores)),
                0);
    }

    private static CuMemHandle object(Machine machine, int devices, ShareableType type) {
        return machine.driver.multicastCreate(new MulticastProperties(devices, SIZE, type));
    }

    private static CuMemHandle team(Machine machine, ShareableType type) {
        CuMemHandle object = object(machine, 2, type);
        machine.driver.multicastAddDevice(object, 0);
        machine.driver.multicastAddDevice(object, 1);
        return object;
    }

    private static Machine.Mapped bound(Machine machine, CuMemHandle object, int device, ShareableType type) {
        Machine.Mapped memory = machine.virtual(device, SIZE, type);
        machine.driver.multicastBindMem(object, 0, memory.handle(), 0, SIZE);
        return memory;
    }

    /** Maps the object for a device, which needs the multicast granularity. */
    private static long mapped(Machine machine, CuMemHandle object, int device) {
        long address = machine.driver.memAddressReserve(SIZE, 4 * MIB);
        machine.driver.memMap(address, SIZE, object);
        machine.driver.memSetAccess(address, SIZE, device);
        return address;
    }

    private static void spread(Machine machine, int device, long address, int value) {
        machine.use(device);
        CuStream stream = machine.driver.streamCreate();
        machine.launch(stream, device, "spread", address, value);
        machine.sync(stream);
        machine.driver.streamDestroy(stream);
    }

    // ---- what it spreads --------------------------------------------------------------------------------------

    @Test
    void oneStoreReachesTheMemoryThatEveryMemberHasBound() {
        Machine machine = switched();
        CuMemHandle object = team(machine, ShareableType.NONE);
        Machine.Mapped zero = bound(machine, object, 0, ShareableType.NONE);
        Machine.Mapped one = bound(machine, object, 1, ShareableType.NONE);
        long address = mapped(machine, object, 1);
        spread(machine, 1, address + SIZE - 4, 77);
        assertThat(machine.read(one.address() + SIZE - 4)).isEqualTo(77);
        machine.use(0);
        assertThat(machine.read(zero.address() + SIZE - 4)).isEqualTo(77);
    }

    @Test
    void piecesAreBoundWhereTheOffsetsSay() {
        Machine machine = switched();
        CuMemHandle object = machine.driver.multicastCreate(new MulticastProperties(1, 2 * SIZE, ShareableType.NONE));
        machine.driver.multicastAddDevice(object, 0);
        Machine.Mapped memory = machine.virtual(0, 2 * SIZE, ShareableType.NONE);
        machine.driver.multicastBindMem(object, 0, memory.handle(), SIZE, SIZE);
        machine.driver.multicastBindMem(object, SIZE, memory.handle(), 0, SIZE);
        long address = machine.driver.memAddressReserve(2 * SIZE, 4 * MIB);
        machine.driver.memMap(address, 2 * SIZE, object);
        machine.driver.memSetAccess(address, 2 * SIZE, 0);
        spread(machine, 0, address + 8, 1);
        spread(machine, 0, address + SIZE + 8, 2);
        assertThat(machine.read(memory.address() + SIZE + 8)).isEqualTo(1);
        assertThat(machine.read(memory.address() + 8)).isEqualTo(2);
    }

    @Test
    void withoutASwitchEverythingSucceedsAndNothingIsSpread() {
        Machine machine = switched(8, Topology.FabricManager.RUNNING, Topology.Stores.OWN_DEVICE);
        CuMemHandle object = team(machine, ShareableType.NONE);
        Machine.Mapped zero = bound(machine, object, 0, ShareableType.NONE);
        Machine.Mapped one = bound(machine, object, 1, ShareableType.NONE);
        spread(machine, 1, mapped(machine, object, 1), 5);
        assertThat(machine.read(one.address())).isEqualTo(5);
        machine.use(0);
        assertThat(machine.read(zero.address())).isZero();
    }

    @ParameterizedTest
    @CsvSource({"POSIX_FD", "FABRIC"})
    void anObjectIsSharedBetweenProcessesByDescriptorAndByFabricHandle(ShareableType type) {
        Machine here = switched();
        Machine there = switched();
        CuMemHandle object = object(here, 2, type);
        here.driver.multicastAddDevice(object, 0);
        ShareableHandle shared = here.driver.memExportToShareableHandle(object, type);
        CuMemHandle imported = there.driver.memImportFromShareableHandle(shared);
        there.driver.multicastAddDevice(imported, 1);
        Machine.Mapped zero = bound(here, object, 0, type);
        Machine.Mapped one = bound(there, imported, 1, type);
        spread(here, 0, mapped(here, object, 0) + 4, 21);
        spread(there, 1, mapped(there, imported, 1) + 8, 22);
        assertThat(here.read(zero.address() + 4)).isEqualTo(21);
        assertThat(here.read(zero.address() + 8)).isEqualTo(22);
        assertThat(there.read(one.address() + 4)).isEqualTo(21);
        assertThat(there.read(one.address() + 8)).isEqualTo(22);
        if (shared instanceof ShareableHandle.PosixFd descriptor) {
            assertThat(Descriptors.close(descriptor.fd())).isTrue();
        }
    }

    @Test
    void aFabricHandleJoinsTheHostsOfOneCliqueAndNoOthers() {
        Topology oneClique = TestTopologies.switchedHosts(WORKING, TestTopologies.CLUSTER);
        Machine here = on(oneClique, 0);
        Machine there = on(oneClique, 1);
        CuMemHandle object = object(here, 2, ShareableType.FABRIC);
        here.driver.multicastAddDevice(object, 1);
        CuMemHandle imported = there.driver.memImportFromShareableHandle(
                here.driver.memExportToShareableHandle(object, ShareableType.FABRIC));
        there.driver.multicastAddDevice(imported, 1);
        bound(here, object, 1, ShareableType.FABRIC);
        Machine.Mapped one = bound(there, imported, 1, ShareableType.FABRIC);
        spread(here, 1, mapped(here, object, 1), 9);
        there.use(1);
        assertThat(there.read(one.address())).isEqualTo(9);

        Topology apart = TestTopologies.switchedHosts(WORKING, "11111111-2222-3333-4444-555555555555");
        Machine alone = on(apart, 0);
        Machine far = on(apart, 1);
        ShareableHandle handle =
                alone.driver.memExportToShareableHandle(object(alone, 2, ShareableType.FABRIC), ShareableType.FABRIC);
        Answers.refused(800, () -> far.driver.memImportFromShareableHandle(handle));
        Answers.refused(1, () -> object(alone, 3, ShareableType.FABRIC));
    }

    @Test
    void aDescriptorOfAnObjectDoesNotCrossToAnotherHost() {
        Topology oneClique = TestTopologies.switchedHosts(WORKING, TestTopologies.CLUSTER);
        Machine here = on(oneClique, 0);
        Machine there = on(oneClique, 1);
        var descriptor = (ShareableHandle.PosixFd)
                here.driver.memExportToShareableHandle(object(here, 2, ShareableType.POSIX_FD), ShareableType.POSIX_FD);
        Answers.refused(999, () -> there.driver.memImportFromShareableHandle(descriptor));
        assertThat(Descriptors.close(descriptor.fd())).isTrue();
    }

    // ---- what it refuses --------------------------------------------------------------------------------------

    @Test
    void sizesAndOffsetsAreMultiplesOfTheMulticastGranularity() {
        Machine machine = switched();
        Answers.refused(
                1, () -> machine.driver.multicastCreate(new MulticastProperties(2, 2 * MIB, ShareableType.NONE)));
        Answers.refused(1, () -> machine.driver.multicastCreate(new MulticastProperties(2, 0, ShareableType.NONE)));
        CuMemHandle object = team(machine, ShareableType.NONE);
        Machine.Mapped memory = machine.virtual(0, SIZE, ShareableType.NONE);
        Answers.refused(1, () -> machine.driver.multicastBindMem(object, 2 * MIB, memory.handle(), 0, 2 * MIB));
        Answers.refused(1, () -> machine.driver.multicastBindMem(object, 0, memory.handle(), 2 * MIB, 2 * MIB));
        Answers.refused(1, () -> machine.driver.multicastBindMem(object, 0, memory.handle(), 0, 2 * MIB));
        Answers.refused(1, () -> machine.driver.multicastBindMem(object, SIZE, memory.handle(), 0, SIZE));
        long crooked = machine.driver.memAddressReserve(3 * SIZE, 4 * MIB) + 2 * MIB;
        Answers.refused(1, () -> machine.driver.memMap(crooked, SIZE, object));
    }

    @Test
    void nothingIsBoundOrMappedBeforeTheWholeTeamIsThere() {
        Machine machine = switched();
        CuMemHandle object = object(machine, 2, ShareableType.NONE);
        machine.driver.multicastAddDevice(object, 0);
        Machine.Mapped memory = machine.virtual(0, SIZE, ShareableType.NONE);
        DriverException late =
                Answers.refused(909, () -> machine.driver.multicastBindMem(object, 0, memory.handle(), 0, SIZE));
        assertThat(late).hasMessageContaining("added=1 devices=2");
        assertThat(late.info().advice()).contains("Add every device");
        Answers.refused(909, () -> mapped(machine, object, 0));
        machine.driver.multicastAddDevice(object, 1);
        machine.driver.multicastBindMem(object, 0, memory.handle(), 0, SIZE);
        mapped(machine, object, 0);
    }

    @Test
    void bindingWaitsForADeviceThatIsAddedMeanwhile() throws InterruptedException {
        Machine machine = new Machine(HostDriver.builder()
                .topology(TestTopologies.switched(name, WORKING))
                .multicastPatience(Duration.ofSeconds(30))
                .kernels("tests", Machine.KERNELS)
                .build());
        machines.add(machine);
        CuMemHandle object = object(machine, 2, ShareableType.NONE);
        machine.driver.multicastAddDevice(object, 0);
        Thread late = new Thread(() -> machine.driver.multicastAddDevice(object, 1));
        Machine.Mapped memory = machine.virtual(0, SIZE, ShareableType.NONE);
        late.start();
        machine.driver.multicastBindMem(object, 0, memory.handle(), 0, SIZE);
        late.join();
        assertThat(machine.driver.live().byKind()).containsEntry("binding", 1L);
    }

    @Test
    void aDeviceJoinsOnceAndATeamIsNotLargerThanItWasMadeFor() {
        Machine machine = switched();
        CuMemHandle object = object(machine, 1, ShareableType.NONE);
        machine.driver.multicastAddDevice(object, 0);
        Answers.refused(1, () -> machine.driver.multicastAddDevice(object, 0));
        Answers.refused(1, () -> machine.driver.multicastAddDevice(object, 1));
        Answers.refused(101, () -> machine.driver.multicastAddDevice(object, 7));
        Answers.refused(1, () -> object(machine, 3, ShareableType.NONE));
        Answers.refused(1, () -> object(machine, 0, ShareableType.NONE));
    }

    @Test
    void onlyAMembersMemoryIsBoundAndOnlyOnceInAPlace() {
        Machine machine = switched();
        CuMemHandle object = object(machine, 1, ShareableType.NONE);
        machine.driver.multicastAddDevice(object, 0);
        Machine.Mapped foreign = machine.virtual(1, SIZE, ShareableType.NONE);
        Answers.refused(101, () -> machine.driver.multicastBindMem(object, 0, foreign.handle(), 0, SIZE));
        Machine.Mapped memory = bound(machine, object, 0, ShareableType.NONE);
        Answers.refused(1, () -> machine.driver.multicastBindMem(object, 0, memory.handle(), 0, SIZE));
        long address = mapped(machine, object, 0);
        Answers.refused(101, () -> machine.driver.memSetAccess(address, SIZE, 1));
        Answers.refused(1, () -> machine.driver.multicastBindMem(memory.handle(), 0, memory.handle(), 0, SIZE));
        Answers.refused(1, () -> machine.driver.multicastBindMem(object, 0, object, 0, SIZE));
        Answers.refused(1, () -> machine.driver.multicastUnbind(object, 0, 0, 2 * SIZE));
        machine.driver.multicastUnbind(object, 0, 0, SIZE);
        Answers.refused(1, () -> machine.driver.multicastUnbind(object, 0, 0, SIZE));
    }

    @Test
    void aShareableObjectTakesShareableMemoryOnly() {
        Machine machine = switched();
        CuMemHandle object = team(machine, ShareableType.POSIX_FD);
        Machine.Mapped memory = machine.virtual(0, SIZE, ShareableType.NONE);
        Answers.refused(1, () -> machine.driver.multicastBindMem(object, 0, memory.handle(), 0, SIZE));
    }

    @Test
    void aStoreWhereSomeMemberHasNothingBoundIsAnIllegalAddress() {
        Machine machine = switched();
        CuMemHandle object = team(machine, ShareableType.NONE);
        bound(machine, object, 0, ShareableType.NONE);
        long address = mapped(machine, object, 0);
        machine.use(0);
        CuStream stream = machine.driver.streamCreate();
        machine.launch(stream, 0, "spread", address, 1);
        Answers.refused(700, () -> machine.driver.streamSynchronize(stream, Machine.PATIENCE));
    }

    @Test
    void thereIsNothingToLoadAtAMulticastAddress() {
        Machine machine = switched();
        CuMemHandle object = team(machine, ShareableType.NONE);
        bound(machine, object, 0, ShareableType.NONE);
        bound(machine, object, 1, ShareableType.NONE);
        long address = mapped(machine, object, 0);
        machine.use(0);
        Answers.refused(1, () -> machine.read(address));
    }

    @ParameterizedTest
    @CsvSource({"STALE, 1", "STOPPED, 401", "STARTING, 802"})
    void bindingNeedsAFabricManagerThatRunsAndKnowsTheDevices(Topology.FabricManager manager, int code) {
        Machine machine = switched(8, manager, Topology.Stores.EVERY_MEMBER);
        CuMemHandle object = team(machine, ShareableType.NONE);
        DriverException refused = Answers.refused(code, () -> bound(machine, object, 0, ShareableType.NONE));
        assertThat(refused.call()).isEqualTo("cuMulticastBindMem");
        assertThat(refused.info().advice()).contains("nvidia-fabricmanager");
    }

    @Test
    void slotsAreSharedByAllProcessesAndGivenBackWithTheObject() {
        Machine here = switched(2, Topology.FabricManager.RUNNING, Topology.Stores.EVERY_MEMBER);
        Machine there = switched(2, Topology.FabricManager.RUNNING, Topology.Stores.EVERY_MEMBER);
        CuMemHandle first = team(here, ShareableType.NONE);
        bound(here, first, 0, ShareableType.NONE);
        bound(here, first, 1, ShareableType.NONE);
        CuMemHandle second = team(there, ShareableType.NONE);
        bound(there, second, 0, ShareableType.NONE);
        CuMemHandle third = team(here, ShareableType.NONE);
        DriverException refused = Answers.refused(2, () -> bound(here, third, 0, ShareableType.NONE));
        assertThat(refused).hasMessageContaining("multicastSlots=2 free=0");
        assertThat(refused.info().advice()).contains("multicast");

        there.driver.memRelease(second);
        bound(here, third, 0, ShareableType.NONE);
        CuMemHandle fourth = team(there, ShareableType.NONE);
        Answers.refused(2, () -> bound(there, fourth, 0, ShareableType.NONE));
        here.close();
        bound(there, fourth, 0, ShareableType.NONE);
    }

    @Test
    void aMappingKeepsTheObjectAndItsSlot() {
        Machine machine = switched(1, Topology.FabricManager.RUNNING, Topology.Stores.EVERY_MEMBER);
        CuMemHandle object = team(machine, ShareableType.NONE);
        Machine.Mapped zero = bound(machine, object, 0, ShareableType.NONE);
        bound(machine, object, 1, ShareableType.NONE);
        long address = mapped(machine, object, 0);
        machine.driver.memRelease(object);
        spread(machine, 0, address, 3);
        assertThat(machine.read(zero.address())).isEqualTo(3);
        CuMemHandle next = team(machine, ShareableType.NONE);
        Answers.refused(2, () -> bound(machine, next, 0, ShareableType.NONE));
        machine.driver.memUnmap(address, SIZE);
        bound(machine, next, 0, ShareableType.NONE);
    }

    @ParameterizedTest
    @CsvSource({"cuMulticastCreate", "cuMulticastAddDevice", "cuMulticastBindMem", "cuMulticastUnbind"})
    void everyMulticastCallCanBeToldToFail(String call) {
        Machine machine = on(
                TestTopologies.switched(name, WORKING),
                0,
                "rank=1 call=" + call + " result=CUDA_ERROR_SYSTEM_NOT_READY");
        HostDriver one = machine.driver.actingAs(1);
        DriverException refused = Answers.refused(802, () -> {
            CuMemHandle object = one.multicastCreate(new MulticastProperties(1, SIZE, ShareableType.NONE));
            one.multicastAddDevice(object, 0);
            CuMemHandle memory = one.memCreate(SIZE, new AllocationProperties(0, ShareableType.NONE));
            one.multicastBindMem(object, 0, memory, 0, SIZE);
            one.multicastUnbind(object, 0, 0, SIZE);
        });
        assertThat(refused.call()).isEqualTo(call);
    }

    @Test
    void aMachineWithoutMulticastMakesNoObject() {
        Answers.refused(801, () -> object(on(TestTopologies.islands(), 0), 1, ShareableType.NONE));
    }

    @Test
    void nothingIsLeftWhenEverythingWasGivenBack() {
        Machine machine = switched();
        CuMemHandle object = team(machine, ShareableType.NONE);
        Machine.Mapped zero = bound(machine, object, 0, ShareableType.NONE);
        Machine.Mapped one = bound(machine, object, 1, ShareableType.NONE);
        long address = mapped(machine, object, 0);
        spread(machine, 0, address, 1);
        assertThat(machine.driver.live().byKind()).containsEntry("binding", 2L);
        machine.driver.memUnmap(address, SIZE);
        machine.driver.memAddressFree(address, SIZE);
        machine.driver.multicastUnbind(object, 1, 0, SIZE);
        machine.driver.memRelease(object);
        machine.free(zero);
        machine.free(one);
        machine.tidy();
        assertThat(machine.driver.live().total())
                .as(machine.driver.live().toString())
                .isZero();
    }
}
