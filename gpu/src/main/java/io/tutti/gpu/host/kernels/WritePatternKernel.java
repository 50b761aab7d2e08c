package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.host.execution.Span;
import java.nio.ByteBuffer;

/** {@link KernelAbi#WRITE_PATTERN}: stores this rank's words into every rank's workspace. */
final class WritePatternKernel implements HostKernel {

    @Override
    public void run(KernelMemory memory, ByteBuffer params) {
        KernelCall call = memory.scratch(FusedCall.class, FusedCall::new).call;
        if (!call.enter(memory, params)) {
            return;
        }
        for (int reader = 0; reader < call.world(); reader++) {
            for (int place = 0; place < PatternLine.PLACES; place++) {
                Span line = PatternLine.at(call, reader, call.rank(), place);
                for (int i = 0; i < PatternLine.WORDS; i++) {
                    int word = PatternLine.word(call.epoch(), call.rank(), reader, place, i);
                    MemoryWindow.INT.setRelease(line.window().bytes(), line.offset() + i * Integer.BYTES, word);
                }
            }
        }
        call.succeed();
    }
}
