package io.tutti.gpu.op;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;

/**
 * Everything about a collective call that all ranks must agree on. Its fingerprint travels in every call's header;
 * the descriptor itself travels only in error reports, so that a mismatch names both calls.
 *
 * @param sequence the launch's number in its epoch, from 1
 * @param tokens rows of the whole call, of which the launch may carry a part
 * @param hidden elements of a row
 * @param dtype type of the tensors
 * @param epilogue what follows the sum
 * @param algorithm how the sum travels
 * @param epsBits the float bits of eps
 * @param biasBits the float bits of the weight bias
 * @param plainSum whether the plain sum is an output too
 * @param tag the caller's own mark, 0 by default
 */
public record CallDescriptor(
        long sequence,
        long tokens,
        long hidden,
        DType dtype,
        Epilogue epilogue,
        Algorithm algorithm,
        int epsBits,
        int biasBits,
        boolean plainSum,
        long tag) {

    /** The call as a person would write it. */
    public String describe() {
        return "call " + sequence + ": " + epilogue.wireName() + " [" + tokens + " × " + hidden + "] "
                + dtype.wireName()
                + " eps=" + Float.intBitsToFloat(epsBits) + " bias=" + Float.intBitsToFloat(biasBits) + " "
                + algorithm.wireName() + (plainSum ? " with plain sum" : "") + (tag == 0 ? "" : " tag=" + tag);
    }
}
