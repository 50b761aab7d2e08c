package io.tutti.gpu.model;

import io.tutti.gpu.model.Layout.PerBlock;
import java.util.List;

/**
 * What one warp of a fused kernel pushes and takes: {@code one_shot.cuh} and {@code two_shot.cuh} on {@code slots.cuh} and
 * {@code headers.cuh}.
 */
final class Exchange {

    private final Launch launch;
    private final Program program;
    private final Waits waits;

    Exchange(Launch launch, Program program, Waits waits) {
        this.launch = launch;
        this.program = program;
        this.waits = waits;
    }

    void build() {
        switch (launch.call().kernel()) {
            case NARROW -> oneShotNarrow();
            case SINGLE -> oneShotSingle();
            case WIDE -> oneShotWide();
            case TWO_SHOT -> twoShot();
        }
    }

    // ---- one_shot.cuh -------------------------------------------------------------------------------------------

    private void oneShotNarrow() {
        List<Integer> own = launch.dealt(launch.call().vectors());
        pushHeaders();
        pushRows(own);
        if (own.isEmpty()) {
            matchHeaders();
        }
        for (int vector : own) {
            takeSum(vector);
            if (vector == own.get(0)) {
                matchHeaders();
            }
        }
    }

    private void oneShotSingle() {
        List<Integer> own = launch.dealt(launch.call().vectors());
        pushHeaders();
        pushRows(own);
        if (own.isEmpty()) {
            matchHeaders();
        }
        own.forEach(this::takeSum);
        if (!own.isEmpty()) {
            matchHeaders();
        }
    }

    private void oneShotWide() {
        List<Integer> own = launch.dealt(launch.call().vectors());
        pushHeaders();
        pushRows(own);
        own.forEach(this::takeSum);
        matchHeaders();
    }

    private void pushRows(List<Integer> vectors) {
        for (int vector : vectors) {
            pushToPeers("its vector " + vector, Region.ONE_SHOT, vector, vector == 0);
        }
        clearOtherwise();
    }

    /** Waits for a vector of all peers. */
    private void takeSum(int vector) {
        take("vector " + vector + " of every peer", Region.ONE_SHOT, vector, launch.peers());
        output(vector);
    }

    // ---- two_shot.cuh -------------------------------------------------------------------------------------------

    private void twoShot() {
        pushHeaders();
        scatter();
        reduceOwnSlice();
        for (int vector : launch.dealt(launch.call().vectors())) {
            int owner = vector / launch.eachSlice();
            take("vector " + vector + " of the sum", Region.GATHER, vector % launch.eachSlice(), List.of(owner));
            output(vector);
        }
        matchHeaders();
    }

    private void scatter() {
        for (int owner : launch.peers()) {
            for (int index : launch.dealt(launch.sliceLength(owner))) {
                String text = "vector " + index + " of rank " + owner + "'s slice";
                program.add(
                        Step.local("pushes " + text, agent -> push(agent, owner, Region.SCATTER, index, index == 0)));
            }
        }
        clearOtherwise();
    }

    private void reduceOwnSlice() {
        for (int index : launch.dealt(launch.sliceLength(launch.rank()))) {
            take("vector " + index + " of its slice", Region.SCATTER, index, launch.peers());
            pushToPeers("vector " + index + " of the sum", Region.GATHER, index, false);
            program.add(Step.local(
                    "pushes it to itself", agent -> push(agent, launch.rank(), Region.GATHER, index, false)));
        }
    }

    // ---- headers.cuh --------------------------------------------------------------------------------------------

    private void pushHeaders() {
        if (launch.speaksForGrid()) {
            program.add(Step.local("pushes its headers", agent -> {
                for (int peer : launch.peers()) {
                    agent.store(agent.slot(peer, Region.HEADER, launch.rank(), 0), waits.header(agent, launch.rank()));
                }
            }));
        }
    }

    private void matchHeaders() {
        if (launch.speaksForGrid() && launch.has(Rule.HEADER_MATCHED)) {
            program.add(waits.await("matches all headers", this::headersHere, this::match));
        }
    }

    private boolean headersHere(Agent agent) {
        return launch.peers().stream().allMatch(source -> waits.headerHere(agent, source));
    }

    private void match(Agent agent) {
        for (int source : launch.peers()) {
            if (waits.headerDiffers(agent, source)) {
                waits.leave(agent, Status.MISMATCH, true);
                return;
            }
            if (launch.has(Rule.HEADER_CLEARED)) {
                agent.store(agent.slot(launch.rank(), Region.HEADER, source, 0), Token.SENTINEL);
            }
        }
    }

