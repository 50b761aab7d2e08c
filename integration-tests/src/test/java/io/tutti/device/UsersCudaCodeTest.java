package io.tutti.device;

import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRelease;
import static jcuda.driver.JCudaDriver.cuDevicePrimaryCtxRetain;
import static jcuda.driver.JCudaDriver.cuGraphDestroy;
import static jcuda.driver.JCudaDriver.cuGraphExecDestroy;
import static jcuda.driver.JCudaDriver.cuGraphInstantiate;
import static jcuda.driver.JCudaDriver.cuGraphLaunch;
import static jcuda.driver.JCudaDriver.cuMemAlloc;
import static jcuda.driver.JCudaDriver.cuMemFree;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemsetD32Async;
import static jcuda.driver.JCudaDriver.cuStreamBeginCapture;
import static jcuda.driver.JCudaDriver.cuStreamCreate;
import static jcuda.driver.JCudaDriver.cuStreamDestroy;
import static jcuda.driver.JCudaDriver.cuStreamEndCapture;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tutti.actors.Tutti;
import io.tutti.actors.api.Communicator;
import io.tutti.actors.api.Rank;
import io.tutti.actors.api.UserGraph;
import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.cuda.jcuda.JCudaHandles;
import io.tutti.gpu.op.Completion;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The device pointers, streams and graphs of a user's own JCuda code, with either binding of the runtime. */
@Tag("gpu")
@Timeout(300)
class UsersCudaCodeTest {

    private static final int TOKENS = 64;
    private static final int HIDDEN = 4096;
    private static final int ELEMENTS = TOKENS * HIDDEN;

    @BeforeAll
    static void onlyWithDevices() {
        Devices.require();
        JCudaDriver.setExceptionsEnabled(true);
        JCudaDriver.cuInit(0);
    }

    /** What a user with a rank has, all made with JCuda. */
    private static final class User implements AutoCloseable {

        final Rank rank;
        final CUstream stream = new CUstream();
        private final CUdevice device = new CUdevice();
        private final CUcontext context = new CUcontext();
        private final CUdeviceptr partial = new CUdeviceptr();
        private final CUdeviceptr out = new CUdeviceptr();

        User(Rank rank) {
            this.rank = rank;
            cuDeviceGet(device, rank.device());
            cuDevicePrimaryCtxRetain(context, device);
            enter();
            cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING);
            cuMemAlloc(partial, ELEMENTS * 4L);
            cuMemAlloc(out, ELEMENTS * 4L);
        }

        void enter() {
            cuCtxSetCurrent(context);
        }

        FusedAllReduce request(int tokens) {
            return FusedAllReduce.sum(
                    new DeviceTensor(JCudaHandles.address(partial), DType.FP32, tokens, HIDDEN),
                    new DeviceTensor(JCudaHandles.address(out), DType.FP32, tokens, HIDDEN));
        }

        /** The user's kernel before the call and the one behind it: rank r's partial is all r + 1, then all 0 again. */
        void fill(float value) {
            cuMemsetD32Async(partial, Float.floatToRawIntBits(value), ELEMENTS, stream);
        }

        CompletionStage<Completion> call() {
            enter();
            fill(rank.rank() + 1);
            CompletionStage<Completion> done = rank.allReduce(request(TOKENS), JCudaHandles.stream(stream));
            fill(0);
            return done;
        }

        CUgraphExec capture(UserGraph calls) {
            enter();
            cuStreamBeginCapture(stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL);
            fill(rank.rank() + 1);
            calls.allReduce(request(TOKENS), JCudaHandles.stream(stream));
            // The runtime's own threads go on meanwhile, and must not spoil the capture.
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            fill(0);
            fill(rank.rank() + 1);
            calls.allReduce(request(TOKENS), JCudaHandles.stream(stream));
            fill(0);
            CUgraph graph = new CUgraph();
            cuStreamEndCapture(stream, graph);
            calls.captured();
            CUgraphExec exec = new CUgraphExec();
            cuGraphInstantiate(exec, graph, 0);
            cuGraphDestroy(graph);
            return exec;
        }

