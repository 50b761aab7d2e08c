package io.tutti.gpu.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Where everything lies in a {@link State}: first memory, then what threads and blocks keep to themselves. A generation is
 * one allocation of all workspaces.
 */
final class Layout {

    static final int STAGES = 3;

    /** Words of a process's control block and of the memory that its host maps. */
    enum Control {
        EPOCH,
        GENERATION,
        SEQUENCE,
        ARRIVALS,
        OUTCOME,
        HOST_ABORT,
        /** The epoch in which a kernel has failed. Not in the product; for checking. */
        FAILED,
        /** The call that the first block has started. Not in the product; for checking. */
        STARTED,
        DRAINED,
        ARMED
    }

    /** What the threads of a block know in common. */
    enum PerBlock {
        ADMITTED,
        SEQUENCE,
        OUTCOME
    }

    private final int world;
    private final int slotWords;
    private final int workspaceWords;
    private final int processBase;
    private final int processWords;
    private final int decisionAt;
    private final int threadBase;
    private final int blockBase;
    private final int blocks;
    private final int cells;
    private final int vectors;

    Layout(Scenario scenario, int launches) {
        this.world = scenario.world();
        this.vectors = scenario.mostVectors();
        this.slotWords = vectors * scenario.words();
        int generations = scenario.stops() >= 0 ? 2 : 1;
        this.blocks = scenario.blocks();
        this.workspaceWords = 2 * world + STAGES * world * (1 + 3 * slotWords);
        this.processBase = generations * world * workspaceWords;
        this.processWords = Control.values().length + vectors + launches;
        this.decisionAt = processBase + scenario.processes() * processWords;
        this.threadBase = decisionAt + 1;
        int agents = scenario.processes() * scenario.threads() + world + 1;
        this.blockBase = threadBase + agents;
        this.cells = blockBase + scenario.processes() * blocks * PerBlock.values().length;
        if (decisionAt >= 1 << State.ADDRESS_BITS) {
            throw new IllegalArgumentException("a scenario too large for addresses: words=" + decisionAt);
        }
    }

    int cells() {
        return cells;
    }

    int kernelAbort(int generation, int owner, int writer) {
        return workspace(generation, owner) + writer;
    }

    int controlAbort(int generation, int owner, int writer) {
        return workspace(generation, owner) + world + writer;
    }

    int abortWord(int generation, int owner, int slot) {
        return workspace(generation, owner) + slot;
    }

    /** A word of a source's slot or its header. */
    int slot(int generation, int owner, Region region, int stage, int source, int index) {
        int line = stage * world + source;
        int header = workspace(generation, owner) + 2 * world;
        return region == Region.HEADER
                ? header + line
                : header + STAGES * world + ((region.ordinal() - 1) * STAGES * world + line) * slotWords + index;
    }

    /** All words that peers push to in one workspace. */
    List<Integer> slots(int generation, int owner) {
        List<Integer> all = new ArrayList<>();
        for (int at = 2 * world; at < workspaceWords; at++) {
            all.add(workspace(generation, owner) + at);
        }
        return all;
    }

    /** Whether a word is one that peers push data or headers to. */
    boolean isSlot(int address) {
        return address < processBase && address % workspaceWords >= 2 * world;
    }

    boolean isAbortWord(int address) {
        return address < processBase && address % workspaceWords < 2 * world;
    }

    /** The first abort word of the pad that a word is in. */
    int firstAbortWord(int address) {
        return address - address % workspaceWords;
    }

    int control(int process, Control word) {
        return processBase + process * processWords + word.ordinal();
    }

    int output(int process, int vector) {
        return control(process, Control.EPOCH) + Control.values().length + vector;
    }

    int status(int process, int launch) {
        return output(process, vectors) + launch;
    }

    boolean isOutput(int address) {
        return address >= processBase && address < decisionAt && launchOf(address) < 0;
    }

    /** The launch whose status record a word is, or -1. */
    int launchOf(int address) {
        if (address < processBase || address >= decisionAt) {
            return -1;
        }
        return Math.max(-1, (address - processBase) % processWords - Control.values().length - vectors);
    }

    int processOf(int address) {
        return (address - processBase) / processWords;
    }

    int decision() {
        return decisionAt;
    }

    /** An agent's place in its program. */
    int pc(int agent) {
        return threadBase + agent;
    }

    int block(int process, int block, PerBlock register) {
        return blockBase + (process * blocks + block) * PerBlock.values().length + register.ordinal();
    }

    private int workspace(int generation, int owner) {
        return (generation * world + owner) * workspaceWords;
    }

    String name(int address) {
        if (address >= processBase) {
            int launch = launchOf(address);
            return (launch >= 0 ? "the status of launch " + (launch + 1) : "an output") + " of process "
                    + processOf(address);
        }
        int generation = address / (world * workspaceWords);
        int owner = address / workspaceWords % world;
        int at = address % workspaceWords;
        String where = " in rank " + owner + "'s workspace" + (generation > 0 ? " of epoch 2" : "");
        if (at < world) {
            return "rank " + at + "'s kernels' abort word" + where;
        }
        if (at < 2 * world) {
            return "rank " + (at - world) + "'s host's abort word" + where;
        }
        int line = at - 2 * world;
        if (line < STAGES * world) {
            return "rank " + line % world + "'s header, stage " + line / world + where;
        }
        int word = line - STAGES * world;
        int slot = word / slotWords;
        Region region = Region.values()[1 + slot / (STAGES * world)];
        return "word " + word % slotWords + " of rank " + slot % world + "'s " + region + " slot, stage "
                + slot / world % STAGES + where;
    }
}
