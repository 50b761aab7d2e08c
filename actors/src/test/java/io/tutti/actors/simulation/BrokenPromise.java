package io.tutti.actors.simulation;

/** A promise of the protocol that a schedule broke. */
final class BrokenPromise extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BrokenPromise(String message) {
        super(message);
    }
}
