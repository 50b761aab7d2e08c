package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostStreamsTest {

    @Test
    void workOfAStreamRunsInOrder() {
        try (Machine machine = Machine.local(1)) {
            CuStream stream = machine.driver.streamCreate();
            long word = machine.zeroed(4, stream);
            for (int i = 0; i < 10_000; i++) {
                machine.launch(stream, 0, "await", word, i);
                machine.launch(stream, 0, "add", word, 1);
            }
            machine.sync(stream);
            assertThat(machine.read(word)).isEqualTo(10_000);
        }
    }

    @Test
    void parametersAreThoseOfTheTimeOfTheLaunch() {
        try (Machine machine = Machine.local(1)) {
            CuStream stream = machine.driver.streamCreate();
            long word = machine.zeroed(4, stream);
            var struct = Machine.struct(word, 1);
            var kernel = machine.kernel(0, "add");
            for (int i = 0; i < 100; i++) {
                struct.putLong(8, i);
                machine.driver.launchKernel(kernel, io.tutti.gpu.driver.LaunchGeometry.SINGLE, stream, struct);
            }
            machine.sync(stream);
            assertThat(machine.read(word)).isEqualTo(99 * 100 / 2);
        }
    }

    @Test
    void aStreamWaitsForAnEventOfAnotherDevice() {
        try (Machine machine = Machine.local(2)) {
            CuStream first = machine.driver.streamCreate();
            long gate = machine.zeroed(4, first);
            long word = machine.zeroed(4, first);
            CuEvent event = machine.driver.eventCreate();
            machine.launch(first, 0, "await", gate, 1);
            machine.launch(first, 0, "store", word, 7);
            machine.driver.eventRecord(event, first);

            machine.use(1);
            machine.driver.ctxEnablePeerAccess(machine.context(0));
            CuStream second = machine.driver.streamCreate();
            machine.driver.streamWaitEvent(second, event);
            machine.launch(second, 1, "add", word, 1);
            assertThat(machine.driver.eventQuery(event)).isFalse();
            assertThat(machine.driver.streamQuery(second)).isFalse();
            machine.write(gate, 1);
            machine.sync(second);
            assertThat(machine.driver.eventQuery(event)).isTrue();
            assertThat(machine.read(word)).isEqualTo(8);
        }
    }

    @Test
    void seventyTwoStreamsMakeProgressWhileTheyWaitForEachOther() {
        try (Machine machine = Machine.local(1)) {
            int count = 72;
            List<CuStream> streams = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                streams.add(machine.driver.streamCreate());
            }
            long word = machine.zeroed(4, streams.get(0));
            // Each stream waits for its turn, so each round goes through all of them, from the last to the first.
            int rounds = 20;
            for (int round = 0; round < rounds; round++) {
                for (int i = count - 1; i >= 0; i--) {
                    machine.launch(streams.get(i), 0, "await", word, round * count + i);
                    machine.launch(streams.get(i), 0, "add", word, 1);
                }
            }
            streams.forEach(machine::sync);
            assertThat(machine.read(word)).isEqualTo(rounds * count);
        }
    }

    @Test
    void aDestroyedStreamStillRunsWhatItWasGiven() {
        try (Machine machine = Machine.local(1)) {
            CuStream other = machine.driver.streamCreate();
            CuStream stream = machine.driver.streamCreate();
            long gate = machine.zeroed(4, other);
            long word = machine.zeroed(4, other);
            machine.launch(stream, 0, "await", gate, 1);
            machine.launch(stream, 0, "store", word, 5);
            machine.driver.streamDestroy(stream);
            machine.write(gate, 1);
            machine.launch(other, 0, "await", word, 5);
            machine.sync(other);
            assertThat(machine.read(word)).isEqualTo(5);
        }
    }

    @Test
    void synchronisingEndsAtItsDeadline() {
        try (Machine machine = Machine.local(1)) {
            CuStream stream = machine.driver.streamCreate();
            long gate = machine.zeroed(4, stream);
            machine.launch(stream, 0, "await", gate, 1);
            assertThat(machine.driver.streamSynchronize(stream, 20_000_000)).isFalse();
            machine.write(gate, 1);
            machine.sync(stream);
        }
    }

    @Test
    void elapsedTimeIsTheTimeBetweenTwoRecords() {
        try (Machine machine = Machine.local(1)) {
            CuStream stream = machine.driver.streamCreate();
            CuEvent start = machine.driver.eventCreate();
            CuEvent end = machine.driver.eventCreate();
            long gate = machine.zeroed(4, stream);
            machine.driver.eventRecord(start, stream);
            machine.launch(stream, 0, "await", gate, 1);
            machine.driver.eventRecord(end, stream);
            assertThat(machine.driver.streamSynchronize(stream, 30_000_000)).isFalse();
            machine.write(gate, 1);
            machine.sync(stream);
            assertThat(machine.driver.eventElapsedMillis(start, end)).isBetween(5f, 20_000f);
        }
    }

    @Test
    void aWaitingKernelLeavesWhenTheDriverCloses() {
        Machine machine = Machine.local(1);
        CuStream stream = machine.driver.streamCreate();
        long gate = machine.zeroed(4, stream);
        machine.launch(stream, 0, "await", gate, 1);
        long before = System.nanoTime();
        machine.close();
        assertThat(System.nanoTime() - before).isLessThan(3_000_000_000L);
    }
}
