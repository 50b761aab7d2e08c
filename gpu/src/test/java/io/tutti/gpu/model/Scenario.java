package io.tutti.gpu.model;

import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * What the ranks do, and what may go wrong. Everything is a bound: the checker explores all that it allows.
 *
 * @param blocks in each kernel's grid
 * @param warps in each block
 * @param words of a vector that arrive each by itself
 * @param calls of the first epoch, by rank
 * @param next calls of a second epoch, the same on all ranks; empty when there is none
 * @param stale whether rank 0 first replays a graph of the first epoch in the second
 * @param deadlines whether any wait of the first epoch may end by its deadline
 * @param aborts ranks whose host may abort the first epoch at any time
 * @param hostWordOnly whether such a host does abort, and by its own word alone, as when it reaches no pad
 * @param stops the rank whose process may be stopped and replaced, and go on later; -1 for none
 */
record Scenario(
        String name,
        int blocks,
        int warps,
        int words,
        List<List<Call>> calls,
        List<Call> next,
        boolean stale,
        boolean deadlines,
        Set<Integer> aborts,
        boolean hostWordOnly,
        int stops) {

    /** All ranks make the same calls, and nothing goes wrong. */
    static Scenario calm(String name, int world, Call... calls) {
        return of(name, Collections.nCopies(world, List.of(calls)));
    }

    /** Each rank its own calls. */
    static Scenario of(String name, List<List<Call>> calls) {
        return new Scenario(name, 1, 1, 1, calls, List.of(), false, false, Set.of(), false, -1);
    }

    Scenario grid(int newBlocks, int newWarps) {
        return new Scenario(
                name, newBlocks, newWarps, words, calls, next, stale, deadlines, aborts, hostWordOnly, stops);
    }

    Scenario wordsOfAVector(int count) {
        return new Scenario(name, blocks, warps, count, calls, next, stale, deadlines, aborts, hostWordOnly, stops);
    }

    Scenario deadlinesMayPass() {
        return new Scenario(name, blocks, warps, words, calls, next, stale, true, aborts, hostWordOnly, stops);
    }

    Scenario mayAbort(Integer... ranks) {
        return new Scenario(
                name, blocks, warps, words, calls, next, stale, deadlines, Set.of(ranks), hostWordOnly, stops);
    }

    /** A rank's host does abort, and reaches no pad. */
    Scenario abortsByTheHostWordOnly(int rank) {
        return new Scenario(name, blocks, warps, words, calls, next, stale, deadlines, Set.of(rank), true, stops);
    }

    Scenario thenAnotherEpoch(Call... nextCalls) {
        return new Scenario(
                name, blocks, warps, words, calls, List.of(nextCalls), stale, deadlines, aborts, hostWordOnly, stops);
    }

    /** A graph that was captured in the first epoch is replayed in the second. */
    Scenario withStaleReplay() {
        return new Scenario(name, blocks, warps, words, calls, next, true, deadlines, aborts, hostWordOnly, stops);
    }

    Scenario mayStop(int rank) {
        return new Scenario(name, blocks, warps, words, calls, next, stale, deadlines, aborts, hostWordOnly, rank);
    }

    int world() {
        return calls.size();
    }

    int threads() {
        return blocks * warps;
    }

    /** Ranks' processes; the replacement of one that stops is the last. */
    int processes() {
        return world() + (stops >= 0 ? 1 : 0);
    }

    int rankOf(int process) {
        return process < world() ? process : stops;
    }

    boolean isReplacement(int process) {
        return process >= world();
    }

    int epochs() {
        return next.isEmpty() ? 1 : 2;
    }

    boolean disagrees() {
        return calls.stream().distinct().count() > 1;
    }

    /** Whether every call must succeed on every rank. */
    boolean mustSucceed(int epoch) {
        return epoch > 1 || (!deadlines && aborts.isEmpty() && stops < 0 && !disagrees());
    }

    /** The call that a rank makes as its n-th of an epoch, counted from 1. */
    Call call(int epoch, int rank, int sequence) {
        return epoch == 1 ? calls.get(rank).get(sequence - 1) : next.get(sequence - 1);
    }

    int callsOf(int epoch, int rank) {
        return epoch == 1 ? calls.get(rank).size() : next.size();
    }

    int mostVectors() {
        int most = next.stream().mapToInt(Call::vectors).max().orElse(1);
        for (List<Call> own : calls) {
            most = Math.max(most, own.stream().mapToInt(Call::vectors).max().orElse(1));
        }
        return most;
    }

    @Override
    public String toString() {
        return name;
    }
}
