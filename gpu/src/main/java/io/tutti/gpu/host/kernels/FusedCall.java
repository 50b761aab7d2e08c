package io.tutti.gpu.host.kernels;

import io.tutti.gpu.DType;
import io.tutti.gpu.abi.FusedParams;
import io.tutti.gpu.host.execution.KernelMemory;
import io.tutti.gpu.numerics.CanonicalRow;
import io.tutti.gpu.numerics.FloatingPointSelfTest;
import io.tutti.gpu.workspace.StageRegion;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run of a fused kernel with its tensors and scratch. One per stream, reused from call to call, so a call leaves no
 * garbage.
 */
final class FusedCall {

    /** Words that are copied and reduced at a time: small enough for the second-level cache, large enough to be bulk. */
    static final int TILE_WORDS = 8192;

    private static final DType[] DTYPES = DType.values();

    final KernelCall call = new KernelCall();
    final Partials partials = new Partials();
    final Slices slices = new Slices();
    final PulledRow results = new PulledRow(StageRegion.GATHER_RESIDUAL);
    final PulledRow sums = new PulledRow(StageRegion.GATHER_SUM);
    final TensorWindow partial = new TensorWindow();
    final TensorWindow residual = new TensorWindow();
    final TensorWindow normOut = new TensorWindow();
    final TensorWindow residualOut = new TensorWindow();
    final TensorWindow sumOut = new TensorWindow();

    /** Scratch of at least a tile and at least a row. */
    int[] words = new int[TILE_WORDS];

    int[] moreWords = new int[TILE_WORDS];
    int[] partWords = new int[TILE_WORDS];

    long tokens;
    int hidden;
    int rowWords;
    int elementBytes;
    boolean norm;
    boolean sum;
    long fingerprint;
    long partialAddress;
    private float eps;
    private int biasBits;
    private boolean isFp32;
    private boolean bitsLoaded;
    final TensorWindow gamma = new TensorWindow();
    final Fp32Tokens fp32 = new Fp32Tokens();
    private final @Nullable CanonicalRow[] rows = new CanonicalRow[DTYPES.length];
    private final int[] rowCapacity = new int[DTYPES.length];
    private @Nullable CanonicalRow row;

    /** Made once on each stream's thread, so this is also where that thread's arithmetic is put to the test. */
    FusedCall() {
        if (FloatingPointSelfTest.check() instanceof FloatingPointSelfTest.Unsound unsound) {
            throw new IllegalStateException(
                    "this thread's floating-point arithmetic is not IEEE's, and results would differ between ranks: "
                            + unsound.findings());
        }
    }

    /**
     * Enters the kernel, takes its sequence number and opens its tensors.
     *
     * @return false when the kernel has already left
     */
    boolean enter(KernelMemory memory, ByteBuffer params) {
        if (!call.enter(memory, params)) {
            return false;
        }
        call.beginSequence();
        DType dtype = DTYPES[params.getInt(FusedParams.DTYPE)];
        int flags = params.getInt(FusedParams.FLAGS);
        tokens = params.getLong(FusedParams.TOKENS);
        hidden = (int) params.getLong(FusedParams.HIDDEN);
        isFp32 = dtype == DType.FP32;
        elementBytes = dtype.bytes();
        rowWords = hidden * elementBytes / Integer.BYTES;
        norm = (flags & FusedParams.FLAG_NORM) != 0;
        sum = (flags & FusedParams.FLAG_SUM) != 0;
        fingerprint = params.getLong(FusedParams.FINGERPRINT);
        eps = Float.intBitsToFloat(params.getInt(FusedParams.EPS_BITS));
        prepareScratch(dtype);
        openTensors(memory, params);
        return true;
    }

    /** Bytes of the whole launch's tensor. */
    long tensorBytes() {
        return tokens * hidden * elementBytes;
    }

    CanonicalRow row() {
        return Objects.requireNonNull(row);
    }

    /** Takes the weights; only where there is a norm, and any time before the first {@link #normalise}. */
    void loadWeights(ByteBuffer params) {
        bitsLoaded = false;
        if (shortWay()) {
            fp32.load(this, params);
        }
        biasBits = params.getInt(FusedParams.BIAS_BITS);
    }

    /** Whether tokens may go the short way; their weights decide it in the end. */
    boolean shortWay() {
        return isFp32 && norm && !sum;
    }

    private void loadGeneralWeights() {
        if (!bitsLoaded) {
            bitsLoaded = true;
            gamma.read(0, moreWords, 0, rowWords);
            row().weights(moreWords, 0, hidden, Float.intBitsToFloat(biasBits));
        }
    }

    /** Writes the norm of a token whose rounded residual is at the start of {@code residualWords}. */
    void normalise(long token, int[] residualWords) {
        loadGeneralWeights();
        row().norm(residualWords, 0, eps, moreWords, 0);
        normOut.write(token * rowWords, moreWords, 0, rowWords);
    }

    private void prepareScratch(DType dtype) {
        int needed = Math.max(rowWords, TILE_WORDS);
        if (words.length < needed) {
            words = new int[needed];
            moreWords = new int[needed];
            partWords = new int[needed];
        }
        if (shortWay()) {
            fp32.reserve(hidden);
        }
        int type = dtype.ordinal();
        int elements = Math.max(hidden, TILE_WORDS * Integer.BYTES / elementBytes);
        if (rowCapacity[type] < elements) {
            rows[type] = new CanonicalRow(dtype, elements);
            rowCapacity[type] = elements;
        }
        row = rows[type];
    }

    private void openTensors(KernelMemory memory, ByteBuffer params) {
        long bytes = tensorBytes();
        partialAddress = params.getLong(FusedParams.PARTIAL);
        partial.open(memory, partialAddress, bytes);
        if (norm) {
            residual.open(memory, params.getLong(FusedParams.RESIDUAL), bytes);
            gamma.open(memory, params.getLong(FusedParams.GAMMA), (long) rowWords * Integer.BYTES);
            normOut.open(memory, params.getLong(FusedParams.NORM_OUT), bytes);
            residualOut.open(memory, params.getLong(FusedParams.RESIDUAL_OUT), bytes);
        }
        if (sum) {
            sumOut.open(memory, params.getLong(FusedParams.SUM_OUT), bytes);
        }
    }
}
