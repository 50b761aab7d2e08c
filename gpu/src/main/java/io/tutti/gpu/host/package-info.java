/**
 * The host driver: the embedded default on a machine without GPUs and a faithful emulation for tests. Device memory is
 * shared memory, a stream is a thread with a queue, kernels are Java code. Nothing outside this package and its kernels
 * may depend on it being the host. Start at {@code HostDriver}.
 */
@NullMarked
package io.tutti.gpu.host;

import org.jspecify.annotations.NullMarked;
