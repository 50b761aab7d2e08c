package io.tutti.gpu.workspace;

/** The Lamport data regions of a workspace. Each holds three stages of one slot per source rank. */
public enum StageRegion {
    /** Whole partials that peers pushed; a slot holds {@link WorkspaceSpec#oneShotBytes()}. */
    ONE_SHOT,
    /** The parts of peers' partials that this rank reduces; a slot holds a slice. */
    SCATTER,
    /** Slices of the new residual, rounded, that peers reduced. */
    GATHER_RESIDUAL,
    /** Slices of the plain sum, rounded, that peers reduced. */
    GATHER_SUM
}
