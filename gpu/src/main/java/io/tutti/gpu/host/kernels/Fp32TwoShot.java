package io.tutti.gpu.host.kernels;

import io.tutti.gpu.numerics.Fp32Rows;

/** The two steps of {@link TwoShotKernel} on the short way of {@link Fp32Tokens}. */
final class Fp32TwoShot {

    private Fp32TwoShot() {}

    /** What became of a tile. */
    enum Outcome {
        DONE,
        /** It may hold a NaN; nothing was written. */
        NOT_FINITE,
        /** The kernel has left. */
        LEFT
    }

    /** Reduces a block of the own slice, writes its new residual and lets peers read it. */
    static Outcome reduceTile(FusedCall fused, long at, int count) {
        KernelCall call = fused.call;
        Fp32Tokens fp32 = fused.fp32;
        if (!fp32.reduce(fused, 0, at, count, true)) {
            return Outcome.LEFT;
        }
        float[] sum = fp32.sum(0);
        if (!Fp32Rows.areFinite(sum, count, fp32.scratch())) {
            return Outcome.NOT_FINITE;
        }
        fused.results.store(call.rank(), at - fused.slices.start(call.rank()), sum, 0, count);
        fused.residualOut.write(at, sum, 0, count);
        return Outcome.DONE;
    }

    /**
     * Completes and normalises one token.
     *
     * @return false when the kernel has left
     */
    static boolean collectToken(FusedCall fused, long token) {
        long start = token * fused.rowWords;
        for (int block = 0; block < Fp32Tokens.blocks(fused.hidden); block++) {
            long at = start + (long) block * Fp32Tokens.BLOCK;
            long end = at + Fp32Tokens.count(block, fused.hidden);
            if (!collectBlock(fused, at, end, fused.fp32.sum(block))) {
                return false;
            }
        }
        if (!fused.fp32.normalise(fused, token, false)) {
            fused.residualOut.read(start, fused.words, 0, fused.rowWords);
            fused.normalise(token, fused.words);
        }
        return true;
    }

    /** Completes a block of the new residual from the slices that cover it. */
    private static boolean collectBlock(FusedCall fused, long start, long end, float[] block) {
        KernelCall call = fused.call;
        float[] part = fused.fp32.other();
        for (long at = start; at < end; ) {
            int owner = fused.slices.owner(at);
            long sliceStart = fused.slices.start(owner);
            int count = (int) (Math.min(end, fused.slices.end(owner)) - at);
            if (owner == call.rank()) {
                fused.residualOut.read(at, part, 0, count);
            } else {
                if (!fused.partials.progress.await(call, owner, CallProgress.RESULT, at + count - sliceStart)) {
                    return false;
                }
                fused.results.load(owner, at - sliceStart, part, 0, count);
                fused.residualOut.write(at, part, 0, count);
            }
            System.arraycopy(part, 0, block, (int) (at - start), count);
            at += count;
        }
        return true;
    }
}
