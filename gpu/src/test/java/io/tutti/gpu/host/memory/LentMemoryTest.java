package io.tutti.gpu.host.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Memory of one driver that another driver of the same JVM uses. */
class LentMemoryTest {

    private final AtomicInteger freed = new AtomicInteger();
    private final Quiescence owner = new Quiescence();
    private final Quiescence borrower = new Quiescence();

    private PhysicalMemory memory() throws Exception {
        return MemorySource.buffers()
                .allocate(new MemoryOrigin("machine", 0, 0, 1), 4096, owner, freed::incrementAndGet);
    }

    @Test
    void itIsTheSameBytes() throws Exception {
        PhysicalMemory memory = memory();
        PhysicalMemory lent = memory.lend(borrower).orElseThrow();
        assertThat(lent.window(0)).isSameAs(memory.window(0));
        assertThat(lent.origin()).isEqualTo(memory.origin());
        assertThat(lent.bytes()).isEqualTo(memory.bytes());
    }

    @Test
    void itStaysUntilTheBorrowersThreadsHaveLetGo() throws Exception {
        PhysicalMemory memory = memory();
        PhysicalMemory lent = memory.lend(borrower).orElseThrow();
        memory.release();
        assertThat(freed).hasValue(0);
        Quiescence.Reader inside = borrower.borrow();
        lent.release();
        assertThat(freed).hasValue(0);
        borrower.giveBack(inside);
        assertThat(freed).hasValue(1);
    }

    @Test
    void itIsNotLentOnceItIsGone() throws Exception {
        PhysicalMemory memory = memory();
        memory.release();
        assertThat(memory.lend(borrower)).isEmpty();
    }
}
