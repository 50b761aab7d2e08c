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

    /** Reduces a block of the own slice, writes its new residual and pushes it to every peer. */
    static Outcome reduceTile(FusedCall fused, long at, int offset, int count) {
        KernelCall call = fused.call;
        Fp32Tokens fp32 = fused.fp32;
        float[] sum = fp32.sum(0);
        for (int source = 0; source < call.world(); source++) {
            float[] target = source == 0 ? sum : fp32.other();
            if (source == call.rank()) {
                fused.partial.read(at, target, 0, count);
            } else if (!fused.scatter.await(call, source, offset, target, count, fp32.scratch())) {
                return Outcome.LEFT;
            }
            if (source == 0) {
                Fp32Rows.clearNegativeZero(sum, count);
            } else {
                Fp32Rows.add(sum, target, count);
            }
        }
        fp32.addResidual(fused, 0, at, count);
        if (!Fp32Rows.areFinite(sum, count, fp32.scratch())) {
            return Outcome.NOT_FINITE;
        }
        fused.gatherResidual.pushToAll(call, offset, sum, 0, count);
        fused.residualOut.write(at, sum, 0, count);
        return Outcome.DONE;
    }

    /**
     * Completes and normalises one token.
     *
     * @return false when the kernel has left
     */
    static boolean collectToken(FusedCall fused, long token, long sliceWords) {
        long start = token * fused.rowWords;
        for (int block = 0; block < Fp32Tokens.blocks(fused.hidden); block++) {
            long at = start + (long) block * Fp32Tokens.BLOCK;
            long end = at + Fp32Tokens.count(block, fused.hidden);
            fused.clearer.step(Fp32Tokens.BLOCK);
            if (!collectBlock(fused, at, end, fused.fp32.sum(block), sliceWords)) {
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
    private static boolean collectBlock(FusedCall fused, long start, long end, float[] block, long sliceWords) {
        KernelCall call = fused.call;
        float[] part = fused.fp32.other();
        for (long at = start; at < end; ) {
            int owner = (int) (at / sliceWords);
            long sliceStart = owner * sliceWords;
            int count = (int) (Math.min(end, sliceStart + sliceWords) - at);
            if (owner == call.rank()) {
                fused.residualOut.read(at, part, 0, count);
            } else {
                int offset = (int) (at - sliceStart);
                if (!fused.gatherResidual.await(call, owner, offset, part, count, fused.fp32.scratch())) {
                    return false;
                }
                fused.residualOut.write(at, part, 0, count);
            }
            System.arraycopy(part, 0, block, (int) (at - start), count);
            at += count;
        }
        return true;
    }
}
