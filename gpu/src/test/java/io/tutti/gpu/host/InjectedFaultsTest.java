package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.host.fault.FaultPlan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InjectedFaultsTest {

    private static final AllocationProperties MEMORY = new AllocationProperties(0, ShareableType.NONE);

    private static Machine machine(String... rules) {
        return new Machine(
                Machine.builder(1).faults(FaultPlan.parse(List.of(rules))).build());
    }

    @Test
    void aFaultHitsTheNamedRankAloneAndAsOftenAsItSays() {
        try (Machine machine = machine("rank=2 call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1")) {
            HostDriver one = machine.driver.actingAs(1);
            HostDriver two = machine.driver.actingAs(2);
            one.memRelease(one.memCreate(1 << 20, MEMORY));
            machine.driver.memRelease(machine.driver.memCreate(1 << 20, MEMORY));
            assertThat(Answers.refused(2, () -> two.memCreate(1 << 20, MEMORY)))
                    .hasMessageContaining("rank=2 call=cuMemCreate");
            two.memRelease(two.memCreate(1 << 20, MEMORY));
        }
    }

    @Test
    void aFaultWithoutTimesStays() {
        try (Machine machine = machine("call=cuEventCreate result=CUDA_ERROR_NOT_SUPPORTED")) {
            for (int i = 0; i < 5; i++) {
                Answers.refused(801, () -> machine.driver.eventCreate());
            }
        }
    }

    @Test
    void anInjectedLaunchFailureCostsTheContextAsARealOneDoes() {
        try (Machine machine = machine("call=cuLaunchKernelEx result=CUDA_ERROR_LAUNCH_FAILED times=1")) {
            CuStream stream = machine.driver.streamCreate();
            Answers.refused(719, () -> machine.launch(stream, 0, "nothing"));
            Answers.refused(719, () -> machine.launch(stream, 0, "nothing"));
            Answers.refused(719, () -> machine.driver.memAlloc(8));
        }
    }

    @Test
    void notReadyIsAnAnswerOfAQueryAndNoFailure() {
        try (Machine machine = machine("call=cuStreamQuery result=CUDA_ERROR_NOT_READY times=2")) {
            CuStream stream = machine.driver.streamCreate();
            assertThat(machine.driver.streamQuery(stream)).isFalse();
            assertThat(machine.driver.streamQuery(stream)).isFalse();
            assertThat(machine.driver.streamQuery(stream)).isTrue();
        }
    }

    @Test
    void moduleLoadingCanFailLikeOnAnotherGpu() {
        try (Machine machine = machine("rank=0 call=cuModuleLoadData result=CUDA_ERROR_UNSUPPORTED_PTX_VERSION")) {
            Answers.refused(222, () -> machine.driver.actingAs(0).moduleLoad("tests"));
        }
    }

    @Test
    void closingARanksViewLeavesTheDriverOpen() {
        try (Machine machine = machine()) {
            machine.driver.actingAs(0).close();
            assertThat(machine.driver.deviceCount()).isOne();
        }
    }
}
