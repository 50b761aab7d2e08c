/**
 * The canonical order of {@code docs/numerics.md} in plain Java: conversions of the tensor types, the sum over the ranks,
 * the tree of squares, the norm, and the sentinel of Lamport data. Nothing here knows memory, streams or ranks' threads,
 * and nothing outside this package rounds to a tensor type on the host. Start with {@link
 * io.tutti.gpu.numerics.CanonicalRow}; {@link io.tutti.gpu.numerics.reference} is what judges it.
 */
@NullMarked
package io.tutti.gpu.numerics;

import org.jspecify.annotations.NullMarked;
