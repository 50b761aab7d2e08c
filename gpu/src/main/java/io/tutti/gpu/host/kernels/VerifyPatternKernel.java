package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.abi.StatusCode;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import java.nio.ByteBuffer;

/** {@link KernelAbi#VERIFY_PATTERN}: waits for every rank's words in this rank's workspace and compares them. */
final class VerifyPatternKernel implements HostKernel {

    @Override
    public void run(KernelMemory memory, ByteBuffer params) {
        KernelCall call = memory.scratch(FusedCall.class, FusedCall::new).call;
        if (!call.enter(memory, params)) {
            return;
        }
        for (int writer = 0; writer < call.world(); writer++) {
            for (int place = 0; place < PatternLine.PLACES; place++) {
                if (!verify(call, writer, place)) {
                    return;
                }
            }
        }
        call.succeed();
    }

    private static boolean verify(KernelCall call, int writer, int place) {
        Span line = PatternLine.at(call, call.rank(), writer, place);
        int round = 0;
        for (int i = 0; i < PatternLine.WORDS; i++) {
            int expected = PatternLine.word(call.epoch(), writer, call.rank(), place, i);
            int word;
            while ((word = (int) MemoryWindow.INT.getAcquire(line.window().bytes(), line.offset() + i * Integer.BYTES))
                    == 0) {
                if (!call.pause(round++, writer)) {
                    return false;
                }
            }
            if (word != expected) {
                return call.fail(StatusCode.CORRUPT, writer);
            }
        }
        return true;
    }
}
