/**
 * The contract between the host driver and its kernels: what a kernel is, and what it sees of its device's memory. No
 * driver call and no kernel lives here. Start at {@link io.tutti.gpu.host.execution.HostKernel}.
 */
@NullMarked
package io.tutti.gpu.host.execution;

import org.jspecify.annotations.NullMarked;
