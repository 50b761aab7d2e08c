package io.tutti.gpu.host.kernels;

import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.numerics.CanonicalRow;
import io.tutti.gpu.workspace.StageRegion;
import java.nio.ByteBuffer;

/**
 * Every rank reads the whole partial of every peer, and adds all of them itself in rank order. Where peers cannot read it in
 * place, a token is copied to the stage before the one ahead of it is reduced.
 */
final class OneShotKernel implements HostKernel {

    @Override
    public void run(KernelMemory memory, ByteBuffer params) {
        FusedCall fused = memory.scratch(FusedCall.class, FusedCall::new);
        if (!fused.enter(memory, params)) {
            return;
        }
        KernelCall call = fused.call;
        fused.partials.open(call, StageRegion.ONE_SHOT, fused.partialAddress, fused.tensorBytes());
        CallHeaders.push(call, fused.fingerprint);
        store(fused, 0);
        // Everything that needs no peer is done while the peers' headers are on their way.
        CallHeaders.clearRetired(call);
        fused.loadWeights(params);
        if (CallHeaders.match(call, fused.fingerprint)
                && fused.partials.find(call)
                && reduceAll(fused)
                && fused.partials.finish(call)) {
            call.succeed();
        }
    }

    private static boolean reduceAll(FusedCall fused) {
        boolean shortWay = fused.shortWay() && fused.fp32.usable();
        for (long token = 0; token < fused.tokens; token++) {
            if (shortWay) {
                if (!Fp32OneShot.reduce(fused, token)) {
                    return false;
                }
                continue;
            }
            store(fused, token + 1);
            if (!reduce(fused, token)) {
                return false;
            }
        }
        fused.partials.release(fused.call);
        return true;
    }

    /** Copies a token to the stage, if there is one and peers do not read it in place. */
    private static void store(FusedCall fused, long token) {
        if (token < fused.tokens && !fused.partials.inPlace()) {
            long at = token * fused.rowWords;
            fused.partial.read(at, fused.words, 0, fused.rowWords);
            fused.partials.store(fused.call, at, fused.words, fused.rowWords);
            fused.partials.publish(fused.call, at + fused.rowWords);
        }
    }

    /** Reduces a token whatever its values. */
    static boolean reduce(FusedCall fused, long token) {
        KernelCall call = fused.call;
        CanonicalRow row = fused.row();
        int rowWords = fused.rowWords;
        int[] words = fused.words;
        long at = token * rowWords;
        row.start(fused.hidden);
        for (int source = 0; source < call.world(); source++) {
            if (source == call.rank()) {
                fused.partial.read(at, words, 0, rowWords);
            } else if (fused.partials.await(call, source, at + rowWords)) {
                fused.partials.load(source, at, words, rowWords);
            } else {
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
