package io.tutti.gpu.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class CpuAffinityTest {

    @Test
    void aThreadStaysWhereItIsBoundAndOthersDoNot() throws Exception {
        int[] allowed = CpuAffinity.allowed();
        assumeTrue(allowed.length > 0, "the processors of a thread cannot be asked here");
        int last = allowed[allowed.length - 1];
        CompletableFuture<int[]> bound = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            assertThat(CpuAffinity.bind(last)).isTrue();
            bound.complete(CpuAffinity.allowed());
        });
        thread.start();
        assertThat(bound.get()).containsExactly(last);
        thread.join();
        assertThat(CpuAffinity.allowed()).isEqualTo(allowed);
    }

    @Test
    void aProcessorThatThereIsNotIsRefused() {
        assertThat(CpuAffinity.bind(-1)).isFalse();
        assertThat(CpuAffinity.bind(1023)).isFalse();
        assertThat(CpuAffinity.bind(1 << 20)).isFalse();
    }
}
