package io.tutti.launcher.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import io.tutti.launcher.input.OperationShape;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RowChunksTest {

    @Test
    void chunksCoverEveryRowOnceInOrderWithinTheBudget() {
        for (long tokens : new long[] {1, 7, 64, 4_097, 1_000_003}) {
            for (int buffers : new int[] {1, 10, 78}) {
                RowChunks chunks = new RowChunks(new OperationShape(tokens, 4096, DType.FP32), buffers);
                AtomicLong next = new AtomicLong();
                chunks.forEach((first, count) -> {
                    assertThat(first).isEqualTo(next.getAndAdd(count));
                    assertThat(count).isPositive();
                });
                assertThat(next.get()).isEqualTo(tokens);
                assertThat((long) chunks.buffer().capacity() * buffers).isLessThanOrEqualTo(4L << 20);
            }
        }
    }

    @Test
    void evenTheLongestRowOfTheLargestWorldFits() {
        RowChunks chunks = new RowChunks(new OperationShape(5, OperationShape.MAX_HIDDEN, DType.FP32), 78);
        assertThat(chunks.buffer().capacity()).isEqualTo(OperationShape.MAX_HIDDEN * 4);
    }
}
