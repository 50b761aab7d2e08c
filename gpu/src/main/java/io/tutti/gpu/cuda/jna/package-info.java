/**
 * The JNA binding of the CUDA driver, complete, and native memory by its address. Nothing here knows what a call is for.
 * Start at {@link io.tutti.gpu.cuda.jna.JnaBinding}.
 */
@NullMarked
package io.tutti.gpu.cuda.jna;

import org.jspecify.annotations.NullMarked;
