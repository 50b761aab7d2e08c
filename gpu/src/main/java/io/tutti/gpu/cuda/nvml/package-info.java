/**
 * The questions that NVIDIA's management library answers better than the driver: which NVLink domain a device belongs to,
 * what its links promise, whether it is a slice. Start at {@link io.tutti.gpu.cuda.nvml.Nvml}.
 */
@NullMarked
package io.tutti.gpu.cuda.nvml;

import org.jspecify.annotations.NullMarked;
