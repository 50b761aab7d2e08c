package io.tutti.gpu;

import java.util.Locale;

/** The ways data can move between the ranks of a communicator, best first: a smaller ordinal is preferred. */
public enum PathKind {
    /** Multicast stores through the switch: one store reaches every peer. */
    NVLS,
    /** Every rank maps every peer's workspace; kernels load and store directly. */
    P2P,
    /** NCCL between Tutti's own local kernels. */
    NCCL,
    /** Host memory through cluster messages; always available. */
    STAGED;

    /** The name used in settings, JSON and on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
