package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.EpochPlan;
import java.util.List;

/** {@code p2p}: every peer's workspace is mapped here, and kernels store into it. */
final class PeerEpoch implements PathEpoch {

    private final RankMachine machine;
    private final EpochMemory memory;
    private final KernelCalls calls;

    private PeerEpoch(RankMachine machine, EpochMemory memory) {
        this.machine = machine;
        this.memory = memory;
        this.calls = new KernelCalls(machine, memory.epoch());
    }

    static PeerEpoch allocate(RankMachine machine, EpochId epoch, EpochPlan plan) {
        return new PeerEpoch(machine, EpochMemory.allocate(machine.driver(), machine.settings(), epoch, plan));
    }

    @Override
    public EpochId epoch() {
        return memory.epoch();
    }

    @Override
    public EpochPlan plan() {
        return memory.plan();
    }

    @Override
    public void fill(long timeoutNanos) {
        memory.zero(machine.stream());
        machine.work().synchronize(timeoutNanos);
        memory.writeHeader();
    }

    @Override
    public List<MemoryOffer> export() {
        return memory.export();
    }

    @Override
    public void importPeers(List<MemoryOffer> offers) {
        memory.importPeers(offers);
        machine.control().open(epoch(), memory.layout(), memory.workspaces());
    }

    /** Every rank has imported, so the handles are withdrawn. */
    @Override
    public void write(long timeoutNanos) {
        memory.withdraw();
        machine.work().run(KernelAbi.WRITE_PATTERN, "write", epoch(), timeoutNanos);
    }

    @Override
    public void verify(long timeoutNanos) {
        machine.work().run(KernelAbi.VERIFY_PATTERN, "verify", epoch(), timeoutNanos);
    }

    @Override
    public void probe(List<Long> promises, int factor, long timeoutNanos) {
        new TimedProbe(machine, memory).run(promises, factor, timeoutNanos);
    }

    /** Sentinel over the whole capacity, counters to zero. */
    @Override
    public void arm(long timeoutNanos) {
        machine.work().run(KernelAbi.ARM, "arm", epoch(), timeoutNanos);
        memory.requireGuards();
    }

    @Override
    public void launch(PendingCalls pending) {
        calls.launch(pending);
    }

    @Override
    public KernelCalls kernels() {
        return calls;
    }

    @Override
    public Replay capture(List<PlannedCall> sequence) {
        return calls.capture(sequence);
    }

    /** Copies the abort word into every pad in reach. */
    @Override
    public void abort(boolean peersReachable) {
        int rank = machine.rank().rank();
        long slot = memory.layout().controlAbortSlot(rank);
        for (int owner = 0; owner < machine.settings().worldSize(); owner++) {
            if (owner == rank || peersReachable) {
                machine.controlLane().store(memory.workspaces()[owner] + slot, (int) epoch().epoch());
            }
        }
    }

    /** Kernels are all there is, and they are on the stream. */
    @Override
    public void drain(long timeoutNanos) {}

    @Override
    public PadSnapshot snapshot() {
        return memory.snapshot();
    }

    @Override
    public void release(KeptMemory kept) {
        try (UndoStack undo = new UndoStack()) {
            undo.push(() -> memory.release(kept));
            memory.requireGuards();
        }
    }

    @Override
    public void abandon(KeptMemory kept) {
        memory.abandon(kept);
    }
}
