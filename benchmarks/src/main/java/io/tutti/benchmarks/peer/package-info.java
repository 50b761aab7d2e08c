/**
 * Other implementations of the same operation, measured beside ours: found, built where they are source, started,
 * asked and stopped. Nothing here knows Tutti's runtime. A peer that is not to be had is a value with a reason, never a
 * failure. Start with {@link io.tutti.benchmarks.peer.Peer}.
 */
@NullMarked
package io.tutti.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
