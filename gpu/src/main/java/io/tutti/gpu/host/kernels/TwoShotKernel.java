package io.tutti.gpu.host.kernels;

import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.numerics.CanonicalRow;
import io.tutti.gpu.workspace.StageRegion;
import java.nio.ByteBuffer;

/**
 * Every rank reduces one slice of the launch and lets its peers read the rounded slice; then every rank normalises all
 * tokens. A slice is whole vectors of 8 elements and does not care about tokens.
 */
final class TwoShotKernel implements HostKernel {

    @Override
    public void run(KernelMemory memory, ByteBuffer params) {
        FusedCall fused = memory.scratch(FusedCall.class, FusedCall::new);
        if (!fused.enter(memory, params)) {
            return;
        }
        KernelCall call = fused.call;
        Slices slices = fused.slices;
        slices.cut(fused);
        fused.partials.open(call, StageRegion.SCATTER, fused.partialAddress, fused.tensorBytes());
        if (fused.norm) {
            fused.results.open(call, slices.bytes());
        }
        if (fused.sum) {
            fused.sums.open(call, slices.bytes());
        }
        CallHeaders.push(call, fused.fingerprint);
        scatter(fused);
        CallHeaders.clearRetired(call);
        fused.loadWeights(params);
        if (CallHeaders.match(call, fused.fingerprint)
                && fused.partials.find(call)
                && reduceOwnSlice(fused)
                && (!fused.sum || collectSum(fused))
                && (!fused.norm || collectTokens(fused))
                && fused.partials.finish(call)) {
            call.succeed();
        }
    }

    /** Copies the peers' slices of the own partial to the stage, unless peers read them in place. */
    private static void scatter(FusedCall fused) {
        Slices slices = fused.slices;
        int[] tile = fused.words;
        for (int step = 1; !fused.partials.inPlace() && step < fused.call.world(); step++) {
            int owner = (fused.call.rank() + step) % fused.call.world();
            long end = slices.end(owner);
            for (long at = slices.start(owner); at < end; at += FusedCall.TILE_WORDS) {
                int count = (int) Math.min(FusedCall.TILE_WORDS, end - at);
                fused.partial.read(at, tile, 0, count);
                fused.partials.store(fused.call, at, tile, count);
                fused.partials.publish(fused.call, slices.published(step, at + count));
            }
        }
    }

    private static boolean reduceOwnSlice(FusedCall fused) {
        KernelCall call = fused.call;
        boolean shortWay = fused.shortWay() && fused.fp32.usable();
        int tileWords = shortWay ? Fp32Tokens.BLOCK : FusedCall.TILE_WORDS;
        long start = fused.slices.start(call.rank());
        long end = fused.slices.end(call.rank());
        for (long at = start; at < end; at += tileWords) {
            int count = (int) Math.min(tileWords, end - at);
            Fp32TwoShot.Outcome outcome =
                    shortWay ? Fp32TwoShot.reduceTile(fused, at, count) : Fp32TwoShot.Outcome.NOT_FINITE;
            if (outcome == Fp32TwoShot.Outcome.LEFT
                    || (outcome == Fp32TwoShot.Outcome.NOT_FINITE && !reduceTile(fused, at, count))) {
                return false;
            }
            CallProgress.publish(call, CallProgress.RESULT, at + count - start);
        }
        fused.partials.release(call);
        return true;
    }

    private static boolean reduceTile(FusedCall fused, long at, int count) {
        KernelCall call = fused.call;
        CanonicalRow row = fused.row();
        int[] words = fused.words;
        int offset = (int) (at - fused.slices.start(call.rank()));
        row.start(count * Integer.BYTES / fused.elementBytes);
        for (int source = 0; source < call.world(); source++) {
            if (source == call.rank()) {
                fused.partial.read(at, words, 0, count);
            } else if (fused.partials.await(call, source, fused.slices.published(call, source, at + count))) {
                fused.partials.load(source, at, words, count);
            } else {
                return false;
            }
            row.add(words, 0);
        }
        if (fused.sum) {
            row.round(words, 0);
            fused.sums.store(call.rank(), offset, words, 0, count);
            fused.sumOut.write(at, words, 0, count);
        }
        if (fused.norm) {
            fused.residual.read(at, words, 0, count);
            row.add(words, 0);
            row.round(words, 0);
            fused.results.store(call.rank(), offset, words, 0, count);
            fused.residualOut.write(at, words, 0, count);
        }
        return true;
    }

    private static boolean collectSum(FusedCall fused) {
        KernelCall call = fused.call;
        for (int step = 1; step < call.world(); step++) {
            int owner = (call.rank() + step) % call.world();
            long start = fused.slices.start(owner);
            long end = fused.slices.end(owner);
            for (long at = start; at < end; at += FusedCall.TILE_WORDS) {
                int count = (int) Math.min(FusedCall.TILE_WORDS, end - at);
                if (!fused.partials.progress.await(call, owner, CallProgress.RESULT, at + count - start)) {
                    return false;
                }
                fused.sums.load(owner, at - start, fused.words, 0, count);
                fused.sumOut.write(at, fused.words, 0, count);
            }
        }
        return true;
    }

    private static boolean collectTokens(FusedCall fused) {
        boolean shortWay = fused.shortWay() && fused.fp32.usable();
        for (long token = 0; token < fused.tokens; token++) {
            if (!(shortWay ? Fp32TwoShot.collectToken(fused, token) : collectToken(fused, token))) {
                return false;
            }
        }
        return true;
    }

    /** Completes one token of the new residual from the slices that cover it, and normalises it. */
    private static boolean collectToken(FusedCall fused, long token) {
        KernelCall call = fused.call;
        int[] words = fused.words;
        int[] part = fused.partWords;
        long start = token * fused.rowWords;
        long end = start + fused.rowWords;
        for (long at = start; at < end; ) {
            int owner = fused.slices.owner(at);
            long sliceStart = fused.slices.start(owner);
            int count = (int) (Math.min(end, fused.slices.end(owner)) - at);
            int to = (int) (at - start);
            if (owner == call.rank()) {
                fused.residualOut.read(at, words, to, count);
            } else {
                if (!fused.partials.progress.await(call, owner, CallProgress.RESULT, at + count - sliceStart)) {
                    return false;
                }
                fused.results.load(owner, at - sliceStart, part, 0, count);
                System.arraycopy(part, 0, words, to, count);
                fused.residualOut.write(at, part, 0, count);
            }
            at += count;
        }
        fused.normalise(token, words);
        return true;
    }
}