        CompletionStage<Completion> launch(UserGraph calls, CUgraphExec exec) {
            enter();
            return calls.launch(JCudaHandles.stream(stream), () -> cuGraphLaunch(exec, stream));
        }

        /** Requires the sum everywhere, and poisons it. */
        void requireSum(float sum) {
            enter();
            cuStreamSynchronize(stream);
            float[] values = new float[ELEMENTS];
            cuMemcpyDtoH(Pointer.to(values), out, ELEMENTS * 4L);
            float[] expected = new float[ELEMENTS];
            Arrays.fill(expected, sum);
            assertThat(Arrays.mismatch(values, expected))
                    .as("first wrong element")
                    .isEqualTo(-1);
            cuMemsetD32Async(out, 0x7fc00000, ELEMENTS, stream);
        }

        @Override
        public void close() {
            enter();
            cuStreamSynchronize(stream);
            cuMemFree(partial);
            cuMemFree(out);
            cuStreamDestroy(stream);
            cuDevicePrimaryCtxRelease(device);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jna", "jcuda"})
    void callsStandBetweenTheUsersOwnWorkOnItsStreams(String binding) {
        try (Tutti tutti = start(binding);
                User zero = new User(ranks(tutti).get(0));
                User one = new User(ranks(tutti).get(1))) {
            List<CompletionStage<Completion>> calls = new ArrayList<>();
            for (int round = 0; round < 50; round++) {
                calls.add(zero.call());
                calls.add(one.call());
            }
            settle(calls);
            zero.requireSum(3);
            one.requireSum(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jna", "jcuda"})
    void aGraphThatTheUserCapturedInModeGlobalRunsUntilTheNextEpoch(String binding) {
        try (Tutti tutti = start(binding);
                User zero = new User(ranks(tutti).get(0));
                User one = new User(ranks(tutti).get(1));
                UserGraph ofZero = zero.rank.graph();
                UserGraph ofOne = one.rank.graph()) {
            CUgraphExec execOfZero = zero.capture(ofZero);
            CUgraphExec execOfOne = one.capture(ofOne);
            for (int round = 0; round < 10; round++) {
                settle(List.of(zero.launch(ofZero, execOfZero), one.launch(ofOne, execOfOne), zero.call(), one.call()));
                zero.requireSum(3);
                one.requireSum(3);
            }
            breakEpoch(zero, one);
            assertThatThrownBy(() -> zero.launch(ofZero, execOfZero))
                    .isInstanceOfSatisfying(
                            TuttiException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE));
            zero.requireSum(3);
            cuGraphExecDestroy(execOfZero);
            cuGraphExecDestroy(execOfOne);
        }
    }

    /** Two different calls end the epoch; calls without a stream wait for the next one. */
    private static void breakEpoch(User zero, User one) {
        CompletionStage<Completion> wrong = zero.rank.allReduce(zero.request(TOKENS));
        CompletionStage<Completion> other = one.rank.allReduce(one.request(1));
        assertThatThrownBy(() -> settle(List.of(wrong))).hasMessageContaining("rank 1");
        assertThatThrownBy(() -> settle(List.of(other))).hasMessageContaining("rank 0");
        zero.enter();
        zero.fill(1);
        cuStreamSynchronize(zero.stream);
        one.enter();
        one.fill(2);
        cuStreamSynchronize(one.stream);
        settle(List.of(zero.rank.allReduce(zero.request(TOKENS)), one.rank.allReduce(one.request(TOKENS))));
    }

    private static void settle(List<CompletionStage<Completion>> calls) {
        calls.forEach(call ->
                call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join());
    }

    private static List<Rank> ranks(Tutti tutti) {
        Communicator communicator = tutti.communicator("tp0")
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        return communicator.localRanks();
    }

    private static Tutti start(String binding) {
        return Tutti.start(ConfigFactory.parseString("tutti { driver = cuda, cuda.binding = " + binding
                        + ", devices.allow-sharing = true, communicators.tp0.world-size = 2 }")
                .withFallback(ConfigFactory.load()));
    }
}
