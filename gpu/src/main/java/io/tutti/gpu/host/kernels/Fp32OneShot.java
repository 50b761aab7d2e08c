package io.tutti.gpu.host.kernels;

import io.tutti.gpu.numerics.Fp32Rows;

/**
 * The tokens of {@link OneShotKernel} on the short way of {@link Fp32Tokens}. Each block of the next token is pushed just
 * before the same block of the current one is reduced: the processor goes on computing while its stores wait for cache
 * lines that the peer had.
 */
final class Fp32OneShot {

    private Fp32OneShot() {}

    /** Pushes a whole token. */
    static void push(FusedCall fused, long token) {
        for (int block = 0; block < Fp32Tokens.blocks(fused.hidden); block++) {
            push(fused, token, block);
        }
    }

    /**
     * Reduces one token and pushes the one after it.
     *
     * @return false when the kernel has left
     */
    static boolean reduce(FusedCall fused, long token) {
        boolean more = token + 1 < fused.tokens;
        for (int block = 0; block < Fp32Tokens.blocks(fused.hidden); block++) {
            if (more) {
                push(fused, token + 1, block);
            }
            fused.clearer.step(Fp32Tokens.BLOCK);
            if (!reduce(fused, token, block)) {
                return false;
            }
        }
        return fused.fp32.normalise(fused, token, true) || OneShotKernel.reduce(fused, token);
    }

    private static void push(FusedCall fused, long token, int block) {
        int count = Fp32Tokens.count(block, fused.hidden);
        long at = token * fused.hidden + (long) block * Fp32Tokens.BLOCK;
        float[] values = fused.fp32.own(token, block);
        fused.partial.read(at, values, 0, count);
        Fp32Rows.clearNegativeZero(values, count);
        fused.oneShot.pushToAll(fused.call, (int) at, values, 0, count);
    }

    private static boolean reduce(FusedCall fused, long token, int block) {
        KernelCall call = fused.call;
        Fp32Tokens fp32 = fused.fp32;
        int count = Fp32Tokens.count(block, fused.hidden);
        long at = token * fused.hidden + (long) block * Fp32Tokens.BLOCK;
        float[] sum = fp32.sum(block);
        for (int source = 0; source < call.world(); source++) {
            float[] values = source == call.rank() ? fp32.own(token, block) : source == 0 ? sum : fp32.other();
            if (source != call.rank() && !fused.oneShot.await(call, source, (int) at, values, count, fp32.scratch())) {
                return false;
            }
            // No pushed partial and not the own one holds a −0.0, so rank 0's is the sum that began with +0.0.
            if (source > 0) {
                Fp32Rows.add(sum, values, count);
            } else if (source == call.rank()) {
                System.arraycopy(values, 0, sum, 0, count);
            }
        }
        fp32.addResidual(fused, block, at, count);
        return true;
    }
}
