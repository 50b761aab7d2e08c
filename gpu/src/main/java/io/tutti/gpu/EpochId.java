package io.tutti.gpu;

import java.util.Objects;

/**
 * Names one epoch of one communicator. Epoch numbers grow over the whole life of a communicator, across terms, so that
 * the device-side abort word can compare the number alone; the term fences coordinators against each other.
 *
 * @param term the coordinator's claim under which the epoch is formed
 * @param epoch the epoch's number, from 1
 */
public record EpochId(Term term, long epoch) {

    public EpochId {
        Objects.requireNonNull(term, "term");
        if (epoch < 1) {
            throw new IllegalArgumentException("epochs are numbered from 1: epoch=" + epoch);
        }
    }

    @Override
    public String toString() {
        return "epoch " + epoch + " (term " + term.counter() + ")";
    }
}
