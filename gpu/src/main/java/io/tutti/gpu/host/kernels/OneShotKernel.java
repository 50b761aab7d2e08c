package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.HostKernel;
import io.tutti.gpu.host.KernelMemory;
import io.tutti.gpu.numerics.CanonicalRow;
import io.tutti.gpu.numerics.Fp32Rows;
import io.tutti.gpu.numerics.LamportSentinel;
import java.nio.ByteBuffer;

/**
 * {@link KernelAbi#FUSED_ONE_SHOT}: every rank pushes its whole partial to every peer, and adds all of them itself in
 * rank order. Tiles of whole tokens are pushed one ahead of the tile that is being awaited.
 */
final class OneShotKernel implements HostKernel {

    @Override
    public void run(KernelMemory memory, ByteBuffer params) {
        FusedCall fused = memory.scratch(FusedCall.class, FusedCall::new);
        if (!fused.enter(memory, params)) {
            return;
        }
        KernelCall call = fused.call;
        fused.oneShot.open(call, fused.tensorBytes());
        fused.scatter.open(call, 0);
        fused.gatherResidual.open(call, 0);
        fused.gatherSum.open(call, 0);
        int tileTokens = Math.max(1, FusedCall.TILE_WORDS / fused.rowWords);
        CallHeaders.push(call, fused.fingerprint);
        pushTile(fused, 0, tileTokens);
        // Everything that needs no peer is done while the peers' first stores are on their way.
        CallHeaders.clearRetired(call);
        StageSlots.clearRetired(call);
        fused.loadWeights(params);
        if (!CallHeaders.match(call, fused.fingerprint)) {
            return;
        }
        boolean shortWay = fused.shortWay() && fused.fp32.usable();
        for (long token = 0; token < fused.tokens; token++) {
            if (token % tileTokens == 0) {
                pushTile(fused, token + tileTokens, tileTokens);
            }
            if (!(shortWay ? reduceFp32(fused, token, tileTokens) : reduce(fused, token))) {
                return;
            }
        }
        call.succeed();
    }

    /** Pushes the tile that starts at {@code token}, if there is one. */
    private static void pushTile(FusedCall fused, long token, int tileTokens) {
        int tokens = (int) Math.min(tileTokens, fused.tokens - token);
        if (tokens <= 0) {
            return;
        }
        long at = token * fused.rowWords;
        int count = tokens * fused.rowWords;
        if (fused.shortWay()) {
            float[] tile = fused.fp32.ownTile(token, tileTokens);
            fused.partial.read(at, tile, 0, count);
            Fp32Rows.clearNegativeZero(tile, 0, count);
            fused.oneShot.pushToAll(fused.call, (int) at, tile, 0, count);
        } else {
            fused.partial.read(at, fused.words, 0, count);
            LamportSentinel.clearNegativeZero(fused.words, 0, count);
            fused.oneShot.pushToAll(fused.call, (int) at, fused.words, 0, count);
        }
    }

    private static boolean reduceFp32(FusedCall fused, long token, int tileTokens) {
        KernelCall call = fused.call;
        int hidden = fused.hidden;
        int at = (int) (token * hidden);
        float[] own = fused.fp32.ownTile(token, tileTokens);
        int ownAt = (int) (token % tileTokens) * hidden;
        float[] sum = fused.fp32.sum();
        for (int source = 0; source < call.world(); source++) {
            if (source == call.rank()) {
                if (source == 0) {
                    System.arraycopy(own, ownAt, sum, 0, hidden);
                } else {
                    Fp32Rows.add(sum, own, ownAt, hidden);
                }
                continue;
            }
            float[] target = source == 0 ? sum : fused.fp32.other();
            if (!fused.oneShot.await(call, source, at, target, 0, hidden, fused.fp32.scratch())) {
                return false;
            }
            if (source > 0) {
                Fp32Rows.add(sum, target, 0, hidden);
            }
        }
        return fused.fp32.finish(fused, token) || reduce(fused, token);
    }

    private static boolean reduce(FusedCall fused, long token) {
        KernelCall call = fused.call;
        CanonicalRow row = fused.row();
        int rowWords = fused.rowWords;
        int[] words = fused.words;
        long at = token * rowWords;
        row.start(fused.hidden);
        for (int source = 0; source < call.world(); source++) {
            if (source == call.rank()) {
                fused.partial.read(at, words, 0, rowWords);
            } else if (!fused.oneShot.await(call, source, (int) at, words, 0, rowWords, fused.moreWords)) {
                return false;
            }
            row.add(words, 0);
        }
        if (fused.sum) {
            row.round(words, 0);
            fused.sumOut.write(at, words, 0, rowWords);
        }
        if (fused.norm) {
            fused.residual.read(at, words, 0, rowWords);
            row.add(words, 0);
            row.round(words, 0);
            fused.residualOut.write(at, words, 0, rowWords);
            fused.normalise(token, words);
        }
        return true;
    }
}
