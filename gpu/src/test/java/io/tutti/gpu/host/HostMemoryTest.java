package io.tutti.gpu.host;

import static io.tutti.gpu.host.TestTopologies.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.HostMapped;
import io.tutti.gpu.driver.ShareableType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class HostMemoryTest {

    private static Machine machine(HostDriverBuilder.Memory memory) {
        return new Machine(Machine.builder(2).memory(memory).build());
    }

    @ParameterizedTest
    @EnumSource(HostDriverBuilder.Memory.class)
    void everythingCanBeGivenBack(HostDriverBuilder.Memory memory) {
        try (Machine machine = machine(memory)) {
            HostDriver driver = machine.driver;
            CuStream stream = driver.streamCreate();
            long small = machine.zeroed(4, stream);
            long large = machine.zeroed(8 * MIB, stream);
            HostMapped host = driver.memHostAlloc(64);
            Machine.Mapped mapped = machine.virtual(0, MIB, ShareableType.NONE);
            var event = driver.eventCreate();
            driver.streamBeginCapture(stream);
            machine.launch(stream, 0, "add", small, 1);
            var graph = driver.streamEndCapture(stream);
            var exec = driver.graphInstantiate(graph);
            assertThat(driver.live().byKind())
                    .containsEntry("memory", 2L)
                    .containsEntry("host-memory", 1L)
                    .containsEntry("mapping", 1L)
                    .containsEntry("reservation", 1L)
                    .containsEntry("handle", 1L)
                    .containsEntry("stream", 1L)
                    .containsEntry("event", 1L)
                    .containsEntry("graph", 1L)
                    .containsEntry("graph-exec", 1L)
                    .containsEntry("module", 2L)
                    .containsEntry("context", 2L);

            driver.graphExecDestroy(exec);
            driver.graphDestroy(graph);
            driver.eventDestroy(event);
            driver.memFree(small);
            driver.memFree(large);
            driver.memFreeHost(host);
            machine.free(mapped);
            driver.streamDestroy(stream);
            machine.tidy();
            assertThat(driver.live().total()).as(driver.live().toString()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(HostDriverBuilder.Memory.class)
    void kernelsAndCopiesSeeTheSameBytes(HostDriverBuilder.Memory memory) {
        try (Machine machine = machine(memory)) {
            CuStream stream = machine.driver.streamCreate();
            long words = machine.zeroed(4096, stream);
            long copy = machine.zeroed(4096, stream);
            machine.write(words + 8, 41);
            machine.launch(stream, 0, "add", words + 8, 1);
            machine.driver.memcpyDtoDAsync(copy, words, 4096, stream);
            machine.sync(stream);
            assertThat(machine.read(copy + 8)).isEqualTo(42);
            assertThat(machine.read(copy + 12)).isZero();
        }
    }

    @Test
    void withoutSharedMemoryThereAreNoDescriptors() {
        try (Machine machine = machine(HostDriverBuilder.Memory.BUFFERS)) {
            assertThat(machine.driver.deviceAttribute(DeviceAttribute.HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0))
                    .isZero();
            Answers.refused(
                    801, () -> machine.driver.memCreate(MIB, new AllocationProperties(0, ShareableType.POSIX_FD)));
        }
    }

    @Test
    void addressesAreAlignedDistinctAndNeverZero() {
        try (Machine machine = Machine.local(1)) {
            SplittableRandom random = new SplittableRandom(11);
            List<long[]> ranges = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                long bytes = 1 + random.nextLong(i % 50 == 0 ? 2 * MIB : 5000L);
                long address = machine.driver.memAlloc(bytes);
                assertThat(address).isPositive();
                assertThat(address % 256).isZero();
                ranges.add(new long[] {address, address + bytes});
                if (random.nextInt(3) == 0) {
                    machine.driver.memFree(ranges.remove(random.nextInt(ranges.size()))[0]);
                }
            }
            ranges.sort((a, b) -> Long.compare(a[0], b[0]));
            for (int i = 1; i < ranges.size(); i++) {
                assertThat(ranges.get(i)[0]).isGreaterThanOrEqualTo(ranges.get(i - 1)[1]);
            }
            ranges.forEach(range -> machine.driver.memFree(range[0]));
            assertThat(machine.driver.live().byKind()).containsEntry("memory", 0L);
        }
    }

    @Test
    void aDevicesMemoryIsCountedAndEnds() {
        try (Machine machine = Machine.local(2)) {
            AllocationProperties memory = new AllocationProperties(0, ShareableType.NONE);
            long half = Machine.DEVICE_BYTES / 2;
            CuMemHandle handle = machine.driver.memCreate(half, memory);
            assertThat(machine.driver.memGetInfo().freeBytes()).isEqualTo(half);
            Answers.refused(2, () -> machine.driver.memCreate(half + MIB, memory));
            long rest = machine.driver.memAlloc(half);
            Answers.refused(2, () -> machine.driver.memAlloc(1));
            machine.driver.memFree(rest);
            machine.driver.memRelease(handle);
            assertThat(machine.driver.memGetInfo().freeBytes()).isEqualTo(Machine.DEVICE_BYTES);
            machine.driver.memFree(machine.driver.memAlloc(Machine.DEVICE_BYTES));
        }
    }

    @Test
    void whatIsKeptForSmallAllocationsIsGivenUpForALargeOne() {
        try (Machine machine = Machine.local(1)) {
            machine.driver.memFree(machine.driver.memAlloc(8));
            machine.driver.memFree(machine.driver.memAlloc(Machine.DEVICE_BYTES));
        }
    }

    @Test
    void mappedMemoryLivesAsLongAsAMapping() {
        try (Machine machine = Machine.local(1)) {
            Machine.Mapped mapped = machine.virtual(0, MIB, ShareableType.NONE);
            machine.driver.memRelease(mapped.handle());
            machine.write(mapped.address() + 128, 5);
            assertThat(machine.read(mapped.address() + 128)).isEqualTo(5);
            assertThat(machine.driver.memGetInfo().freeBytes()).isEqualTo(Machine.DEVICE_BYTES - MIB);
            machine.driver.memUnmap(mapped.address(), mapped.bytes());
            assertThat(machine.driver.memGetInfo().freeBytes()).isEqualTo(Machine.DEVICE_BYTES);
            machine.driver.memAddressFree(mapped.address(), mapped.bytes());
        }
    }

    @Test
    void twoMappingsOfOneHandleAreTheSameMemory() {
        try (Machine machine = Machine.local(2)) {
            Machine.Mapped mapped = machine.virtual(0, MIB, ShareableType.NONE);
            Machine.Mapped alias = machine.map(mapped.handle(), MIB, 0);
            machine.write(mapped.address() + MIB - 4, 77);
            assertThat(machine.read(alias.address() + MIB - 4)).isEqualTo(77);
        }
    }

    @Test
    void mappingRulesAreThoseOfTheHardware() {
        try (Machine machine = Machine.local(1)) {
            HostDriver driver = machine.driver;
            long granularity = driver.memGetAllocationGranularity(new AllocationProperties(0, ShareableType.NONE));
            Answers.refused(1, () -> driver.memAddressReserve(granularity + 1, 0));
            Answers.refused(1, () -> driver.memAddressReserve(granularity, 3));
            CuMemHandle handle = driver.memCreate(granularity, new AllocationProperties(0, ShareableType.NONE));
            long base = driver.memAddressReserve(2 * granularity, 0);
            Answers.refused(801, () -> driver.memMap(base, 2 * granularity, handle));
            Answers.refused(1, () -> driver.memMap(base + 256, granularity, handle));
            Answers.refused(1, () -> driver.memMap(base + 2 * granularity, granularity, handle));
            driver.memMap(base, granularity, handle);
            Answers.refused(1, () -> driver.memMap(base, granularity, handle));
            Answers.refused(1, () -> driver.memSetAccess(base, 2 * granularity, 0));
            Answers.refused(1, () -> driver.memSetAccess(base, granularity, 1));
            Answers.refused(1, () -> driver.memAddressFree(base, 2 * granularity));
            Answers.refused(1, () -> driver.memUnmap(base, 3 * granularity));
            driver.memMap(base + granularity, granularity, handle);
            driver.memUnmap(base, 2 * granularity);
            driver.memUnmap(base, granularity);
            Answers.refused(1, () -> driver.memAddressFree(base, granularity));
            driver.memAddressFree(base, 2 * granularity);
            driver.memRelease(handle);
            Answers.refused(1, () -> driver.memRelease(handle));
        }
    }

    @Test
    void aCopyCrossesNeighbouringMappings() {
        try (Machine machine = Machine.local(1)) {
            AllocationProperties memory = new AllocationProperties(0, ShareableType.NONE);
            long granularity = machine.driver.memGetAllocationGranularity(memory);
            long base = machine.driver.memAddressReserve(2 * granularity, 0);
            for (int i = 0; i < 2; i++) {
                machine.driver.memMap(
                        base + i * granularity, granularity, machine.driver.memCreate(granularity, memory));
            }
            machine.driver.memSetAccess(base, 2 * granularity, 0);
            ByteBuffer bytes = ByteBuffer.allocate((int) granularity);
            new SplittableRandom(3).nextBytes(bytes.array());
            machine.driver.memcpyHtoD(base + granularity / 2, bytes);
            ByteBuffer back = ByteBuffer.allocate((int) granularity);
            machine.driver.memcpyDtoH(back, base + granularity / 2);
            assertThat(back).isEqualTo(bytes);
            assertThat(back.position()).isZero();
        }
    }

    @Test
    void hostMemoryIsZeroAndSeenFromBothSides() {
        try (Machine machine = Machine.local(2)) {
            HostMapped host = machine.driver.memHostAlloc(4096);
            assertThat(host.buffer().isDirect()).isTrue();
            assertThat(host.buffer().capacity()).isEqualTo(4096);
            assertThat(host.buffer().getInt(128)).isZero();
            machine.use(1);
            CuStream stream = machine.driver.streamCreate();
            machine.launch(stream, 1, "add", host.devicePointer() + 128, 9);
            machine.sync(stream);
            assertThat(host.buffer().getInt(128)).isEqualTo(9);
            machine.driver.memFreeHost(host);
            Answers.refused(1, () -> machine.driver.memFreeHost(host));
        }
    }
}
