package io.tutti.gpu.op;

import io.tutti.gpu.Algorithm;

/**
 * How one call becomes launches: consecutive chunks of tokens, all of one algorithm, each its own launch with its own
 * sequence number.
 *
 * @param algorithm what every launch uses
 * @param chunkTokens tokens of every launch but the last, which may have fewer
 * @param launches how many
 */
public record LaunchPlan(Algorithm algorithm, long chunkTokens, int launches) {

    /** First token of a launch. */
    public long firstToken(int launch) {
        return chunkTokens * launch;
    }

    /** Tokens of a launch of a call of {@code tokens} tokens. */
    public long tokens(int launch, long tokens) {
        return Math.min(chunkTokens, tokens - firstToken(launch));
    }
}
