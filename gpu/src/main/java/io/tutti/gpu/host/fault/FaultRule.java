package io.tutti.gpu.host.fault;

import io.tutti.gpu.driver.CuResult;
import java.util.OptionalInt;

/**
 * One call that is to fail.
 *
 * @param call which call
 * @param result what it answers; never {@link CuResult#CUDA_SUCCESS}
 * @param rank the rank it fails for; empty for every rank
 * @param times how often, counted for each rank; empty for always
 */
public record FaultRule(DriverCall call, CuResult result, OptionalInt rank, OptionalInt times) {

    public FaultRule {
        if (result == CuResult.CUDA_SUCCESS) {
            throw new IllegalArgumentException("a fault is not a success: call=" + call);
        }
        if (rank.isPresent() && rank.getAsInt() < 0) {
            throw new IllegalArgumentException("ranks start at 0: rank=" + rank.getAsInt());
        }
        if (times.isPresent() && times.getAsInt() < 1) {
            throw new IllegalArgumentException("a rule applies at least once: times=" + times.getAsInt());
        }
    }

    /** The text form, for example {@code rank=2 call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1}. */
    @Override
    public String toString() {
        String who = rank.isPresent() ? "rank=" + rank.getAsInt() + " " : "";
        String howOften = times.isPresent() ? " times=" + times.getAsInt() : "";
        return who + "call=" + call + " result=" + result + howOften;
    }

    boolean appliesTo(int actingRank) {
        return rank.isEmpty() || rank.getAsInt() == actingRank;
    }
}
