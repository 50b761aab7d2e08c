package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.HostKernel;
import io.tutti.gpu.host.KernelMemory;
import io.tutti.gpu.numerics.CanonicalRow;
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
        for (long token = 0; token < fused.tokens; token++) {
            if (token % tileTokens == 0) {
                pushTile(fused, token + tileTokens, tileTokens);
            }
            if (!reduceToken(fused, token, tileTokens)) {
                return;
            }
        }
        call.succeed();
    }

    /** Reads the tile that starts at {@code token} into its half of the double buffer and pushes it, if there is one. */
    private static void pushTile(FusedCall fused, long token, int tileTokens) {
        int tokens = (int) Math.min(tileTokens, fused.tokens - token);
        if (tokens <= 0) {
            return;
        }
        int[] tile = fused.ownTiles[(int) (token / tileTokens & 1)];
        int count = tokens * fused.rowWords;
        fused.partial.read(token * fused.rowWords, tile, 0, count);
        LamportSentinel.clearNegativeZero(tile, 0, count);
        fused.oneShot.pushToAll(fused.call, (int) (token * fused.rowWords), tile, 0, count);
    }

    private static boolean reduceToken(FusedCall fused, long token, int tileTokens) {
        KernelCall call = fused.call;
        CanonicalRow row = fused.row();
        int rowWords = fused.rowWords;
        int[] words = fused.words;
        row.start(fused.hidden);
        for (int source = 0; source < call.world(); source++) {
            if (source == call.rank()) {
                row.add(fused.ownTiles[(int) (token / tileTokens & 1)], (int) (token % tileTokens) * rowWords);
            } else if (fused.oneShot.await(call, source, (int) (token * rowWords), words, 0, rowWords)) {
                row.add(words, 0);
            } else {
                return false;
            }
        }
        long at = token * rowWords;
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
