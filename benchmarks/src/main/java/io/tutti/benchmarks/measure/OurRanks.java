package io.tutti.benchmarks.measure;

import io.tutti.gpu.TuttiException;
import io.tutti.launcher.input.OperationShape;
import java.time.Duration;

/**
 * The ranks of one communicator as a benchmark drives them, wherever they live. One shape is loaded at a time. Confined to
 * one thread; every method throws a {@link TuttiException} when a rank fails.
 */
public interface OurRanks extends AutoCloseable {

    int worldSize();

    /** Whether something that the facts promised was refused when it was tried. */
    boolean promiseRefused();

    /** Gives every rank tensors of that shape; those of the last shape are given back. */
    void load(OperationShape shape);

    /**
     * Runs the warm-up, then the measured operations.
     *
     * @param iterations from 1
     * @param limit how long all of them may take
     */
    Burst burst(int warmUp, int iterations, Duration limit);

    /** Overwrites the outputs, so that an element that is not written is noticed. */
    void poison();

    /** Elements, over all ranks and outputs, that differ from the scalar reference. */
    long judge();

    /** Gives the tensors back where no call is under way any more. */
    @Override
    void close();
}
