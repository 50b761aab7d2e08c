package io.tutti.gpu.host.kernels;

import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.numerics.CanonicalRow;
import io.tutti.gpu.numerics.LamportSentinel;
import java.nio.ByteBuffer;

/**
 * Every rank pushes its whole partial to every peer, and adds all of them itself in
 * rank order. A token is pushed before the one ahead of it is awaited.
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
        CallHeaders.push(call, fused.fingerprint);
        if (fused.shortWay()) {
            Fp32OneShot.push(fused, 0);
        } else {
            push(fused, 0);
        }
        // Everything that needs no peer is done while the peers' first stores are on their way.
        CallHeaders.clearRetired(call);
        fused.clearer.start(call);
        fused.loadWeights(params);
        if (CallHeaders.match(call, fused.fingerprint) && reduceAll(fused)) {
            fused.clearer.finish();
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
            push(fused, token + 1);
            fused.clearer.step(fused.rowWords);
            if (!reduce(fused, token)) {
                return false;
            }
        }
        return true;
    }

    /** Pushes a token, if there is one. */
    private static void push(FusedCall fused, long token) {
        if (token < fused.tokens) {
            long at = token * fused.rowWords;
            fused.partial.read(at, fused.words, 0, fused.rowWords);
            LamportSentinel.clearNegativeZero(fused.words, 0, fused.rowWords);
            fused.oneShot.pushToAll(fused.call, (int) at, fused.words, 0, fused.rowWords);
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
            } else if (!fused.oneShot.await(call, source, (int) at, words, rowWords, fused.moreWords)) {
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
