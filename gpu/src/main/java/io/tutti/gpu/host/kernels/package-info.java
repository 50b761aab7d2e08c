/**
 * The kernels of the host driver: the protocol of {@code docs/memory-model.md} in plain Java, over the same control
 * block, signal pads and stages as the CUDA kernels. No arithmetic on tensor values is written here (that is {@link
 * io.tutti.gpu.numerics}), and no offset is computed here (that is {@link io.tutti.gpu.workspace}). Start at {@link
 * io.tutti.gpu.host.kernels.HostKernels}, then read {@code OneShotKernel}.
 */
@NullMarked
package io.tutti.gpu.host.kernels;

import org.jspecify.annotations.NullMarked;
