package io.tutti.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.TensorMemory;
import io.tutti.actors.api.UserGraph;
import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.CuGraph;
import io.tutti.gpu.driver.CuGraphExec;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
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

/** Users' own streams and graphs through the public interface, on the host driver's emulated ones. */
@Timeout(120)
class UserStreamsTest {

    private static final int TOKENS = 4;
    private static final int HIDDEN = 256;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    /** What a user with a rank has: its device's driver and context, a stream, and tensors. */
    private static final class User implements AutoCloseable {

        final Rank rank;
        final Driver driver;
        final CuStream stream;
        private final CuContext context;
        private final TensorMemory partial;
        private final TensorMemory out;

        User(Rank rank) {
            this.rank = rank;
            driver = rank.driver();
            context = rank.context();
            partial = rank.allocate(DType.FP32, TOKENS, HIDDEN);
            out = rank.allocate(DType.FP32, TOKENS, HIDDEN);
            partial.write(filled(rank.rank() + 1));
            driver.ctxSetCurrent(context);
            stream = driver.streamCreate();
        }

        FusedAllReduce request() {
            return FusedAllReduce.sum(partial.tensor(), out.tensor());
        }

        CompletionStage<Completion> call() {
            return rank.allReduce(request(), stream);
        }

        CuGraphExec capture(UserGraph calls) {
            driver.ctxSetCurrent(context);
            driver.streamBeginCapture(stream);
            calls.allReduce(request(), stream);
            calls.allReduce(request(), stream);
            CuGraph graph = driver.streamEndCapture(stream);
            calls.captured();
            CuGraphExec exec = driver.graphInstantiate(graph);
            driver.graphDestroy(graph);
            return exec;
        }

        float result() {
            driver.ctxSetCurrent(context);
            assertThat(driver.streamSynchronize(stream, PATIENCE)).isTrue();
            ByteBuffer bytes = buffer();
            out.read(bytes);
            out.write(filled(-1));
            return bytes.getFloat(Float.BYTES * (TOKENS * HIDDEN - 1));
        }

        @Override
        public void close() {
            driver.ctxSetCurrent(context);
            driver.streamDestroy(stream);
            partial.close();
            out.close();
        }

        private static ByteBuffer filled(float value) {
            ByteBuffer bytes = buffer();
            while (bytes.hasRemaining()) {
                bytes.putFloat(value);
            }
            return bytes.flip();
        }

        private static ByteBuffer buffer() {
            return ByteBuffer.allocateDirect(TOKENS * HIDDEN * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    @Test
    void callsOnUsersStreamsAndOthersKeepOneOrder() {
        try (Tutti tutti = start();
                User zero = new User(ranks(tutti).get(0));
                User one = new User(ranks(tutti).get(1))) {
            List<CompletionStage<Completion>> calls = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                calls.add(zero.call());
                calls.add(round % 2 == 0 ? one.call() : one.rank.allReduce(one.request()));
            }
            settle(calls);
            assertThat(zero.result()).isEqualTo(3);
            assertThat(one.result()).isEqualTo(3);
        }
    }

    @Test
    void anothersContextIsCurrentAgainAfterACall() {
        try (Tutti tutti = start();
                User zero = new User(ranks(tutti).get(0));
                User one = new User(ranks(tutti).get(1))) {
            one.driver.ctxSetCurrent(one.context);
            CompletionStage<Completion> call = zero.call();
            assertThat(one.driver.ctxGetCurrent()).isEqualTo(one.context);
            settle(List.of(call, one.call()));
        }
    }

    @Test
    void aUsersGraphIsStaleAfterTheNextCommitAndCanBeCapturedAgain() {
        try (Tutti tutti = start();
                User zero = new User(ranks(tutti).get(0));
                User one = new User(ranks(tutti).get(1));
                UserGraph ofZero = zero.rank.graph();
                UserGraph ofOne = one.rank.graph()) {
            CuGraphExec execOfZero = zero.capture(ofZero);
            CuGraphExec execOfOne = one.capture(ofOne);
            for (int round = 0; round < 5; round++) {
                settle(List.of(launch(zero, ofZero, execOfZero), launch(one, ofOne, execOfOne)));
                assertThat(zero.result()).isEqualTo(3);
                assertThat(one.result()).isEqualTo(3);
            }
            breakEpoch(tutti, zero, one);
            assertThat(ofZero.isStale()).isTrue();
            assertThatThrownBy(() -> launch(zero, ofZero, execOfZero))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE));
            destroy(zero, execOfZero);
            destroy(one, execOfOne);
            try (UserGraph againOfZero = zero.rank.graph();
                    UserGraph againOfOne = one.rank.graph()) {
                CuGraphExec execAgainOfZero = zero.capture(againOfZero);
                CuGraphExec execAgainOfOne = one.capture(againOfOne);
                settle(List.of(launch(zero, againOfZero, execAgainOfZero), launch(one, againOfOne, execAgainOfOne)));
                assertThat(zero.result()).isEqualTo(3);
                assertThat(one.result()).isEqualTo(3);
                destroy(zero, execAgainOfZero);
                destroy(one, execAgainOfOne);
            }
        }
    }

    /** Two different calls end the epoch; a call of its own stream waits for the next one. */
    private static void breakEpoch(Tutti tutti, User zero, User one) {
        long before = communicator(tutti).epoch().epoch();
        CompletionStage<Completion> wrong = zero.call();
        try (TensorMemory partial = one.rank.allocate(DType.FP32, 1, HIDDEN);
                TensorMemory out = one.rank.allocate(DType.FP32, 1, HIDDEN)) {
            CompletionStage<Completion> other =
                    one.rank.allReduce(FusedAllReduce.sum(partial.tensor(), out.tensor()), one.stream);
            assertThatThrownBy(() -> settle(List.of(wrong))).hasMessageContaining("rank 1");
            assertThatThrownBy(() -> settle(List.of(other))).hasMessageContaining("rank 0");
            settle(List.of(zero.rank.allReduce(zero.request()), one.rank.allReduce(one.request())));
        }
        assertThat(communicator(tutti).epoch().epoch()).isGreaterThan(before);
    }

    private static CompletionStage<Completion> launch(User user, UserGraph calls, CuGraphExec exec) {
        return calls.launch(user.stream, () -> user.driver.graphLaunch(exec, user.stream));
    }

    private static void destroy(User user, CuGraphExec exec) {
        user.driver.ctxSetCurrent(user.context);
        user.driver.graphExecDestroy(exec);
    }

    private static void settle(List<CompletionStage<Completion>> calls) {
        calls.forEach(call ->
                call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join());
    }

    private static List<Rank> ranks(Tutti tutti) {
        return communicator(tutti).localRanks();
    }

    private static Communicator communicator(Tutti tutti) {
        return tutti.communicator("tp0")
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    private static Tutti start() {
        return Tutti.start(ConfigFactory.parseString("tutti.communicators.tp0.world-size = 2")
                .withFallback(ConfigFactory.load()));
    }
}
