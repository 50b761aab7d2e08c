package io.tutti.benchmarks.peer;

/** Why a peer cannot be measured; the message is a clause for people, to follow "the peer … is left out: ". */
public final class PeerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PeerException(String message) {
        super(message);
    }
}
