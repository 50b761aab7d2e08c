package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StickyErrorsTest {

    private final Machine machine = Machine.local(2);
    private final HostDriver driver = machine.driver;
    private final CuStream stream = driver.streamCreate();
    private final long word = machine.zeroed(256, stream);

    @AfterEach
    void stop() {
        machine.close();
    }

    private void lost(int code, String detail) {
        DriverException failure = Answers.refused(code, () -> driver.streamSynchronize(stream, Machine.PATIENCE));
        assertThat(failure.getMessage()).contains(detail);
        Answers.refused(code, () -> driver.memAlloc(8));
        Answers.refused(code, () -> driver.streamQuery(stream));
        Answers.refused(code, () -> machine.launch(stream, 0, "nothing"));
        // Virtual memory belongs to no context.
        driver.memRelease(driver.memCreate(1 << 20, new AllocationProperties(0, ShareableType.NONE)));

        machine.use(1);
        CuStream other = driver.streamCreate();
        long fine = machine.zeroed(4, other);
        machine.launch(other, 1, "add", fine, 5);
        machine.sync(other);
        assertThat(machine.read(fine)).isEqualTo(5);
    }

    @Test
    void aKernelThatThrowsCostsItsDeviceTheContext() {
        machine.launch(stream, 0, "throw");
        lost(719, "broken on purpose");
    }

    @Test
    void aKernelThatTouchesUnmappedMemoryCostsItsDeviceTheContext() {
        machine.launch(stream, 0, "add", 4096, 1);
        lost(700, "kernel=add");
    }

    @Test
    void runningOverAnAllocationsEndIsCaught() {
        machine.launch(stream, 0, "add", word + 254, 1);
        lost(700, "address is not mapped");
    }

    @Test
    void memoryOfAPeerNeedsAccess() {
        machine.use(1);
        CuStream other = driver.streamCreate();
        long foreign = machine.zeroed(4, other);
        machine.use(0);
        machine.launch(stream, 0, "add", foreign, 1);
        lost(700, "kernel=add");
    }

    @Test
    void mappedMemoryNeedsAccessToo() {
        Machine.Mapped mapped = machine.virtual(1, 1 << 20, ShareableType.NONE);
        machine.launch(stream, 0, "add", mapped.address(), 1);
        lost(700, "kernel=add");
    }

    @Test
    void copiesAndFillsOfFreedMemoryAreRefusedAndCostNothing() {
        long freed = driver.memAlloc(4096);
        driver.memFree(freed);
        Answers.refused(1, () -> driver.memcpyDtoDAsync(word, freed, 4, stream));
        Answers.refused(1, () -> driver.memsetD32Async(freed, 0, 1, stream));
        Answers.refused(1, () -> machine.read(freed));
        Answers.refused(1, () -> machine.write(12_345, 1));
        machine.sync(stream);
    }

    @Test
    void waitingKernelsOfALostDeviceLeave() {
        CuStream waiting = driver.streamCreate();
        machine.launch(waiting, 0, "await", word, 1);
        CuEvent after = driver.eventCreate();
        driver.eventRecord(after, waiting);
        machine.launch(stream, 0, "throw");
        machine.use(1);
        CuStream other = driver.streamCreate();
        driver.streamWaitEvent(other, after);
        machine.sync(other);
        Answers.refused(719, () -> driver.streamSynchronize(waiting, Machine.PATIENCE));
    }

    @Test
    void undoWorksOnALostContextAndSaysSo() {
        Machine.Mapped mapped = machine.virtual(0, 1 << 20, ShareableType.NONE);
        CuEvent event = driver.eventCreate();
        machine.launch(stream, 0, "throw");
        Answers.refused(719, () -> driver.streamSynchronize(stream, Machine.PATIENCE));
        driver.memUnmap(mapped.address(), mapped.bytes());
        driver.memAddressFree(mapped.address(), mapped.bytes());
        driver.memRelease(mapped.handle());
        Answers.refused(719, () -> driver.eventDestroy(event));
        Answers.refused(719, () -> driver.memFree(word));
        Answers.refused(719, () -> driver.streamDestroy(stream));
        machine.use(1);
        machine.tidy();
        assertThat(driver.live().total()).as(driver.live().toString()).isZero();
    }

    @Test
    void aStreamOfAnotherContextIsRefused() {
        machine.use(1);
        Answers.refused(400, () -> machine.launch(stream, 1, "nothing"));
        CuEvent event = driver.eventCreate();
        machine.use(0);
        Answers.refused(400, () -> driver.eventRecord(event, stream));
        driver.streamDestroy(stream);
        Answers.refused(400, () -> machine.launch(stream, 0, "nothing"));
        Answers.refused(400, () -> driver.streamDestroy(stream));
    }
}
