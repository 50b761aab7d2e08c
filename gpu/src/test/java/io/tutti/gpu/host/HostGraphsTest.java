package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.CuEvent;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.LaunchGeometry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostGraphsTest {

    private final Machine machine = Machine.local(2);
    private final HostDriver driver = machine.driver;
    private final CuStream stream = driver.streamCreate();
    private final long word = machine.zeroed(16, stream);

    @AfterEach
    void stop() {
        machine.close();
    }

    private CuGraphExec captured(Runnable work) {
        driver.streamBeginCapture(stream);
        work.run();
        CuGraph graph = driver.streamEndCapture(stream);
        CuGraphExec exec = driver.graphInstantiate(graph);
        driver.graphDestroy(graph);
        return exec;
    }

    @Test
    void captureRunsNothingAndReplayRunsEverythingInOrder() {
        CuGraphExec exec = captured(() -> {
            driver.memsetD32Async(word, 3, 1, stream);
            machine.launch(stream, 0, "add", word, 4);
            driver.memcpyDtoDAsync(word + 4, word, 4, stream);
            machine.launch(stream, 0, "add", word + 8, 1);
        });
        machine.sync(stream);
        assertThat(machine.read(word)).isZero();
        for (int i = 0; i < 50; i++) {
            driver.graphLaunch(exec, stream);
        }
        machine.sync(stream);
        assertThat(machine.read(word + 4)).isEqualTo(7);
        assertThat(machine.read(word + 8)).isEqualTo(50);
    }

    @Test
    void parametersAreThoseOfTheCapture() {
        var struct = Machine.struct(word, 1);
        CuGraphExec exec = captured(() -> {
            driver.launchKernel(machine.kernel(0, "add"), LaunchGeometry.SINGLE, stream, struct);
            struct.putLong(8, 10);
            driver.launchKernel(machine.kernel(0, "add"), LaunchGeometry.SINGLE, stream, struct);
        });
        struct.putLong(8, 1000);
        driver.graphLaunch(exec, stream);
        machine.sync(stream);
        assertThat(machine.read(word)).isEqualTo(11);
    }

    @Test
    void launchesOfOneGraphOnTwoStreamsRunOneAfterAnother() {
        CuGraphExec exec = captured(() -> {
            for (int i = 0; i < 20; i++) {
                machine.launch(stream, 0, "add", word, 1);
            }
        });
        CuStream second = driver.streamCreate();
        for (int i = 0; i < 500; i++) {
            driver.graphLaunch(exec, i % 2 == 0 ? stream : second);
        }
        machine.sync(stream);
        machine.sync(second);
        assertThat(machine.read(word)).isEqualTo(10_000);
    }

    @Test
    void anotherStreamJoinsACaptureByAnEventAndLeavesItAtTheEnd() {
        CuStream side = driver.streamCreate();
        CuEvent fork = driver.eventCreate();
        CuEvent join = driver.eventCreate();
        CuGraphExec exec = captured(() -> {
            machine.launch(stream, 0, "store", word, 1);
            driver.eventRecord(fork, stream);
            driver.streamWaitEvent(side, fork);
            machine.launch(side, 0, "add", word, 1);
            driver.eventRecord(join, side);
            driver.streamWaitEvent(stream, join);
            machine.launch(stream, 0, "add", word, 1);
            Answers.refused(900, () -> driver.eventQuery(fork));
        });
        machine.launch(side, 0, "store", word + 4, 9);
        machine.sync(side);
        assertThat(machine.read(word)).isZero();
        assertThat(machine.read(word + 4)).isEqualTo(9);
        driver.graphLaunch(exec, stream);
        machine.sync(stream);
        assertThat(machine.read(word)).isEqualTo(3);
        driver.eventRecord(fork, stream);
        machine.sync(stream);
        assertThat(driver.eventQuery(fork)).isTrue();
    }

    @Test
    void aGraphMayBeCapturedIntoAnother() {
        CuGraphExec inner = captured(() -> machine.launch(stream, 0, "add", word, 2));
        CuGraphExec outer = captured(() -> {
            driver.graphLaunch(inner, stream);
            driver.graphLaunch(inner, stream);
        });
        driver.graphExecDestroy(inner);
        driver.graphLaunch(outer, stream);
        machine.sync(stream);
        assertThat(machine.read(word)).isEqualTo(4);
    }

    @Test
    void waitingForACapturingStreamSpoilsTheCapture() {
        driver.streamBeginCapture(stream);
        Answers.refused(900, () -> driver.streamSynchronize(stream, Machine.PATIENCE));
        Answers.refused(901, () -> driver.streamEndCapture(stream));
        machine.launch(stream, 0, "store", word, 6);
        machine.sync(stream);
        assertThat(machine.read(word)).isEqualTo(6);
    }

    @Test
    void anEventFromOutsideTheCaptureIsRefused() {
        CuEvent outside = driver.eventCreate();
        driver.eventRecord(outside, stream);
        driver.streamBeginCapture(stream);
        Answers.refused(900, () -> driver.streamWaitEvent(stream, outside));
        Answers.refused(901, () -> driver.streamEndCapture(stream));
    }

    @Test
    void capturesBeginAndEndInTurn() {
        Answers.refused(401, () -> driver.streamEndCapture(stream));
        driver.streamBeginCapture(stream);
        Answers.refused(401, () -> driver.streamBeginCapture(stream));
        driver.graphDestroy(driver.streamEndCapture(stream));
    }

    @Test
    void aDestroyedGraphAndAGraphOfAnotherDeviceAreRefused() {
        CuGraphExec exec = captured(() -> machine.launch(stream, 0, "add", word, 1));
        machine.use(1);
        CuStream elsewhere = driver.streamCreate();
        Answers.refused(400, () -> driver.graphLaunch(exec, elsewhere));
        machine.use(0);
        driver.graphLaunch(exec, stream);
        driver.graphExecDestroy(exec);
        Answers.refused(1, () -> driver.graphLaunch(exec, stream));
        Answers.refused(1, () -> driver.graphExecDestroy(exec));
        machine.sync(stream);
        assertThat(machine.read(word)).isEqualTo(1);
    }
}
