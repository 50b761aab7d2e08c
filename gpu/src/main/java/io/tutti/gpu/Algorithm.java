package io.tutti.gpu;

/** How the partial sums travel on a path; both give the same bits. */
public enum Algorithm {
    /** Every rank pushes its whole partial to every peer and adds in rank order itself. */
    ONE_SHOT("one-shot"),
    /** Every rank reduces one slice and pushes the rounded slice to every peer. */
    TWO_SHOT("two-shot");

    private final String wireName;

    Algorithm(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in settings, JSON and on the wire. */
    public String wireName() {
        return wireName;
    }
}
