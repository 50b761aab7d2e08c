/**
 * Runs the tests tagged {@code gpu} on a machine that has a GPU and no build: {@code scripts/gpu-bundle} packs it, the
 * bundle's {@code gpu-check} starts it. Start at {@link io.tutti.gpucheck.GpuCheck}.
 */
@NullMarked
package io.tutti.gpucheck;

import org.jspecify.annotations.NullMarked;