    // ---- slots.cuh ----------------------------------------------------------------------------------------------

    private void pushToPeers(String what, Region region, int vector, boolean mayBeSentinel) {
        program.add(Step.local("pushes " + what, agent -> {
            for (int peer : launch.peers()) {
                push(agent, peer, region, vector, mayBeSentinel);
            }
        }));
    }

    private void push(Agent agent, int owner, Region region, int vector, boolean mayBeSentinel) {
        int sequence = agent.block(PerBlock.SEQUENCE);
        boolean sentinel = mayBeSentinel && launch.rank() == 0 && sequence == 2 && !launch.has(Rule.SENTINEL_CLEANED);
        for (int index : launch.words(vector)) {
            int token = Token.of(launch.epoch(), sequence, region, launch.rank(), index);
            agent.store(agent.slot(owner, region, launch.rank(), index), sentinel ? Token.SENTINEL : token);
        }
    }

    /** Waits until a vector of some sources is there, and clears it. */
    private void take(String what, Region region, int vector, List<Integer> sources) {
        List<Integer> awaited = launch.has(Rule.EVERY_WORD_CHECKED)
                ? launch.words(vector)
                : launch.words(vector).subList(0, 1);
        program.add(waits.await(
                "takes " + what,
                agent -> all(sources, awaited, (source, index) -> word(agent, region, source, index) != Token.SENTINEL),
                agent ->
                        all(sources, launch.words(vector), (source, index) -> takeWord(agent, region, source, index))));
    }

    private boolean takeWord(Agent agent, Region region, int source, int index) {
        int word = word(agent, region, source, index);
        if (!Token.isOf(word, launch.epoch(), agent.block(PerBlock.SEQUENCE))) {
            throw new Violation("call " + agent.block(PerBlock.SEQUENCE) + " of epoch " + launch.epoch() + " reads "
                    + Token.describe(word));
        }
        if (clearsAtOnce()) {
            agent.store(agent.slot(launch.rank(), region, source, index), Token.SENTINEL);
        }
        return true;
    }

    private int word(Agent agent, Region region, int source, int index) {
        return agent.read(agent.slot(launch.rank(), region, source, index));
    }

    private boolean clearsAtOnce() {
        return launch.has(Rule.CLEARED_WHEN_READ)
                && launch.has(Rule.CLEARED_AT_ONCE)
                && launch.has(Rule.CLEARED_BY_ITS_OWN_SIZE)
                && launch.has(Rule.CLEARED_BEHIND_READING);
    }

    /** Not in the kernels: other ways to clear, behind a call's first pushes. */
    private void clearOtherwise() {
        if (!launch.has(Rule.CLEARED_BEHIND_READING)) {
            program.add(
                    Step.local("clears what it will read in the next call", agent -> clear(agent, launch.call(), 1)));
        } else if (!launch.has(Rule.CLEARED_BY_ITS_OWN_SIZE)) {
            program.add(Step.local("clears by its own size", agent -> clear(agent, launch.call(), -1)));
        } else if (!launch.has(Rule.CLEARED_AT_ONCE) && launch.before() != null) {
            Call used = launch.before();
            program.add(Step.local("clears what the call before used", agent -> clear(agent, used, -1)));
        }
    }

    /** Clears a warp's part of a call's size in the stage of an earlier or later call. */
    private void clear(Agent agent, Call used, int ahead) {
        int sequence = agent.block(PerBlock.SEQUENCE) + ahead;
        for (Region region : used.isTwoShot() ? List.of(Region.SCATTER, Region.GATHER) : List.of(Region.ONE_SHOT)) {
            for (int source = 0; source < launch.scenario().world(); source++) {
                for (int vector : launch.dealt(used.vectors())) {
                    for (int index : launch.words(vector)) {
                        int at = agent.slot(launch.rank(), region, sequence, source, index);
                        if (ahead > 0 || agent.read(at) != Token.SENTINEL) {
                            agent.store(at, Token.SENTINEL);
                        }
                    }
                }
            }
        }
    }

    /** A vector of the result, by a plain store. */
    private void output(int vector) {
        program.add(Step.local(
                "stores output " + vector,
                agent -> agent.store(
                        launch.layout().output(agent.process, vector),
                        Machine.numbered(launch.epoch(), agent.block(PerBlock.SEQUENCE)))));
    }

    private interface Place {
        boolean test(int source, int index);
    }

    private static boolean all(List<Integer> sources, List<Integer> indices, Place place) {
        for (int source : sources) {
            for (int index : indices) {
                if (!place.test(source, index)) {
                    return false;
                }
            }
        }
        return true;
    }
}
