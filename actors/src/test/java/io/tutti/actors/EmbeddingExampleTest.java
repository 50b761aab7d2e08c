package io.tutti.actors;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.gpu.DType;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.FusedAllReduce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a service embeds the runtime: the README's example, complete. */
@Timeout(60)
class EmbeddingExampleTest {

    private static final int TOKENS = 4;
    private static final int HIDDEN = 64;

    @Test
    void twoRanksAddTheirPartialSums() throws Exception {
        try (Tutti tutti = Tutti.start(ConfigFactory.parseString("tutti.communicators.tp0.world-size = 2")
                .withFallback(ConfigFactory.load()))) {
            Communicator tp = tutti.communicator("tp0").toCompletableFuture().get(30, TimeUnit.SECONDS);
            List<TensorMemory> sums = new ArrayList<>();
            List<TensorMemory> owned = new ArrayList<>();
            List<CompletionStage<Completion>> calls = new ArrayList<>();
            for (Rank rank : tp.localRanks()) {
                TensorMemory partial = rank.allocate(DType.FP32, TOKENS, HIDDEN);
                partial.write(filledWith(rank.rank() + 1.5f));
                TensorMemory sum = rank.allocate(DType.FP32, TOKENS, HIDDEN);
                sums.add(sum);
                owned.addAll(List.of(partial, sum));
                calls.add(rank.allReduce(FusedAllReduce.sum(partial.tensor(), sum.tensor())));
            }
            for (CompletionStage<Completion> call : calls) {
                Completion done = call.toCompletableFuture().get(30, TimeUnit.SECONDS);
                assertThat(done.epoch()).isEqualTo(tp.epoch());
            }
            for (TensorMemory sum : sums) {
                ByteBuffer result = floats();
                sum.read(result);
                assertThat(result).isEqualTo(filledWith(1.5f + 2.5f));
            }
            owned.forEach(TensorMemory::close);
        }
    }

    private static ByteBuffer filledWith(float value) {
        ByteBuffer buffer = floats();
        for (int i = 0; i < TOKENS * HIDDEN; i++) {
            buffer.putFloat(i * Float.BYTES, value);
        }
        return buffer;
    }

    private static ByteBuffer floats() {
        return ByteBuffer.allocateDirect(TOKENS * HIDDEN * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }
}
