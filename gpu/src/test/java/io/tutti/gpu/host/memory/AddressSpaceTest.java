package io.tutti.gpu.host.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tutti.gpu.host.execution.IllegalAddressException;
import io.tutti.gpu.host.execution.Span;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AddressSpaceTest {

    private static final MemoryOrigin ORIGIN = new MemoryOrigin("test", 0, 0, 1);

    private final AddressSpace space = new AddressSpace();

    private static PhysicalMemory memory(long bytes) {
        try {
            return MemorySource.buffers().allocate(ORIGIN, bytes, new Quiescence(), () -> {});
        } catch (MemorySource.OutOfHostMemory e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lookupsAgreeWithASimpleModel() {
        long seed = 20_260_730;
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, Mapping> model = new TreeMap<>();
        PhysicalMemory memory = memory(1 << 16);
        for (int step = 0; step < 3_000; step++) {
            if (model.size() < 40 && random.nextBoolean()) {
                long bytes = 1L + random.nextInt(1 << 16);
                long base = space.reserve(bytes, 256);
                Mapping mapping = new Mapping(base, bytes, memory, 0, device -> device == 1);
                assertThat(space.map(mapping)).as("seed=%d step=%d", seed, step).isTrue();
                model.put(base, mapping);
            } else if (!model.isEmpty()) {
                Mapping mapping = model.values().stream()
                        .skip(random.nextInt(model.size()))
                        .findFirst()
                        .orElseThrow();
                long base = mapping.base();
                model.remove(base);
                assertThat(space.unreserve(base, mapping.bytes())).isFalse();
                assertThat(space.unmap(base)).isSameAs(mapping);
                assertThat(space.unreserve(base, mapping.bytes())).isTrue();
                assertThat(space.find(base)).isNull();
            }
            for (Mapping mapping : model.values()) {
                Span last = space.span(1, mapping.end() - 1, 1);
                assertThat((long) last.offset()).isEqualTo(mapping.bytes() - 1);
                assertThat(space.find(mapping.end())).isNull();
            }
        }
    }

    @Test
    void aRangeIsWhollyInsideAMappingOrIllegal() {
        long base = space.reserve(4096, 4096);
        space.map(new Mapping(base, 1000, memory(4096), 512, device -> device == 0));
        assertThat(space.span(0, base + 8, 992).offset()).isEqualTo(520);
        for (long[] range : new long[][] {{base, 1001}, {base - 1, 2}, {base + 1000, 1}, {base, -1}, {0, 1}}) {
            assertThatThrownBy(() -> space.span(0, range[0], range[1])).isInstanceOf(IllegalAddressException.class);
        }
        assertThatThrownBy(() -> space.span(1, base, 1)).isInstanceOf(IllegalAddressException.class);
    }

    @Test
    void addressesOfTwoProcessesDiffer() {
        assertThat(space.reserve(4096, 4096)).isNotEqualTo(new AddressSpace().reserve(4096, 4096));
    }

    @Test
    void moreThanTheRegionIsRefused() {
        assertThat(space.reserve(1L << 60, 4096)).isZero();
        assertThat(space.reserve(200L << 40, 4096)).isPositive();
        assertThat(space.reserve(100L << 40, 4096)).isZero();
        assertThat(space.reserve(4096, 4096)).isPositive();
    }
}
