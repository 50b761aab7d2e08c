package io.tutti.gpu.model;

import io.tutti.gpu.model.Layout.Control;
import io.tutti.gpu.model.Layout.PerBlock;

/**
 * A warp of a kernel, or whoever else acts, in one state: what it can read, store and wait for. Agents of one process are
 * numbered warp by warp; its thread 0 also acts for its host while no kernel runs.
 */
final class Agent {

    private final Machine machine;
    private final Setting setting;
    private final Scenario scenario;
    private final Layout layout;
    private final int number;
    final int process;
    final int rank;
    final int thread;
    private State state;

    Agent(Machine machine, Setting setting, int number) {
        this.machine = machine;
        this.setting = setting;
        this.scenario = setting.scenario();
        this.layout = setting.layout();
        this.number = number;
        this.state = new State(0);
        int warps = scenario.processes() * scenario.threads();
        this.thread = number < warps ? number % scenario.threads() : 0;
        this.process = number < warps ? number / scenario.threads() : number - warps;
        this.rank = process < scenario.processes() ? scenario.rankOf(process) : -1;
    }

    Agent in(State newState) {
        this.state = newState;
        return this;
    }

    // ---- where it stands ----------------------------------------------------------------------------------------

    int pc() {
        return state.get(layout.pc(number));
    }

    void goTo(int pc) {
        state.set(layout.pc(number), pc);
    }

    /** Where its program only leaves a part. */
    int leaveOf(int part) {
        return machine.program(number).leave(part);
    }

    /** Goes on with the next part of its program. */
    void endPart(int part) {
        goTo(machine.program(number).start(part + 1));
    }

    void finish() {
        goTo(machine.program(number).end());
    }

    /** Whether another thread of the process has left all parts before this one. */
    boolean hasReached(int otherThread, int part) {
        int other = process * scenario.threads() + otherThread;
        return state.get(layout.pc(other)) >= machine.program(other).start(part);
    }

    /** Whether all threads of the process have left all parts before this one. */
    boolean allHaveReached(int part) {
        for (int other = 0; other < scenario.threads(); other++) {
            if (!hasReached(other, part)) {
                return false;
            }
        }
        return true;
    }

    // ---- its block ----------------------------------------------------------------------------------------------

    int block() {
        return thread / scenario.warps();
    }

    boolean leads() {
        return block() == 0;
    }

    boolean speaks() {
        return thread % scenario.warps() == scenario.warps() - 1;
    }

    int block(PerBlock register) {
        return state.get(layout.block(process, block(), register));
    }

    void setBlock(PerBlock register, int value) {
        state.set(layout.block(process, block(), register), value);
    }

    void forgetBlock() {
        for (PerBlock register : PerBlock.values()) {
            setBlock(register, 0);
        }
    }

    /** Whether all warps of the block only have to leave this part. */
    boolean blockLeaves(int part) {
        for (int warp = 0; warp < scenario.warps(); warp++) {
            int other = process * scenario.threads() + block() * scenario.warps() + warp;
            if (state.get(layout.pc(other)) < machine.program(other).leave(part)) {
                return false;
            }
        }
        return true;
    }

    /** Whether every store of the block has been performed, or may be now. */
    boolean blockMayRelease() {
        int first = process * scenario.threads() + block() * scenario.warps();
        return !waitsFor(first, first + scenario.warps());
    }

    /** Performs what the block has left for last. */
    void releaseBlock() {
        int first = process * scenario.threads() + block() * scenario.warps();
        performLate(first, first + scenario.warps());
    }

    /** Whether every store of the process's kernels has been performed, or may be now. */
    boolean processMayRelease() {
        return !waitsFor(process * scenario.threads(), (process + 1) * scenario.threads());
    }

    void releaseProcess() {
        performLate(process * scenario.threads(), (process + 1) * scenario.threads());
    }

    private boolean waitsFor(int firstAgent, int endAgent) {
        for (int store = 0; store < state.pending(); store++) {
            int by = state.agentOf(store);
            if (by >= firstAgent && by < endAgent && isReleased(store) && !machine.isLate(state, store)) {
                return true;
            }
        }
        return false;
    }

    private boolean isReleased(int store) {
        return setting.has(Rule.CLEARING_RELEASED)
                || !layout.isSlot(state.addressOf(store))
                || state.valueOf(store) != Token.SENTINEL;
    }

    private void performLate(int firstAgent, int endAgent) {
        for (int store = state.pending() - 1; store >= 0; store--) {
            int by = state.agentOf(store);
            if (by >= firstAgent && by < endAgent && isReleased(store)) {
                state.perform(store);
            }
        }
    }

    // ---- memory -------------------------------------------------------------------------------------------------

    int read(int address) {
        return state.read(number, address);
    }

    void store(int address, int value) {
        state.issue(number, address, value);
    }

    int control(Control word) {
        return controlOf(process, word);
    }

    int controlOf(int otherProcess, Control word) {
        return state.get(layout.control(otherProcess, word));
    }

    /** A word that only this device or this host touches, or that is stored while nothing else runs. */
    void setControl(Control word, int value) {
        state.set(layout.control(process, word), value);
    }

    /** As {@link #setControl} for any word. */
    void put(int address, int value) {
        state.set(address, value);
    }

    int value(int address) {
        return state.get(address);
    }

    /** In which of its allocations a rank's workspace is, as this process knows it. */
    int generation(int owner) {
        Decision decision = Decision.values()[control(Control.GENERATION)];
        return decision == Decision.FRESH || (decision == Decision.UNDRAINED && owner == scenario.stops()) ? 1 : 0;
    }

    /** A word of a slot in the stage of the block's call. */
    int slot(int owner, Region region, int source, int index) {
        return slot(owner, region, block(PerBlock.SEQUENCE), source, index);
    }

    int slot(int owner, Region region, int sequence, int source, int index) {
        int stage = sequence % (setting.has(Rule.THREE_STAGES) ? Layout.STAGES : Layout.STAGES - 1);
        return layout.slot(generation(owner), owner, region, stage, source, index);
    }
}
