package io.tutti.gpu.host.kernels;

/** The tokens of {@link OneShotKernel} on the short way of {@link Fp32Tokens}, block by block. */
final class Fp32OneShot {

    private Fp32OneShot() {}

    /**
     * Reduces one token. The one after it is copied to the stage meanwhile, where peers do not read it in place; the first
     * is there already.
     *
     * @return false when the kernel has left
     */
    static boolean reduce(FusedCall fused, long token) {
        boolean store = token + 1 < fused.tokens && !fused.partials.inPlace();
        for (int block = 0; block < Fp32Tokens.blocks(fused.hidden); block++) {
            if (store) {
                store(fused, token + 1, block);
            }
            if (!reduce(fused, token, block)) {
                return false;
            }
        }
        return fused.fp32.normalise(fused, token, true) || OneShotKernel.reduce(fused, token);
    }

    private static void store(FusedCall fused, long token, int block) {
        int count = Fp32Tokens.count(block, fused.hidden);
        long at = token * fused.hidden + (long) block * Fp32Tokens.BLOCK;
        float[] values = fused.fp32.other();
        fused.partial.read(at, values, 0, count);
        fused.partials.store(fused.call, at, values, count);
        fused.partials.publish(fused.call, at + count);
    }

    private static boolean reduce(FusedCall fused, long token, int block) {
        int count = Fp32Tokens.count(block, fused.hidden);
        long at = token * fused.hidden + (long) block * Fp32Tokens.BLOCK;
        return fused.fp32.reduce(fused, block, at, count, false);
    }
}
