package io.tutti.gpu;

import java.util.Comparator;
import java.util.Objects;

/**
 * A coordinator's claim to lead a communicator. Terms are ordered by counter, then by coordinator id, so two
 * coordinators never hold equal terms.
 *
 * @param counter grows with every claim; 0 is before the first claim
 * @param coordinatorId unique per coordinator instance
 */
public record Term(long counter, String coordinatorId) implements Comparable<Term> {

    /** Before any claim; smaller than every claimed term. */
    public static final Term NONE = new Term(0, "");

    private static final Comparator<Term> ORDER =
            Comparator.comparingLong(Term::counter).thenComparing(Term::coordinatorId);

    public Term {
        Objects.requireNonNull(coordinatorId, "coordinatorId");
        if (counter < 0) {
            throw new IllegalArgumentException("term counter must not be negative: counter=" + counter);
        }
    }

    @Override
    public int compareTo(Term other) {
        return ORDER.compare(this, other);
    }

    public boolean isAfter(Term other) {
        return compareTo(other) > 0;
    }
}
