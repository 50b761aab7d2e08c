package io.tutti.gpu.host.kernels;

import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.numerics.CanonicalRow;
import io.tutti.gpu.numerics.LamportSentinel;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.ByteBuffer;

/**
 * Every rank reduces one slice of the launch and pushes the rounded slice to every
 * peer; then every rank normalises all tokens from the rounded residual. A slice is whole vectors of 8 elements and does
 * not care about tokens.
 */
final class TwoShotKernel implements HostKernel {

    @Override
    public void run(KernelMemory memory, ByteBuffer params) {
        FusedCall fused = memory.scratch(FusedCall.class, FusedCall::new);
        if (!fused.enter(memory, params)) {
            return;
        }
        KernelCall call = fused.call;
        long words = fused.tokens * fused.rowWords;
        long sliceWords = sliceWords(fused);
        fused.oneShot.open(call, 0);
        fused.scatter.open(call, sliceWords * Integer.BYTES);
        fused.gatherResidual.open(call, fused.norm ? sliceWords * Integer.BYTES : 0);
        fused.gatherSum.open(call, fused.sum ? sliceWords * Integer.BYTES : 0);
        CallHeaders.push(call, fused.fingerprint);
        scatter(fused, words, sliceWords);
        CallHeaders.clearRetired(call);
        fused.clearer.start(call);
        fused.loadWeights(params);
        if (CallHeaders.match(call, fused.fingerprint)
                && reduceOwnSlice(fused, words, sliceWords)
                && (!fused.sum || collectSum(fused, words, sliceWords))
                && (!fused.norm || collectTokens(fused, sliceWords))) {
            fused.clearer.finish();
            call.succeed();
        }
    }

    /** Words of every slice but the last ones, which may be shorter or empty. */
    private static long sliceWords(FusedCall fused) {
        long vectors = fused.tokens * (fused.hidden / WorkspaceLayout.VECTOR_ELEMENTS);
        int world = fused.call.world();
        int vectorWords = WorkspaceLayout.VECTOR_ELEMENTS * fused.elementBytes / Integer.BYTES;
        return (vectors + world - 1) / world * vectorWords;
    }

    private static void scatter(FusedCall fused, long words, long sliceWords) {
        int world = fused.call.world();
        int rank = fused.call.rank();
        int[] tile = fused.words;
        for (int step = 1; step < world; step++) {
            int owner = (rank + step) % world;
            long start = owner * sliceWords;
            long end = Math.min(words, start + sliceWords);
            for (long at = start; at < end; at += FusedCall.TILE_WORDS) {
                int count = (int) Math.min(FusedCall.TILE_WORDS, end - at);
                fused.partial.read(at, tile, 0, count);
                LamportSentinel.clearNegativeZero(tile, 0, count);
                fused.scatter.push(owner, (int) (at - start), tile, 0, count);
            }
        }
    }

    private static boolean reduceOwnSlice(FusedCall fused, long words, long sliceWords) {
        boolean shortWay = fused.shortWay() && fused.fp32.usable();
        int tileWords = shortWay ? Fp32Tokens.BLOCK : FusedCall.TILE_WORDS;
        long start = fused.call.rank() * sliceWords;
        long end = Math.min(words, start + sliceWords);
        for (long at = start; at < end; at += tileWords) {
            int count = (int) Math.min(tileWords, end - at);
            Fp32TwoShot.Outcome outcome = shortWay
                    ? Fp32TwoShot.reduceTile(fused, at, (int) (at - start), count)
                    : Fp32TwoShot.Outcome.NOT_FINITE;
            if (outcome == Fp32TwoShot.Outcome.LEFT
                    || (outcome == Fp32TwoShot.Outcome.NOT_FINITE
                            && !reduceTile(fused, at, (int) (at - start), count))) {
                return false;
            }
        }
        return true;
    }

    private static boolean reduceTile(FusedCall fused, long at, int offset, int count) {
        KernelCall call = fused.call;
        CanonicalRow row = fused.row();
        int[] words = fused.words;
        row.start(count * Integer.BYTES / fused.elementBytes);
        for (int source = 0; source < call.world(); source++) {
            if (source == call.rank()) {
                fused.partial.read(at, words, 0, count);
            } else if (!fused.scatter.await(call, source, offset, words, count, fused.moreWords)) {
                return false;
            }
            row.add(words, 0);
        }
        if (fused.sum) {
            row.round(words, 0);
            fused.gatherSum.pushToAll(call, offset, words, 0, count);
            fused.sumOut.write(at, words, 0, count);
        }
        if (fused.norm) {
            fused.residual.read(at, words, 0, count);
            row.add(words, 0);
            row.round(words, 0);
            fused.gatherResidual.pushToAll(call, offset, words, 0, count);
            fused.residualOut.write(at, words, 0, count);
        }
        return true;
    }

    private static boolean collectSum(FusedCall fused, long words, long sliceWords) {
        KernelCall call = fused.call;
        for (int step = 1; step < call.world(); step++) {
            int owner = (call.rank() + step) % call.world();
            long start = owner * sliceWords;
            long end = Math.min(words, start + sliceWords);
            for (long at = start; at < end; at += FusedCall.TILE_WORDS) {
                int count = (int) Math.min(FusedCall.TILE_WORDS, end - at);
                if (!fused.gatherSum.await(call, owner, (int) (at - start), fused.words, count, fused.moreWords)) {
                    return false;
                }
                fused.sumOut.write(at, fused.words, 0, count);
            }
        }
        return true;
    }

    private static boolean collectTokens(FusedCall fused, long sliceWords) {
        boolean shortWay = fused.shortWay() && fused.fp32.usable();
        for (long token = 0; token < fused.tokens; token++) {
            if (!(shortWay
                    ? Fp32TwoShot.collectToken(fused, token, sliceWords)
                    : collectToken(fused, token, sliceWords))) {
                return false;
            }
        }
        return true;
    }

    /** Completes one token of the new residual from the slices that cover it, and normalises it. */
    private static boolean collectToken(FusedCall fused, long token, long sliceWords) {
        KernelCall call = fused.call;
        int[] words = fused.words;
        int[] part = fused.partWords;
        long start = token * fused.rowWords;
        long end = start + fused.rowWords;
        for (long at = start; at < end; ) {
            int owner = (int) (at / sliceWords);
            long sliceStart = owner * sliceWords;
            int count = (int) (Math.min(end, sliceStart + sliceWords) - at);
            int to = (int) (at - start);
            if (owner == call.rank()) {
                fused.residualOut.read(at, words, to, count);
            } else {
                int offset = (int) (at - sliceStart);
                if (!fused.gatherResidual.await(call, owner, offset, part, count, fused.moreWords)) {
                    return false;
                }
                System.arraycopy(part, 0, words, to, count);
                fused.residualOut.write(at, part, 0, count);
            }
            at += count;
        }
        fused.normalise(token, words);
        return true;
    }
}
