/**
 * What one rank does on its device: its stream, its memory of the current epoch, launches and their completion. It knows
 * stages but not their order between ranks, and no actor. Start at {@link io.tutti.gpu.rank.RankDevice}.
 */
@NullMarked
package io.tutti.gpu.rank;

import org.jspecify.annotations.NullMarked;
