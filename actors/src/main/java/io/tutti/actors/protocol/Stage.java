package io.tutti.actors.protocol;

import java.util.Locale;

/**
 * The stages of forming an epoch, in order. Each has one deadline; every rank answers every stage; the coordinator moves
 * on only when all have agreed, so each boundary is a vote.
 */
public enum Stage {
    /** Every rank reports its facts. */
    IDENTITY,
    /** Every rank computes the plan from all ranks' facts; the hashes are compared. */
    PLAN,
    /** Every rank really allocates its workspace and keeps it. */
    ALLOCATE,
    /** Pad and stages are initialised and the device is synchronised, before anything is published. */
    FILL,
    /** Every rank exports its workspace. */
    EXPORT,
    /** Every rank imports and maps all peers' workspaces. */
    IMPORT,
    /** Kernels store a pattern into every peer's pad. */
    WRITE,
    /** Every rank checks what its peers wrote. */
    VERIFY,
    /** Every rank times copies to its peers, against what the links promise. */
    PROBE,
    /** All streams are idle. */
    QUIESCE,
    /** Sentinel over the whole capacity; sequence, clear sizes, counters and status zero; synchronised. */
    ARM,
    /** Every rank enters the epoch. */
    COMMIT;

    /** The name used in reports and on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
