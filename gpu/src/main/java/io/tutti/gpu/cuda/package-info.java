/**
 * The driver {@code cuda}: the driver interface over the real CUDA driver. Each part knows the rules of its calls; the
 * bindings below know only how to make them. No kernel and no policy lives here. Start at {@link io.tutti.gpu.cuda.Cuda}.
 */
@NullMarked
package io.tutti.gpu.cuda;

import org.jspecify.annotations.NullMarked;
