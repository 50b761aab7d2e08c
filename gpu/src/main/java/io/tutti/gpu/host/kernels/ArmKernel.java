package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.ControlBlock;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.host.execution.MemoryWindow;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.ByteBuffer;

/**
 * {@link KernelAbi#ARM}: brings this rank's own workspace and counters to the state before the first call: sentinel over
 * the whole capacity, everything else zero. Abort words are never cleared.
 */
final class ArmKernel implements HostKernel {

    private static final int ARRIVAL_LONGS = 4;

    @Override
    public void run(KernelMemory memory, ByteBuffer params) {
        KernelCall call = memory.scratch(FusedCall.class, FusedCall::new).call;
        if (!call.enter(memory, params)) {
            return;
        }
        StageSlots.clearAll(call);
        for (int stage = 0; stage < WorkspaceLayout.STAGES; stage++) {
            CallHeaders.clear(call, stage);
        }
        ByteBuffer pad = call.pad(call.rank());
        int channels = call.padOffset(call.rank()) + (int) call.controlLong(ControlBlock.CHANNELS);
        for (int rank = 0; rank < call.world(); rank++) {
            MemoryWindow.LONG.setOpaque(pad, channels + rank * Long.BYTES, 0L);
        }
        // What was proved once is room for what peers map of this rank's tensors.
        int verify = call.padOffset(call.rank()) + (int) call.controlLong(ControlBlock.VERIFY);
        for (int at = 0; at < call.world() * WorkspaceLayout.VERIFY_BYTES; at += Long.BYTES) {
            MemoryWindow.LONG.setOpaque(pad, verify + at, 0L);
        }
        memory.detachAll();
        for (int i = 0; i < ARRIVAL_LONGS; i++) {
            call.setControlLong(ControlBlock.ARRIVALS + i * Long.BYTES, 0);
        }
        call.setControlLong(ControlBlock.SEQUENCE, 0);
        call.succeed();
    }
}
